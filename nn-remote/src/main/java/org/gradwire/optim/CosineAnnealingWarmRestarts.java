package org.gradwire.optim;

/**
 * Takes the learning rate down along half a wave of the cosine, again and again from its initial
 * value on.
 *
 * @param t0 epochs of the first wave, at least 1
 * @param tMult how many times as long as the last each wave is, at least 1
 * @param etaMin the lowest rate
 */
public record CosineAnnealingWarmRestarts(int t0, int tMult, double etaMin) implements Schedule {

    /** Checks the numbers of epochs. */
    public CosineAnnealingWarmRestarts {
        if (t0 < 1) {
            throw new IllegalArgumentException("Expected positive integer T_0, but got " + t0);
        }
        if (tMult < 1) {
            throw new IllegalArgumentException("Expected integer T_mult >= 1, but got " + tMult);
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
