package org.gradwire.optim.lr;

/**
 * Anneals the learning rate along a cosine with warm restarts from the initial rate.
 *
 * @param t0 the epochs of the first period, at least 1
 * @param tMult the growth of the period at each restart, at least 1
 * @param etaMin the minimum rate
 */
public record CosineAnnealingWarmRestarts(int t0, int tMult, double etaMin) implements Schedule {

    /** Checks the numbers of epochs. */
    public CosineAnnealingWarmRestarts {
        if (t0 < 1) {
            throw new IllegalArgumentException("t0 must be 1 or more, but is " + t0);
        }
        if (tMult < 1) {
            throw new IllegalArgumentException("tMult must be 1 or more, but is " + tMult);
        }
    }

    @Override
    public double lr(int epoch, double current, double initial) {
        int position = epoch;
        int length = t0;
        while (position >= length) {
            position -= length;
            length *= tMult;
        }
        double height = 1 + Math.cos(Math.PI * position / length);
        return etaMin + (initial - etaMin) * height / 2;
    }
}
