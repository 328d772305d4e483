package org.gradwire.optim;

/**
 * What a scheduler changes: the learning rates of an {@link Optimizer}, or of one that is spread
 * over workers.
 */
public interface Scheduled {

    /** {@return the learning rates now} */
    Rates rates();

    /**
     * Change the learning rates.
     *
     * @param rates for the same groups as {@link #rates()}
     * @throws IllegalArgumentException when they are for another number of groups, or an optimizer
     *     does not allow one of them
     */
    void rates(Rates rates);
}
