package org.gradwire.optim;

import org.gradwire.rpc.WireValue;

import java.util.List;

/**
 * Learning rates of an optimizer.
 *
 * @param lrs the learning rate of each group, in order
 * @param momenta the momentum of each group; empty if the optimizer has none; see {@link
 *     MomentumOptions}
 */
@WireValue
public record LearningRates(List<Double> lrs, List<Double> momenta) {

    /** Copies the lists. */
    public LearningRates {
        lrs = List.copyOf(lrs);
        momenta = List.copyOf(momenta);
        if (!momenta.isEmpty() && momenta.size() != lrs.size()) {
            throw new IllegalArgumentException(
                    "%d learning rates and %d momenta do not fit together; give as many, or no momenta"
                            .formatted(lrs.size(), momenta.size()));
        }
    }
}
