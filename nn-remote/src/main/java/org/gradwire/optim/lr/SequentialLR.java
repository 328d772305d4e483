package org.gradwire.optim.lr;

import java.util.List;

/**
 * Applies schedules in sequence, for example a warm-up and then a decay. Each starts at its own
 * epoch 0 from the initial rates.
 *
 * {@snippet :
 * new SequentialLR(List.of(new LinearLR(0.1, 1, 5), new CosineAnnealingLR(95)), List.of(5));
 * }
 *
 * @param schedules at least one
 * @param milestones the epochs at which the second and later schedules start, ascending, from 1
 */
public record SequentialLR(List<Schedule> schedules, List<Integer> milestones) implements Schedule {

    /** Copies the lists and validates their sizes. */
    public SequentialLR {
        schedules = List.copyOf(schedules);
        milestones = List.copyOf(milestones);
        if (milestones.size() != schedules.size() - 1) {
            throw new IllegalArgumentException(
                    "Sequential Schedulers expects number of schedulers provided to be one more than the number of milestone points, but got number of schedulers %d and the number of milestones to be equal to %d"
                            .formatted(schedules.size(), milestones.size()));
        }
        int last = 0;
        for (int milestone : milestones) {
            if (milestone <= last) {
                throw new IllegalArgumentException(
                        "milestones must ascend from 1 on, not " + milestones);
            }
            last = milestone;
        }
    }

    @Override
    public double lr(int epoch, double current, double initial) {
        int begin = begin(epoch);
        return schedule(epoch).lr(epoch - begin, epoch == begin ? initial : current, initial);
    }

    @Override
    public double momentum(int epoch, double current, double initial) {
        int begin = begin(epoch);
        double before = epoch == begin ? initial : current;
        return schedule(epoch).momentum(epoch - begin, before, initial);
    }

    private int index(int epoch) {
        return (int) milestones.stream().filter(milestone -> milestone <= epoch).count();
    }

    private Schedule schedule(int epoch) {
        return schedules.get(index(epoch));
    }

    private int begin(int epoch) {
        int index = index(epoch);
        return index == 0 ? 0 : milestones.get(index - 1);
    }
}
