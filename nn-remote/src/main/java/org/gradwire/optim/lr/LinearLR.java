package org.gradwire.optim.lr;

/**
 * Changes the factor of the learning rate linearly, for example as a warm-up.
 *
 * @param startFactor of epoch 0; above 0, at most 1
 * @param endFactor of {@code totalIters} and later epochs; 0 to 1
 * @param totalIters at least 1
 */
public record LinearLR(double startFactor, double endFactor, int totalIters) implements Schedule {

    /** Checks the factors. */
    public LinearLR {
        if (!(startFactor > 0 && startFactor <= 1)) {
            throw new IllegalArgumentException(
                    "Starting multiplicative factor expected to be between 0 and 1. It is "
                            + startFactor);
        }
        if (!(endFactor >= 0 && endFactor <= 1)) {
            throw new IllegalArgumentException(
                    "Ending multiplicative factor expected to be between 0 and 1. It is "
                            + endFactor);
        }
        ScheduleChecks.atLeastOne("totalIters", totalIters);
    }

    @Override
    public double lr(int epoch, double current, double initial) {
        if (epoch == 0) {
            return current * startFactor;
        }
        if (epoch > totalIters) {
            return current;
        }
        double change = endFactor - startFactor;
        return current * (1 + change / (totalIters * startFactor + (epoch - 1) * change));
    }
}
