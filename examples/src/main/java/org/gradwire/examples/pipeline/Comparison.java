package org.gradwire.examples.pipeline;

import org.gradwire.examples.pipeline.SingleProcess.Step;
import org.gradwire.tensor.Tensor;

import java.util.List;

/** Compares the steps of a run with those of one process, and measures their time. */
final class Comparison {
    private static final double LIMIT = 1e-4; // floats summed in another order

    private double lossDifference;
    private double gradientDifference;
    private int steps;
    private long nanos;
    private long startNanos;

    void stepBegins() {
        startNanos = System.nanoTime();
    }

    void stepEnds() {
        nanos += System.nanoTime() - startNanos;
        steps++;
    }

    void check(double loss, List<Tensor> gradients, Step expected) {
        lossDifference = larger(lossDifference, loss - expected.loss());
        for (int i = 0; i < expected.gradients().size(); i++) {
            Tensor difference = gradients.get(i).sub(expected.gradients().get(i));
            gradientDifference = larger(gradientDifference, difference.abs().max().item());
        }
    }

    /** {@return the larger absolute value; NaN if either is NaN} */
    private static double larger(double before, double difference) {
        return Math.max(before, Math.abs(difference));
    }

    /** {@return whether all steps were equal up to rounding} */
    boolean equal() {
        return steps > 0 && lossDifference < LIMIT && gradientDifference < LIMIT;
    }

    @Override
    public String toString() {
        return "%5.1f steps/s; largest difference of losses %.1e, of gradients %.1e (%s)"
                .formatted(
                        steps / (nanos / 1e9),
                        lossDifference,
                        gradientDifference,
                        equal() ? "equal" : "DIFFERENT, the limit is " + LIMIT);
    }
}
