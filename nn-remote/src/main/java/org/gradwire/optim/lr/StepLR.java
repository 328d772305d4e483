package org.gradwire.optim.lr;

/**
 * Multiplies the learning rate by a factor at a fixed interval.
 *
 * @param stepSize the interval in epochs, at least 1
 */
public record StepLR(int stepSize, double gamma) implements Schedule {

    /** Checks the step size. */
    public StepLR {
        ScheduleChecks.atLeastOne("stepSize", stepSize);
    }

    @Override
    public double lr(int epoch, double current, double initial) {
        return epoch == 0 || epoch % stepSize != 0 ? current : current * gamma;
    }
}
