package org.gradwire.optim.lr;

/**
 * Decays the learning rate to 0 by a polynomial.
 *
 * @param totalIters the epoch at which the rate reaches 0, at least 1
 * @param power the exponent; 1 is linear
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
