package org.gradwire.optim;

import org.gradwire.rpc.WireValue;

import java.util.List;

/**
 * Learning rates of an optimizer.
 *
 * @param lrs one for each group, in the order of the groups
 * @param momenta one for each group, or empty when the optimizer has none; see {@link
 *     MomentumOptions}
 */
@WireValue
public record Rates(List<Double> lrs, List<Double> momenta) {

    /** Copies the lists. */
    public Rates {
        lrs = List.copyOf(lrs);
        momenta = List.copyOf(momenta);
        if (!momenta.isEmpty() && momenta.size() != lrs.size()) {
            throw new IllegalArgumentException(
                    "%d learning rates and %d momenta do not fit together; give as many, or no momenta"
                            .formatted(lrs.size(), momenta.size()));
        }
    }
}
