package org.gradwire.optim;

/**
 * Options with a momentum, which a schedule such as {@link OneCycleLR} may change: how much of the
 * past a step keeps. It is {@code momentum} in {@link SGD} and {@link RMSprop}, {@code beta1} in
 * {@link Adam} and its kin.
 *
 * @param <O> the record itself
 */
public interface MomentumOptions<O extends Record & MomentumOptions<O>>
        extends OptimizerOptions<O> {

    /** {@return how much of the past a step keeps} */
    double momentum();

    /** Return the same options with another momentum. */
    O momentum(double momentum);
}
