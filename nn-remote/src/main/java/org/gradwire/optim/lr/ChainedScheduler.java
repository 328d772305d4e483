package org.gradwire.optim.lr;

import java.util.List;

/**
 * Chains schedules: each modifies the learning rate in every epoch, in order.
 *
 * @param schedules at least one
 */
public record ChainedScheduler(List<Schedule> schedules) implements Schedule {

    /** Copies the list. */
    public ChainedScheduler {
        schedules = List.copyOf(schedules);
        if (schedules.isEmpty()) {
            throw new IllegalArgumentException("there is no schedule to chain; give at least one");
        }
    }

    @Override
    public double lr(int epoch, double current, double initial) {
        double rate = current;
        for (Schedule schedule : schedules) {
            rate = schedule.lr(epoch, rate, initial);
        }
        return rate;
    }

    @Override
    public double momentum(int epoch, double current, double initial) {
        double momentum = current;
        for (Schedule schedule : schedules) {
            momentum = schedule.momentum(epoch, momentum, initial);
        }
        return momentum;
    }
}
