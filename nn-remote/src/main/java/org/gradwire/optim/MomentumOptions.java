package org.gradwire.optim;

import org.gradwire.optim.lr.OneCycleLR;

/**
 * Options with a momentum, which a schedule such as {@link OneCycleLR} may change: {@code momentum}
 * in {@link SGD} and {@link RMSprop}, {@code beta1} in {@link Adam} and its variants.
 *
 * @param <O> the record itself
 */
public interface MomentumOptions<O extends Record & MomentumOptions<O>>
        extends OptimizerOptions<O> {

    /** {@return the momentum} */
    double momentum();

    /** Return the same options with another momentum. */
    O momentum(double momentum);
}
