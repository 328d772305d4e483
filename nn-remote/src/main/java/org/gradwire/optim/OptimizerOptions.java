package org.gradwire.optim;

/**
 * The options of a parameter group of an {@link Optimizer}: an immutable record. To change an
 * option, give the group another record.
 *
 * <p>Numeric and boolean components are part of an optimizer's {@linkplain Optimizer#stateDict
 * state}; for that, the record must be public and its package exported. A record that is sent to
 * other workers is marked {@link org.gradwire.rpc.WireValue}.
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
     * Validate options that depend on one another; called when they are set on a group. The
     * record's constructor validates single options.
     *
     * @throws IllegalArgumentException when they are inconsistent
     */
    default void validate() {}
}
