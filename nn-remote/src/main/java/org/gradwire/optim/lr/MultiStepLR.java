package org.gradwire.optim.lr;

import java.util.Collections;
import java.util.List;

/**
 * Multiplies the learning rate by a factor at each milestone.
 *
 * @param milestones the epochs; repeated ones count repeatedly
 */
public record MultiStepLR(List<Integer> milestones, double gamma) implements Schedule {

    /** Copies the list. */
    public MultiStepLR {
        milestones = List.copyOf(milestones);
    }

    @Override
    public double lr(int epoch, double current, double initial) {
        int times = Collections.frequency(milestones, epoch);
        return times == 0 ? current : current * Math.pow(gamma, times);
    }
}
