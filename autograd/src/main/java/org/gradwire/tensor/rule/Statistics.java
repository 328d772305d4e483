package org.gradwire.tensor.rule;

import org.gradwire.tensor.DType;
import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.access.DTypeAccess;
import org.gradwire.tensor.access.TensorAccess;
import org.gradwire.tensor.kernel.Scans;
import org.gradwire.tensor.kernel.element.Binary;
import org.gradwire.tensor.kernel.element.Unary;
import org.gradwire.tensor.rule.device.DeviceScans;
import org.gradwire.tensor.storage.Shapes;

import java.util.Arrays;

/**
 * Rules of variances, norms, products, cumulative sums and {@code logsumexp}, and their gradients.
 */
public final class Statistics {
    /** Minimum number of columns for which cumulative sums process all columns at a time. */
    private static final int WIDE = 16;

    /** Squares of deviations of such a variance are exact enough in float32. */
    private static final double LEAST_VARIANCE = 1e-30;

    private Statistics() {}

    /** Return a gradient or a result with the reduced dimensions as ones. */
    public static Tensor restored(Tensor x, int[] shape, int[] dim) {
        return TensorAccess.reshaped(
                x, ReductionPlan.shape(shape, ReductionPlan.reduced(dim, shape.length), true));
    }

    /** Return the number of elements that each result is made of. */
    private static int terms(int[] shape, int[] dim) {
        boolean[] reduced = ReductionPlan.reduced(dim, shape.length);
        int terms = 1;
        for (int d = 0; d < shape.length; d++) {
            terms *= reduced[d] ? shape[d] : 1;
        }
        return terms;
    }

    public static Tensor variance(Tensor x, int[] dim, int correction, boolean keepdim) {
        if (!x.dtype().isFloating()) {
            throw new IllegalArgumentException(
                    "std and var only support floating point dtypes. Got: %s; convert it with to(dtype)"
                            .formatted(x.dtype()));
        }
        return squaredDeviations(x, dim, correction, keepdim);
    }

    private static Tensor squaredDeviations(Tensor x, int[] dim, int correction, boolean keepdim) {
        Tensor squares = Elementwise.unary(Unary.SQUARE, deviations(x, dim));
        int divisor = Math.max(terms(TensorAccess.dims(x), dim) - correction, 0);
        return ReductionRules.sum(squares, dim, keepdim).div((double) divisor);
    }

    /** Return the square root of a variance, which may itself exceed the range of float32. */
    public static Tensor deviation(Tensor x, int[] dim, int correction, boolean keepdim) {
        Tensor variance = variance(x, dim, correction, keepdim);
        if (x.dtype() == DType.FLOAT32 && leavesRange(variance)) {
            Tensor wide = Elementwise.cast(x, DType.FLOAT64);
            variance = squaredDeviations(wide, dim, correction, keepdim);
        }
        return Elementwise.cast(variance.sqrt(), x.dtype());
    }

    private static boolean leavesRange(Tensor variance) {
        for (double each : variance.toDoubleArray()) {
            if (!(each > LEAST_VARIANCE && each < Float.POSITIVE_INFINITY)) {
                return true;
            }
        }
        return false;
    }

    private static Tensor deviations(Tensor x, int[] dim) {
        Tensor sum = ReductionRules.sum(x, dim, true);
        return x.detach().sub(sum.div((double) terms(TensorAccess.dims(x), dim)));
    }

    public static Tensor varianceGradient(Tensor gradient, Tensor x, int[] dim, int correction) {
        double factor = 2.0 / (terms(TensorAccess.dims(x), dim) - correction);
        return restored(gradient, TensorAccess.dims(x), dim).mul(factor).mul(deviations(x, dim));
    }

    public static Tensor deviationGradient(
            Tensor gradient, Tensor x, Tensor result, int[] dim, int correction) {
        Tensor ofVariance = gradient.div(result.mul(2));
        Tensor kept = Indicators.keep(ofVariance, Indicators.not(Indicators.same(result, 0)));
        return varianceGradient(kept, x, dim, correction);
    }

    /** Return the p-norm over some dimensions; that of no elements is 0. */
    public static Tensor norm(Tensor x, double p, int[] dim, boolean keepdim) {
        if (!x.dtype().isFloating()) {
            throw new IllegalArgumentException(
                    "norm(): input dtype should be either floating point or complex. Got %s instead; convert it with to(dtype)"
                            .formatted(DTypeAccess.tensorType(x.dtype())));
        }
        if (x.numel() == 0) {
            return ReductionRules.sum(x, dim, keepdim);
        }
        if (p == 0) {
            return ReductionRules.sum(Indicators.not(Indicators.same(x, 0)), dim, keepdim);
        }
        if (p == 2) {
            return ReductionRules.sum(Elementwise.unary(Unary.SQUARE, x), dim, keepdim).sqrt();
        }
        Tensor sizes = Elementwise.unary(Unary.ABS, x);
        if (Double.isInfinite(p)) {
            Binary extreme = p > 0 ? Binary.MAX : Binary.MIN;
            return MinMaxRules.over("norm", extreme, sizes, dim, keepdim);
        }
        if (p == 1) {
            return ReductionRules.sum(sizes, dim, keepdim);
        }
        return ReductionRules.sum(sizes.pow(p), dim, keepdim).pow(1 / p);
    }

    public static Tensor normGradient(
            Tensor gradient, Tensor x, Tensor result, double p, int[] dim) {
        Tensor g = restored(gradient, TensorAccess.dims(x), dim);
        Tensor norm = restored(result, TensorAccess.dims(x), dim);
        if (p == 0) {
            return Tensor.zerosLike(x);
        }
        if (p == 1) {
            return signs(x).mul(g);
        }
        if (Double.isInfinite(p)) {
            return infiniteNormGradient(g, x, norm, dim);
        }
        if (p < 1) {
            Tensor powers =
                    Indicators.keep(sizes(x).pow(p - 1), Indicators.not(Indicators.same(x, 0)));
            return signs(x).mul(powers).mul(g).mul(norm.pow(1 - p));
        }
        Tensor scale = p == 2 ? g.div(norm) : g.div(norm.pow(p - 1));
        Tensor kept = Indicators.keep(scale, Indicators.not(Indicators.same(norm, 0)));
        if (p == 2) {
            return x.mul(kept);
        }
        return p < 2
                ? signs(x).mul(sizes(x).pow(p - 1)).mul(kept)
                : x.mul(sizes(x).pow(p - 2)).mul(kept);
    }

    private static Tensor infiniteNormGradient(Tensor g, Tensor x, Tensor norm, int[] dim) {
        Tensor sizes = sizes(x);
        Tensor chosen = Indicators.same(sizes, norm).add(Indicators.not(Indicators.same(x, x)));
        return signs(x).mul(g.div(ReductionRules.sum(chosen, dim, true)).mul(chosen));
    }

    private static Tensor signs(Tensor x) {
        return Elementwise.unary(Unary.SIGN, x);
    }

    private static Tensor sizes(Tensor x) {
        return Elementwise.unary(Unary.ABS, x);
    }

    public static Tensor product(Tensor x, int[] dim, boolean keepdim) {
        return MinMaxRules.product(
                x, ReductionPlan.reduced(dim, TensorAccess.dims(x).length), keepdim);
    }

    /**
     * Return the gradient of a product: of each element the product of the others, which is zero
     * where another is zero.
     */
    public static Tensor productGradient(Tensor gradient, Tensor x, Tensor result, int[] dim) {
        Tensor g = restored(gradient, TensorAccess.dims(x), dim);
        Tensor zeros = Indicators.same(x, 0);
        Tensor filled = x.add(zeros);
        Tensor count = ReductionRules.sum(zeros, dim, true);
        Tensor quotients =
                Indicators.keep(
                        restored(result, TensorAccess.dims(x), dim).div(filled),
                        Indicators.same(count, 0));
        Tensor others = product(filled, dim, true);
        Tensor only = Indicators.same(count, 1);
        return g.mul(quotients.add(Indicators.keep(others, zeros.mul(only))));
    }

    /** Return the cumulative sum along a dimension; int64 for integers. */
    public static Tensor runningSum(Tensor x, int dim, boolean backwards) {
        int d = Shapes.dimension(dim, TensorAccess.dims(x).length);
        Tensor from = x.dtype().isFloating() ? x : Elementwise.cast(x, DType.INT64);
        Tensor to = TensorAccess.fresh(from.dtype(), TensorAccess.dims(x));
        if (x.numel() == 0 || TensorAccess.dims(x).length == 0) {
            Elementwise.copyInto(to, from);
            return to;
        }
        if (!DeviceScans.sums(from, to, d, backwards)) {
            runningSumOnHost(from, to, d, backwards);
        }
        return to;
    }

    private static void runningSumOnHost(Tensor x, Tensor to, int d, boolean backwards) {
        int outer = Shapes.count(Arrays.copyOf(TensorAccess.dims(x), d));
        int inner =
                Shapes.count(
                        Arrays.copyOfRange(
                                TensorAccess.dims(x), d + 1, TensorAccess.dims(x).length));
        if (inner >= WIDE) {
            int[] sizes = {outer, TensorAccess.dims(x)[d], inner};
            Scans.middle(
                    DTypeAccess.elements(x.dtype()),
                    sizes,
                    backwards,
                    TensorAccess.strided(x),
                    TensorAccess.strided(to));
        } else {
            int[] order = ReductionRules.lastDimension(x, d);
            Scans.rows(
                    DTypeAccess.elements(x.dtype()),
                    TensorAccess.dims(x)[d],
                    backwards,
                    TensorAccess.strided(TensorAccess.permuted(x, order)),
                    TensorAccess.strided(TensorAccess.permuted(to, order)));
        }
    }

    /** Return {@code log(sum(exp(x)))}, computed from the largest one on. */
    public static Tensor logSumExp(Tensor scores, int[] dim, boolean keepdim) {
        Tensor x = Elementwise.cast(scores.detach(), DTypeAccess.orFloating(scores.dtype()));
        if (terms(TensorAccess.dims(x), dim) == 0) {
            return ReductionRules.sum(x, dim, keepdim).log();
        }
        Tensor largest = MinMaxRules.over("logsumexp", Binary.MAX, x, dim, true);
        Tensor infinite = Indicators.same(sizes(largest), Double.POSITIVE_INFINITY);
        Tensor from = Indicators.keep(largest, Indicators.not(infinite));
        Tensor sums = ReductionRules.sum(x.sub(from).exp(), dim, keepdim).log();
        return sums.add(TensorAccess.reshaped(from, TensorAccess.dims(sums)));
    }
}
