package org.gradwire.tensor.rule.device;

import org.gradwire.tensor.kernel.DoubleBlocks.Step;
import org.gradwire.tensor.kernel.Kernels;
import org.gradwire.tensor.kernel.element.Unary;

/**
 * Steps of Kullback-Leibler divergences of log-probabilities from a target of one kind. The last
 * operand of a gradient step is the gradient of the divergences.
 */
public record DivergenceSteps(Step divergences, Step gradient, Step targetGradient) {
    private static final DivergenceSteps OF_PROBABILITIES =
            new DivergenceSteps(
                    new KernelStep("kl_divergence", DivergenceSteps::divergences),
                    new KernelStep("kl_divergence_gradient", DivergenceSteps::gradient),
                    new KernelStep(
                            "kl_divergence_target_gradient", DivergenceSteps::targetGradient));

    private static final DivergenceSteps OF_LOGARITHMS =
            new DivergenceSteps(
                    new KernelStep("log_kl_divergence", DivergenceSteps::logDivergences),
                    new KernelStep("log_kl_divergence_gradient", DivergenceSteps::logGradient),
                    new KernelStep(
                            "log_kl_divergence_target_gradient",
                            DivergenceSteps::logTargetGradient));

    /** {@return the steps for targets that are probabilities, or their logarithms} */
    public static DivergenceSteps of(boolean logarithms) {
        return logarithms ? OF_LOGARITHMS : OF_PROBABILITIES;
    }

    private static void divergences(double[][] x, double[] y, int n) {
        for (int i = 0; i < n; i++) {
            double t = x[1][i];
            y[i] = (t == 0 ? 0 : t * Math.log(t)) - t * x[0][i];
        }
    }

    private static void gradient(double[][] x, double[] y, int n) {
        for (int i = 0; i < n; i++) {
            y[i] = -x[1][i] * x[2][i];
        }
    }

    private static void targetGradient(double[][] x, double[] y, int n) {
        for (int i = 0; i < n; i++) {
            y[i] = (Math.log(x[1][i]) + 1 - x[0][i]) * x[2][i];
        }
    }

    private static void logDivergences(double[][] x, double[] y, int n) {
        Kernels.installed().doubles().unary(Unary.EXP, x[1], 0, y, 0, n);
        for (int i = 0; i < n; i++) {
            y[i] *= x[1][i] - x[0][i];
        }
    }

    private static void logGradient(double[][] x, double[] y, int n) {
        Kernels.installed().doubles().unary(Unary.EXP, x[1], 0, y, 0, n);
        for (int i = 0; i < n; i++) {
            y[i] *= -x[2][i];
        }
    }

    private static void logTargetGradient(double[][] x, double[] y, int n) {
        Kernels.installed().doubles().unary(Unary.EXP, x[1], 0, y, 0, n);
        for (int i = 0; i < n; i++) {
            y[i] *= (x[1][i] - x[0][i] + 1) * x[2][i];
        }
    }
}
