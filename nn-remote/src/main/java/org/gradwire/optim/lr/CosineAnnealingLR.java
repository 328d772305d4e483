package org.gradwire.optim.lr;

/**
 * Anneals the learning rate along a cosine, down and up again.
 *
 * @param tMax the epochs of half a period, at least 1
 * @param etaMin the minimum rate
 */
public record CosineAnnealingLR(int tMax, double etaMin) implements Schedule {

    /** Checks the number of epochs. */
    public CosineAnnealingLR {
        ScheduleChecks.atLeastOne("tMax", tMax);
    }

    /** Create a schedule whose minimum rate is 0. */
    public CosineAnnealingLR(int tMax) {
        this(tMax, 0);
    }

    @Override
    public double lr(int epoch, double current, double initial) {
        if (epoch == 0) {
            return current;
        }
        if ((epoch - 1 - tMax) % (2 * tMax) == 0) {
            return current + (initial - etaMin) * (1 - Math.cos(Math.PI / tMax)) / 2;
        }
        return height(epoch) / height(epoch - 1) * (current - etaMin) + etaMin;
    }

    private double height(int epoch) {
        return 1 + Math.cos(Math.PI * epoch / tMax);
    }
}
