package org.gradwire.tensor.rule.device;

import org.gradwire.tensor.kernel.DoubleBlocks.Step;

/**
 * A step of a pointwise loss for which devices may have a kernel.
 *
 * @param kernel its name
 */
public record KernelStep(String kernel, Step onHost) implements Step {
    /** The squared error. */
    public static final Step SQUARES = new KernelStep("squared_error", KernelStep::squares);

    public static final Step SQUARES_GRADIENT =
            new KernelStep("squared_error_gradient", KernelStep::squaresGradient);

    /** The absolute error. */
    public static final Step DISTANCES = new KernelStep("absolute_error", KernelStep::distances);

    public static final Step DISTANCES_GRADIENT =
            new KernelStep("absolute_error_gradient", KernelStep::distancesGradient);

    @Override
    public void apply(double[][] x, double[] y, int n) {
        onHost.apply(x, y, n);
    }

    private static void squares(double[][] x, double[] y, int n) {
        for (int i = 0; i < n; i++) {
            double difference = x[0][i] - x[1][i];
            y[i] = difference * difference;
        }
    }

    private static void squaresGradient(double[][] x, double[] y, int n) {
        for (int i = 0; i < n; i++) {
            y[i] = 2 * (x[0][i] - x[1][i]) * x[2][i];
        }
    }

    private static void distances(double[][] x, double[] y, int n) {
        for (int i = 0; i < n; i++) {
            y[i] = Math.abs(x[0][i] - x[1][i]);
        }
    }

    private static void distancesGradient(double[][] x, double[] y, int n) {
        for (int i = 0; i < n; i++) {
            double difference = x[0][i] - x[1][i];
            y[i] = difference > 0 ? x[2][i] : difference < 0 ? -x[2][i] : 0 * x[2][i];
        }
    }
}
