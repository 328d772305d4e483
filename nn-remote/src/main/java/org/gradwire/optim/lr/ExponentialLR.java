package org.gradwire.optim.lr;

/** Multiplies the learning rate by a factor every epoch. */
public record ExponentialLR(double gamma) implements Schedule {

    @Override
    public double lr(int epoch, double current, double initial) {
        return epoch == 0 ? current : current * gamma;
    }
}
