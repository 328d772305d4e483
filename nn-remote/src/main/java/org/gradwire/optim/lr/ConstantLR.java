package org.gradwire.optim.lr;

/**
 * Multiplies the learning rate by a factor until a given epoch.
 *
 * @param factor above 0, at most 1
 * @param totalIters the epoch at which the initial rate returns
 */
public record ConstantLR(double factor, int totalIters) implements Schedule {

    /** Checks the factor. */
    public ConstantLR {
        if (!(factor > 0 && factor <= 1)) {
            throw new IllegalArgumentException(
                    "Constant multiplicative factor expected to be between 0 and 1. It is "
                            + factor);
        }
    }

    @Override
    public double lr(int epoch, double current, double initial) {
        if (epoch == 0) {
            return current * factor;
        }
        return epoch == totalIters ? current * (1 / factor) : current;
    }
}
