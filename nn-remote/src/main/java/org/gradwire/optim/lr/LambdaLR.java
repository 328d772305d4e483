package org.gradwire.optim.lr;

import java.util.function.IntToDoubleFunction;

/**
 * Multiplies the initial learning rate by a function of the epoch.
 *
 * @param factor of an epoch, from 0 on
 */
public record LambdaLR(IntToDoubleFunction factor) implements Schedule {

    @Override
    public double lr(int epoch, double current, double initial) {
        return initial * factor.applyAsDouble(epoch);
    }
}
