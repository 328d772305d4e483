package org.gradwire.optim;

/** An optimizer, local or distributed, whose learning rates a scheduler can set. */
public interface Schedulable {

    /** {@return the current learning rates} */
    LearningRates learningRates();

    /**
     * Change the learning rates.
     *
     * @param learningRates one for each group, as {@link #learningRates()}
     * @throws IllegalArgumentException when their number differs from that of the groups, or the
     *     optimizer rejects one of them
     */
    void learningRates(LearningRates learningRates);
}
