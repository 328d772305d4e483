package org.gradwire.optim;

import java.util.ArrayList;
import java.util.List;

/** Reads and sets the learning rates of parameter groups. */
final class GroupLearningRates {

    private GroupLearningRates() {}

    static <O extends Record & OptimizerOptions<O>> LearningRates of(
            List<ParameterGroup<O>> groups) {
        List<Double> lrs = new ArrayList<>();
        List<Double> momenta = new ArrayList<>();
        for (ParameterGroup<O> group : groups) {
            lrs.add(group.options().lr());
            if (group.options() instanceof MomentumOptions<?> options) {
                momenta.add(options.momentum());
            }
        }
        return new LearningRates(lrs, momenta);
    }

    /** Set the rates of all groups, or of none when a rate is invalid. */
    static <O extends Record & OptimizerOptions<O>> void set(
            List<ParameterGroup<O>> groups, LearningRates learningRates) {
        if (learningRates.lrs().size() != groups.size()) {
            throw new IllegalArgumentException(
                    "got %d learning rates for %d groups of parameters; pass one for each"
                            .formatted(learningRates.lrs().size(), groups.size()));
        }
        List<O> changed = new ArrayList<>();
        for (int i = 0; i < groups.size(); i++) {
            O options = groups.get(i).options().lr(learningRates.lrs().get(i));
            changed.add(
                    learningRates.momenta().isEmpty()
                            ? options
                            : with(options, learningRates.momenta().get(i)));
        }
        for (int i = 0; i < groups.size(); i++) {
            groups.get(i).options(changed.get(i));
        }
    }

    @SuppressWarnings("unchecked") // options of a momentum return their own type
    private static <O extends Record & OptimizerOptions<O>> O with(O options, double momentum) {
        if (options instanceof MomentumOptions<?> changeable) {
            return (O) changeable.momentum(momentum);
        }
        throw new IllegalArgumentException(
                "a momentum of %s came for options that have none: %s"
                        .formatted(momentum, options));
    }
}
