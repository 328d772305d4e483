package org.gradwire.examples.batchrpc;

import org.gradwire.rpc.WireValue;

import java.util.List;

/**
 * The episode of an observer.
 *
 * @param actions the agent's choices, step by step
 * @param fell whether the pole fell, step by step
 */
@WireValue
public record Episode(List<Integer> actions, List<Boolean> fell) {
    private static final double DISCOUNT = 0.98;

    /** {@return the discounted return of each step: the number of later steps until a fall} */
    double[] returns() {
        double[] returns = new double[fell.size()];
        double later = 0;
        for (int step = returns.length - 1; step >= 0; step--) {
            later = fell.get(step) ? 0 : 1 + DISCOUNT * later;
            returns[step] = later;
        }
        return returns;
    }

    long falls() {
        return fell.stream().filter(Boolean::booleanValue).count();
    }
}
