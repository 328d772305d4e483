package org.gradwire.tensor.rule.device;

import org.gradwire.tensor.kernel.DoubleBlocks.Step;
import org.gradwire.tensor.kernel.Kernels;
import org.gradwire.tensor.kernel.element.Elements;
import org.gradwire.tensor.kernel.element.Unary;

/**
 * Steps of cross-entropies of two classes. The operands are the input, the target, the weight, of
 * logits the weight of positives, and in gradient steps the gradient of the losses.
 */
public final class CrossEntropySteps {
    /** The cross-entropy of probabilities. */
    public static final Step BINARY =
            new KernelStep("binary_cross_entropy", CrossEntropySteps::binary);

    public static final Step BINARY_GRADIENT =
            new KernelStep("binary_cross_entropy_gradient", CrossEntropySteps::binaryGradient);

    public static final Step BINARY_TARGET_GRADIENT =
            new KernelStep(
                    "binary_cross_entropy_target_gradient",
                    CrossEntropySteps::binaryTargetGradient);

    /** The cross-entropy of logits. */
    public static final Step LOGITS =
            new KernelStep("logit_cross_entropy", CrossEntropySteps::logits);

    public static final Step LOGITS_GRADIENT =
            new KernelStep("logit_cross_entropy_gradient", CrossEntropySteps::logitsGradient);

    public static final Step LOGITS_TARGET_GRADIENT =
            new KernelStep(
                    "logit_cross_entropy_target_gradient", CrossEntropySteps::logitsTargetGradient);

    private static final double LEAST_LOG = -100;
    private static final double LEAST_VARIANCE = 1e-12;

    private CrossEntropySteps() {}

    private static double log(double p) {
        return Math.max(Math.log(p), LEAST_LOG);
    }

    private static void binary(double[][] x, double[] y, int n) {
        for (int i = 0; i < n; i++) {
            double p = x[0][i];
            double t = x[1][i];
            requireProbability(p);
            double other = Math.max(Math.log1p(-p), LEAST_LOG);
            y[i] = -x[2][i] * (t * log(p) + (1 - t) * other);
        }
    }

    static void requireProbability(double p) {
        if (!(p >= 0 && p <= 1)) {
            throw new IllegalArgumentException(
                    "all elements of the input must be from 0 to 1, but one is %s; for logits use bceWithLogits"
                            .formatted(p));
        }
    }

    private static void binaryGradient(double[][] x, double[] y, int n) {
        for (int i = 0; i < n; i++) {
            double p = x[0][i];
            double variance = Math.max((1 - p) * p, LEAST_VARIANCE);
            y[i] = x[2][i] * x[3][i] * (p - x[1][i]) / variance;
        }
    }

    private static void binaryTargetGradient(double[][] x, double[] y, int n) {
        for (int i = 0; i < n; i++) {
            double p = x[0][i];
            y[i] = x[2][i] * x[3][i] * (Math.log1p(-p) - Math.log(p));
        }
    }

    /** Write {@code log(1 + exp(-x))} without overflow; {@code work} is overwritten. */
    private static void softplusOfMinus(double[] x, double[] work, double[] y, int n) {
        Elements<double[]> doubles = Kernels.installed().doubles();
        for (int i = 0; i < n; i++) {
            work[i] = -Math.abs(x[i]);
        }
        doubles.unary(Unary.EXP, work, 0, work, 0, n);
        for (int i = 0; i < n; i++) {
            work[i] += 1;
        }
        doubles.unary(Unary.LOG, work, 0, y, 0, n);
        for (int i = 0; i < n; i++) {
            y[i] += Math.max(-x[i], 0);
        }
    }

    private static void logits(double[][] x, double[] y, int n) {
        double[] t = x[1];
        double[] positive = x[3];
        for (int i = 0; i < n; i++) {
            positive[i] = positive[i] == 1 ? 1 : (positive[i] - 1) * t[i] + 1;
        }
        double[] softplus = new double[n];
        softplusOfMinus(x[0], y, softplus, n);
        for (int i = 0; i < n; i++) {
            y[i] = x[2][i] * ((1 - t[i]) * x[0][i] + positive[i] * softplus[i]);
        }
    }

    private static void logitsGradient(double[][] x, double[] y, int n) {
        Kernels.installed().doubles().unary(Unary.SIGMOID, x[0], 0, y, 0, n);
        for (int i = 0; i < n; i++) {
            double target = x[1][i];
            double positive = x[3][i] * target;
            double slope = x[3][i] == 1 ? y[i] - target : (positive + 1 - target) * y[i] - positive;
            y[i] = x[2][i] * x[4][i] * slope;
        }
    }

    private static void logitsTargetGradient(double[][] x, double[] y, int n) {
        double[] softplus = new double[n];
        softplusOfMinus(x[0], y, softplus, n);
        for (int i = 0; i < n; i++) {
            y[i] = x[2][i] * x[4][i] * ((x[3][i] - 1) * softplus[i] - x[0][i]);
        }
    }
}
