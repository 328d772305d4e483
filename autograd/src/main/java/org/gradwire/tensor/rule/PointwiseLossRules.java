package org.gradwire.tensor.rule;

import org.gradwire.tensor.DType;
import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.access.DTypeAccess;
import org.gradwire.tensor.access.TensorAccess;
import org.gradwire.tensor.kernel.DoubleBlocks;
import org.gradwire.tensor.kernel.DoubleBlocks.Step;
import org.gradwire.tensor.kernel.Kernels;
import org.gradwire.tensor.kernel.element.Elements;
import org.gradwire.tensor.kernel.element.Unary;
import org.gradwire.tensor.operator.Reduction;
import org.gradwire.tensor.rule.device.DeviceLosses;
import org.gradwire.tensor.storage.Shapes;
import org.jspecify.annotations.Nullable;

import java.util.List;

/**
 * Pointwise losses of input and target, computed in float64 in one pass.
 *
 * <p>The operands of a step are the input, the target, then the other arguments of the loss; the
 * last operand of a gradient step is the gradient of the losses.
 */
public final class PointwiseLossRules {
    private static final double LEAST_LOG = -100;
    private static final double LEAST_VARIANCE = 1e-12;

    private PointwiseLossRules() {}

    /** {@return the losses of the broadcast operands, reduced} */
    public static <A> Tensor forward(
            String function, List<Tensor> operands, Reduction reduction, Step step) {
        int[] shape = shape(operands);
        DType dtype = operands.get(0).dtype().promote(operands.get(1).dtype());
        for (Tensor operand : operands) {
            PoolingRules.checkFloating(function, operand);
        }
        Tensor there = DeviceLosses.pointwise(step, operands, dtype, shape, reduction);
        if (there != null) {
            return there;
        }
        if (reduction == Reduction.NONE) {
            Tensor losses = TensorAccess.fresh(dtype, shape);
            Elements<A> elements = DTypeAccess.elements(dtype);
            blocks(operands, shape).map(step, elements, TensorAccess.strided(losses));
            return losses;
        }
        double sum = blocks(operands, shape).sum(step);
        int count = Shapes.count(shape);
        return Tensor.scalar(dtype, sum * reduction.scale(count));
    }

    /** {@return the gradient of one operand, not yet reduced over broadcast dimensions} */
    public static <A> Tensor gradient(
            List<Tensor> operands, Tensor gradient, Reduction reduction, Step step) {
        int[] shape = shape(operands);
        double scale = reduction.scale(Shapes.count(shape));
        Tensor there = DeviceLosses.pointwiseGradient(step, operands, gradient, shape, scale);
        if (there != null) {
            return there;
        }
        Tensor result = TensorAccess.fresh(gradient.dtype(), shape);
        Elements<A> elements = DTypeAccess.elements(gradient.dtype());
        blocks(operands, shape)
                .add(elements, TensorAccess.strided(gradient, shape))
                .map(
                        reduction == Reduction.MEAN ? scaled(step, scale) : step,
                        elements,
                        TensorAccess.strided(result));
        return result;
    }

    private static Step scaled(Step step, double scale) {
        return (x, y, n) -> {
            step.apply(x, y, n);
            for (int i = 0; i < n; i++) {
                y[i] *= scale;
            }
        };
    }

    private static int[] shape(List<Tensor> operands) {
        int[] shape = TensorAccess.dims(operands.getFirst());
        for (Tensor operand : operands) {
            shape = Shapes.broadcast(shape, TensorAccess.dims(operand));
        }
        return shape;
    }

    private static DoubleBlocks blocks(List<Tensor> operands, int[] shape) {
        var blocks = new DoubleBlocks(Shapes.count(shape));
        for (Tensor operand : operands) {
            blocks.add(DTypeAccess.elements(operand.dtype()), TensorAccess.strided(operand, shape));
        }
        return blocks;
    }

    // ---- Distances.

    public static Step smooth(double beta) {
        return (x, y, n) -> {
            for (int i = 0; i < n; i++) {
                double z = Math.abs(x[0][i] - x[1][i]);
                y[i] = z < beta ? 0.5 * z * z / beta : z - 0.5 * beta;
            }
        };
    }

    public static Step smoothGradient(double beta) {
        return (x, y, n) -> {
            for (int i = 0; i < n; i++) {
                double z = x[0][i] - x[1][i];
                double slope = z <= -beta ? -1 : z >= beta ? 1 : z / beta;
                y[i] = slope * x[2][i];
            }
        };
    }

    public static Step huber(double delta) {
        return (x, y, n) -> {
            for (int i = 0; i < n; i++) {
                double z = Math.abs(x[0][i] - x[1][i]);
                y[i] = z <= delta ? 0.5 * z * z : delta * (z - 0.5 * delta);
            }
        };
    }

    public static Step huberGradient(double delta) {
        return (x, y, n) -> {
            for (int i = 0; i < n; i++) {
                double z = x[0][i] - x[1][i];
                y[i] = Math.clamp(z, -delta, delta) * x[2][i];
            }
        };
    }

    // ---- Cross-entropies of two classes. The third operand is the weight.

    private static double log(double p) {
        return Math.max(Math.log(p), LEAST_LOG);
    }

    public static void binary(double[][] x, double[] y, int n) {
        for (int i = 0; i < n; i++) {
            double p = x[0][i];
            double t = x[1][i];
            if (!(p >= 0 && p <= 1)) {
                throw new IllegalArgumentException(
                        "all elements of the input must be from 0 to 1, but one is %s; for logits use bceWithLogits"
                                .formatted(p));
            }
            double other = Math.max(Math.log1p(-p), LEAST_LOG);
            y[i] = -x[2][i] * (t * log(p) + (1 - t) * other);
        }
    }

    public static void binaryGradient(double[][] x, double[] y, int n) {
        for (int i = 0; i < n; i++) {
            double p = x[0][i];
            double variance = Math.max((1 - p) * p, LEAST_VARIANCE);
            y[i] = x[2][i] * x[3][i] * (p - x[1][i]) / variance;
        }
    }

    public static void binaryTargetGradient(double[][] x, double[] y, int n) {
        for (int i = 0; i < n; i++) {
            double p = x[0][i];
            y[i] = x[2][i] * x[3][i] * (Math.log1p(-p) - Math.log(p));
        }
    }

    // ---- The same of scores. The third operand is the weight, the fourth that of positives.

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

    public static void logits(double[][] x, double[] y, int n) {
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

    public static void logitsGradient(double[][] x, double[] y, int n) {
        Kernels.installed().doubles().unary(Unary.SIGMOID, x[0], 0, y, 0, n);
        for (int i = 0; i < n; i++) {
            double target = x[1][i];
            double positive = x[3][i] * target;
            double slope = x[3][i] == 1 ? y[i] - target : (positive + 1 - target) * y[i] - positive;
            y[i] = x[2][i] * x[4][i] * slope;
        }
    }

    public static void logitsTargetGradient(double[][] x, double[] y, int n) {
        double[] softplus = new double[n];
        softplusOfMinus(x[0], y, softplus, n);
        for (int i = 0; i < n; i++) {
            y[i] = x[2][i] * x[4][i] * ((x[3][i] - 1) * softplus[i] - x[0][i]);
        }
    }

    // ---- Divergences of Kullback and Leibler.

    public static void divergences(double[][] x, double[] y, int n) {
        for (int i = 0; i < n; i++) {
            double t = x[1][i];
            y[i] = (t == 0 ? 0 : t * Math.log(t)) - t * x[0][i];
        }
    }

    public static void divergencesGradient(double[][] x, double[] y, int n) {
        for (int i = 0; i < n; i++) {
            y[i] = -x[1][i] * x[2][i];
        }
    }

    public static void divergencesTargetGradient(double[][] x, double[] y, int n) {
        for (int i = 0; i < n; i++) {
            y[i] = (Math.log(x[1][i]) + 1 - x[0][i]) * x[2][i];
        }
    }

    public static void logDivergences(double[][] x, double[] y, int n) {
        Kernels.installed().doubles().unary(Unary.EXP, x[1], 0, y, 0, n);
        for (int i = 0; i < n; i++) {
            y[i] *= x[1][i] - x[0][i];
        }
    }

    public static void logDivergencesGradient(double[][] x, double[] y, int n) {
        Kernels.installed().doubles().unary(Unary.EXP, x[1], 0, y, 0, n);
        for (int i = 0; i < n; i++) {
            y[i] *= -x[2][i];
        }
    }

    public static void logDivergencesTargetGradient(double[][] x, double[] y, int n) {
        Kernels.installed().doubles().unary(Unary.EXP, x[1], 0, y, 0, n);
        for (int i = 0; i < n; i++) {
            y[i] *= (x[1][i] - x[0][i] + 1) * x[2][i];
        }
    }

    /** {@return an optional weight, or ones} */
    public static Tensor orOnes(@Nullable Tensor weight, DType dtype) {
        return weight == null ? Tensor.scalar(dtype, 1) : weight;
    }
}
