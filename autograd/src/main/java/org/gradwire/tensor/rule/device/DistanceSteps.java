package org.gradwire.tensor.rule.device;

import org.gradwire.tensor.kernel.DoubleBlocks.Step;

import java.util.List;

/**
 * Steps of losses that are functions of the difference of input and target. The last operand of a
 * gradient step is the gradient of the losses.
 */
public final class DistanceSteps {
    /** The squared error. */
    public static final Step SQUARES = new KernelStep("squared_error", DistanceSteps::squares);

    public static final Step SQUARES_GRADIENT =
            new KernelStep("squared_error_gradient", DistanceSteps::squaresGradient);

    /** The absolute error. */
    public static final Step DISTANCES = new KernelStep("absolute_error", DistanceSteps::distances);

    public static final Step DISTANCES_GRADIENT =
            new KernelStep("absolute_error_gradient", DistanceSteps::distancesGradient);

    private DistanceSteps() {}

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

    /** {@return the absolute error, quadratic where it is less than {@code beta}} */
    public static Step smooth(double beta) {
        return new KernelStep(
                "smooth_l1",
                List.of(beta),
                (x, y, n) -> {
                    for (int i = 0; i < n; i++) {
                        double z = Math.abs(x[0][i] - x[1][i]);
                        y[i] = z < beta ? 0.5 * z * z / beta : z - 0.5 * beta;
                    }
                });
    }

    public static Step smoothGradient(double beta) {
        return new KernelStep(
                "smooth_l1_gradient",
                List.of(beta),
                (x, y, n) -> {
                    for (int i = 0; i < n; i++) {
                        double z = x[0][i] - x[1][i];
                        double slope = z <= -beta ? -1 : z >= beta ? 1 : z / beta;
                        y[i] = slope * x[2][i];
                    }
                });
    }

    /** {@return half the square of the error up to {@code delta}, linear above} */
    public static Step huber(double delta) {
        return new KernelStep(
                "huber",
                List.of(delta),
                (x, y, n) -> {
                    for (int i = 0; i < n; i++) {
                        double z = Math.abs(x[0][i] - x[1][i]);
                        y[i] = z <= delta ? 0.5 * z * z : delta * (z - 0.5 * delta);
                    }
                });
    }

    public static Step huberGradient(double delta) {
        return new KernelStep(
                "huber_gradient",
                List.of(delta),
                (x, y, n) -> {
                    for (int i = 0; i < n; i++) {
                        double z = x[0][i] - x[1][i];
                        y[i] = Math.clamp(z, -delta, delta) * x[2][i];
                    }
                });
    }
}
