package org.gradwire.optim.lr;

import org.gradwire.optim.LearningRates;
import org.gradwire.optim.Schedulable;
import org.gradwire.tensor.DType;
import org.gradwire.tensor.Tensor;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Sets the learning rates of an optimizer by a {@link Schedule}: those of epoch 0 on creation, and
 * those of the next epoch on each {@link #step}.
 *
 * {@snippet :
 * var scheduler = new LRScheduler(optimizer, new StepLR(30, 0.1));
 * for (int epoch = 0; epoch < 100; epoch++) {
 *     train(optimizer);
 *     scheduler.step();
 * }
 * }
 *
 * <p>The schedule receives the optimizer's current rates, so changes by others have effect. To
 * resume later, save the state of the optimizer, which holds the rates, and of the scheduler;
 * create both again and load their states. Not thread-safe.
 */
public final class LRScheduler {
    private static final String EPOCH = "last_epoch";
    private static final String LRS = "base_lrs";
    private static final String MOMENTA = "base_momenta";

    private final Schedulable optimizer;
    private final List<Schedule> schedules;
    private LearningRates initial;
    private int lastEpoch;

    /** Create a scheduler with one schedule for all groups. */
    public LRScheduler(Schedulable optimizer, Schedule schedule) {
        this(optimizer, Collections.nCopies(optimizer.learningRates().lrs().size(), schedule));
    }

    /**
     * Create a scheduler.
     *
     * @param schedules one for each group
     * @throws IllegalArgumentException when their number differs from that of the groups
     */
    public LRScheduler(Schedulable optimizer, List<? extends Schedule> schedules) {
        this.optimizer = optimizer;
        this.schedules = List.copyOf(schedules);
        this.initial = optimizer.learningRates();
        if (schedules.size() != initial.lrs().size()) {
            throw new IllegalArgumentException(
                    "Expected %d schedules, but got %d; give one for each group of parameters"
                            .formatted(initial.lrs().size(), schedules.size()));
        }
        enter(0);
    }

    /** Start the next epoch. Call this after the optimizer's steps of the current one. */
    public void step() {
        enter(lastEpoch + 1);
    }

    private void enter(int epoch) {
        LearningRates now = optimizer.learningRates();
        List<Double> lrs = new ArrayList<>();
        List<Double> momenta = new ArrayList<>();
        for (int g = 0; g < schedules.size(); g++) {
            Schedule schedule = schedules.get(g);
            lrs.add(schedule.lr(epoch, now.lrs().get(g), initial.lrs().get(g)));
            if (!now.momenta().isEmpty()) {
                double first = initial.momenta().get(g);
                momenta.add(schedule.momentum(epoch, now.momenta().get(g), first));
            }
        }
        optimizer.learningRates(new LearningRates(lrs, momenta));
        lastEpoch = epoch;
    }

    /** {@return the current epoch, from 0} */
    public int lastEpoch() {
        return lastEpoch;
    }

    /** {@return the learning rates of the groups} */
    public List<Double> lastLrs() {
        return optimizer.learningRates().lrs();
    }

    /** {@return the epoch and the initial rates, as tensors; the map is modifiable} */
    public Map<String, Tensor> stateDict() {
        Map<String, Tensor> state = new LinkedHashMap<>();
        state.put(EPOCH, Tensor.scalar(DType.INT64, lastEpoch));
        state.put(LRS, vector(initial.lrs()));
        state.put(MOMENTA, vector(initial.momenta()));
        return state;
    }

    private static Tensor vector(List<Double> numbers) {
        return Tensor.of(numbers.stream().mapToDouble(Double::doubleValue).toArray());
    }

    /**
     * Load a saved state. The optimizer's rates do not change, since its own state holds them.
     *
     * @throws IllegalArgumentException when the state is invalid or for another number of groups;
     *     nothing was changed
     */
    public void loadStateDict(Map<String, Tensor> state) {
        int epoch = (int) SchedulerState.get(state, EPOCH).itemAsLong();
        var saved = new LearningRates(numbers(state, LRS), numbers(state, MOMENTA));
        if (saved.lrs().size() != schedules.size()) {
            throw new IllegalArgumentException(
                    "the saved scheduler has %d groups of parameters, this one %d"
                            .formatted(saved.lrs().size(), schedules.size()));
        }
        initial = saved;
        lastEpoch = epoch;
    }

    private static List<Double> numbers(Map<String, Tensor> state, String name) {
        double[] numbers = SchedulerState.get(state, name).toDoubleArray();
        return Arrays.stream(numbers).boxed().toList();
    }
}
