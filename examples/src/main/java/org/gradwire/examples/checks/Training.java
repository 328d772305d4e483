package org.gradwire.examples.checks;

import org.gradwire.tensor.Tensor;

import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * The result of a training.
 *
 * @param losses by step
 * @param parameters at the end, by name
 */
public record Training(List<Double> losses, Map<String, Tensor> parameters) {
    /** Float32 has 7 digits, and each step adds rounding errors. */
    private static final double LIMIT = 1e-4;

    private static final int STEPS_SHOWN = 4;

    /**
     * Print losses with those of the same training in one process, and the largest differences.
     *
     * @return whether they are equal up to rounding
     * @throws IllegalArgumentException when the two differ in their steps or parameters
     */
    public boolean printAgainst(Training alone) {
        if (losses.size() != alone.losses.size()
                || !parameters.keySet().equals(alone.parameters.keySet())) {
            throw new IllegalArgumentException(
                    "%d steps of %s cannot be compared with %d of %s"
                            .formatted(
                                    losses.size(),
                                    parameters.keySet(),
                                    alone.losses.size(),
                                    alone.parameters.keySet()));
        }
        for (int shown = 0; shown <= STEPS_SHOWN; shown++) {
            int step = shown * (losses.size() - 1) / STEPS_SHOWN;
            System.out.printf(
                    "step %4d: loss %.6f over the workers, %.6f in one process%n",
                    step + 1, losses.get(step), alone.losses.get(step));
        }
        double ofLosses = difference(toArray(losses), toArray(alone.losses));
        double ofParameters = parameterDifference(alone);
        boolean equal = ofLosses <= LIMIT && ofParameters <= LIMIT; // false for NaN
        System.out.printf(
                "largest difference: %.2e of %d losses, %.2e of the parameters at the end (%s)%n",
                ofLosses,
                losses.size(),
                ofParameters,
                equal ? "equal" : "DIFFERENT, the limit is " + LIMIT);
        return equal;
    }

    private double parameterDifference(Training alone) {
        double largest = 0;
        for (String name : parameters.keySet()) {
            Tensor here = parameters.get(name);
            Tensor there = alone.parameters.get(name);
            if (there == null || !Arrays.equals(here.shape(), there.shape())) {
                throw new IllegalArgumentException(
                        "%s is of shape %s over the workers, and of %s in one process; train the same model"
                                .formatted(
                                        name,
                                        Arrays.toString(here.shape()),
                                        there == null ? "none" : Arrays.toString(there.shape())));
            }
            largest = Math.max(largest, difference(here.toDoubleArray(), there.toDoubleArray()));
        }
        return largest;
    }

    /** {@return the largest difference; NaN if either side has one} */
    private static double difference(double[] some, double[] others) {
        double largest = 0;
        for (int i = 0; i < some.length; i++) {
            largest = Math.max(largest, Math.abs(some[i] - others[i]));
        }
        return largest;
    }

    private static double[] toArray(List<Double> numbers) {
        return numbers.stream().mapToDouble(Double::doubleValue).toArray();
    }
}
