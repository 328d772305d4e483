package org.gradwire.examples.batchrpc;

import org.gradwire.rpc.WireValue;

import java.util.List;

/**
 * What an observer saw.
 *
 * @param actions what the agent chose, step by step
 * @param fell whether the pole fell at the step
 */
@WireValue
public record Episode(List<Integer> actions, List<Boolean> fell) {
    private static final double DISCOUNT = 0.98;

    /** {@return of each step, for how many more the pole stood, later ones counting less} */
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
