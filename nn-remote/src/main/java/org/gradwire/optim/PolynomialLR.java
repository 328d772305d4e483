package org.gradwire.optim;

/**
 * Takes the learning rate to 0 along a power of what is left.
 *
 * @param totalIters the epoch from which on the rate is 0, at least 1
 * @param power 1 for a line
 */
public record PolynomialLR(int totalIters, double power) implements Schedule {

    /** Checks the number of epochs. */
    public PolynomialLR {
        ScheduleChecks.atLeastOne("totalIters", totalIters);
    }

    @Override
    public double lr(int epoch, double current, double initial) {
        if (epoch == 0 || epoch > totalIters) {
            return current;
        }
        double left = 1 - (double) epoch / totalIters;
        double before = 1 - (double) (epoch - 1) / totalIters;
        return current * Math.pow(left / before, power);
    }
}
