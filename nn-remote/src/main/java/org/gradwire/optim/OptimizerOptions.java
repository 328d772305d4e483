package org.gradwire.optim;

/**
 * What an {@link Optimizer} is told for a group of parameters: a record. It never changes; an
 * option is changed by giving the group another record.
 *
 * <p>Components that are numbers or truth values are part of an optimizer's {@linkplain
 * Optimizer#stateDict state}; for that, the record must be public and its package exported. One
 * that is to travel to other workers is marked {@link org.gradwire.rpc.WireValue}.
 *
 * {@snippet :
 * public record Options(double lr) implements OptimizerOptions<Options> {
 *     @Override
 *     public Options lr(double rate) {
 *         return new Options(rate);
 *     }
 * }
 * }
 *
 * @param <O> the record itself
 */
public interface OptimizerOptions<O extends Record & OptimizerOptions<O>> {

    /** {@return the learning rate} */
    double lr();

    /** Return the same options with another learning rate. */
    O lr(double lr);

    /**
     * Check options that depend on one another; called when a group gets them. Single ones are
     * checked when the record is made.
     *
     * @throws IllegalArgumentException when they do not fit together
     */
    default void validate() {}
}
