package org.gradwire.optim.lr;

import java.util.function.IntToDoubleFunction;

/**
 * Multiplies the learning rate of the last epoch by a function of the epoch.
 *
 * @param factor of an epoch, from 1 on
 */
public record MultiplicativeLR(IntToDoubleFunction factor) implements Schedule {

    @Override
    public double lr(int epoch, double current, double initial) {
        return epoch == 0 ? current : current * factor.applyAsDouble(epoch);
    }
}
