package org.gradwire.tensor;

import org.gradwire.tensor.kernel.Binary;
import org.gradwire.tensor.kernel.Scans;
import org.gradwire.tensor.kernel.Unary;

import java.util.Arrays;

/** Forward rules of variances, products, running sums and the like, and their gradients. */
final class Statistics {
    /** From so many columns on, running sums go through all of them at a time. */
    private static final int WIDE = 16;

    /** Squares of deviations of such a variance are exact enough in float32. */
    private static final double LEAST_VARIANCE = 1e-30;

    private Statistics() {}

    /** Return a gradient or a result with the dimensions that went away, as ones. */
    static Tensor restored(Tensor x, int[] shape, int[] dim) {
        return x.reshaped(
                ReductionPlan.shape(shape, ReductionPlan.reduced(dim, shape.length), true));
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

    static Tensor variance(Tensor x, int[] dim, int correction, boolean keepdim) {
        if (!x.dtype().isFloating()) {
            throw new IllegalArgumentException(
                    "std and var only support floating point dtypes. Got: %s; convert it with to(dtype)"
                            .formatted(x.dtype()));
        }
        return squaredDeviations(x, dim, correction, keepdim);
    }

    private static Tensor squaredDeviations(Tensor x, int[] dim, int correction, boolean keepdim) {
        Tensor squares = Elementwise.unary(Unary.SQUARE, deviations(x, dim));
        int divisor = Math.max(terms(x.dims, dim) - correction, 0);
        return Reductions.sum(squares, dim, keepdim).div((double) divisor);
    }

    /** Return the square root of a variance, which may itself be beyond what float32 holds. */
    static Tensor deviation(Tensor x, int[] dim, int correction, boolean keepdim) {
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
        Tensor sum = Reductions.sum(x, dim, true);
        return x.detach().sub(sum.div((double) terms(x.dims, dim)));
    }

    static Tensor varianceGradient(Tensor gradient, Tensor x, int[] dim, int correction) {
        double factor = 2.0 / (terms(x.dims, dim) - correction);
        return restored(gradient, x.dims, dim).mul(factor).mul(deviations(x, dim));
    }

    static Tensor deviationGradient(
            Tensor gradient, Tensor x, Tensor result, int[] dim, int correction) {
        Tensor ofVariance = gradient.div(result.mul(2));
        Tensor kept = Masks.keep(ofVariance, Masks.not(Masks.same(result, 0)));
        return varianceGradient(kept, x, dim, correction);
    }

    /** Return the p-norm over some dimensions; that of no elements is 0. */
    static Tensor norm(Tensor x, double p, int[] dim, boolean keepdim) {
        if (!x.dtype().isFloating()) {
            throw new IllegalArgumentException(
                    "norm(): input dtype should be either floating point or complex. Got %s instead; convert it with to(dtype)"
                            .formatted(x.dtype().tensorType()));
        }
        if (x.numel() == 0) {
            return Reductions.sum(x, dim, keepdim);
        }
        if (p == 0) {
            return Reductions.sum(Masks.not(Masks.same(x, 0)), dim, keepdim);
        }
        if (p == 2) {
            return Reductions.sum(Elementwise.unary(Unary.SQUARE, x), dim, keepdim).sqrt();
        }
        Tensor sizes = Elementwise.unary(Unary.ABS, x);
        if (Double.isInfinite(p)) {
            Binary extreme = p > 0 ? Binary.MAX : Binary.MIN;
            return Extremes.over("norm", extreme, sizes, dim, keepdim);
        }
        if (p == 1) {
            return Reductions.sum(sizes, dim, keepdim);
        }
        return Reductions.sum(sizes.pow(p), dim, keepdim).pow(1 / p);
    }

    static Tensor normGradient(Tensor gradient, Tensor x, Tensor result, double p, int[] dim) {
        Tensor g = restored(gradient, x.dims, dim);
        Tensor norm = restored(result, x.dims, dim);
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
            Tensor powers = Masks.keep(sizes(x).pow(p - 1), Masks.not(Masks.same(x, 0)));
            return signs(x).mul(powers).mul(g).mul(norm.pow(1 - p));
        }
        Tensor scale = p == 2 ? g.div(norm) : g.div(norm.pow(p - 1));
        Tensor kept = Masks.keep(scale, Masks.not(Masks.same(norm, 0)));
        if (p == 2) {
            return x.mul(kept);
        }
        return p < 2
                ? signs(x).mul(sizes(x).pow(p - 1)).mul(kept)
                : x.mul(sizes(x).pow(p - 2)).mul(kept);
    }

    private static Tensor infiniteNormGradient(Tensor g, Tensor x, Tensor norm, int[] dim) {
        Tensor sizes = sizes(x);
        Tensor chosen = Masks.same(sizes, norm).add(Masks.not(Masks.same(x, x)));
        return signs(x).mul(g.div(Reductions.sum(chosen, dim, true)).mul(chosen));
    }

    private static Tensor signs(Tensor x) {
        return Elementwise.unary(Unary.SIGN, x);
    }

    private static Tensor sizes(Tensor x) {
        return Elementwise.unary(Unary.ABS, x);
    }

    static Tensor product(Tensor x, int[] dim, boolean keepdim) {
        return Extremes.product(x, ReductionPlan.reduced(dim, x.dims.length), keepdim);
    }

    /**
     * Return the gradient of a product: of each element the product of the others, which is zero
     * where another is zero.
     */
    static Tensor productGradient(Tensor gradient, Tensor x, Tensor result, int[] dim) {
        Tensor g = restored(gradient, x.dims, dim);
        Tensor zeros = Masks.same(x, 0);
        Tensor filled = x.add(zeros);
        Tensor count = Reductions.sum(zeros, dim, true);
        Tensor quotients =
                Masks.keep(restored(result, x.dims, dim).div(filled), Masks.same(count, 0));
        Tensor others = product(filled, dim, true);
        Tensor only = Masks.same(count, 1);
        return g.mul(quotients.add(Masks.keep(others, zeros.mul(only))));
    }

    /** Return running sums along a dimension; whole numbers give int64. */
    static Tensor runningSum(Tensor x, int dim, boolean backwards) {
        int d = Shapes.dimension(dim, x.dims.length);
        Tensor from = x.dtype().isFloating() ? x : Elementwise.cast(x, DType.INT64);
        Tensor to = Tensor.fresh(from.dtype(), x.dims);
        if (x.numel() == 0 || x.dims.length == 0) {
            Elementwise.copyInto(to, from);
            return to;
        }
        int outer = Shapes.count(Arrays.copyOf(x.dims, d));
        int inner = Shapes.count(Arrays.copyOfRange(x.dims, d + 1, x.dims.length));
        if (inner >= WIDE) {
            int[] sizes = {outer, x.dims[d], inner};
            Scans.middle(from.dtype().elements(), sizes, backwards, from.strided(), to.strided());
        } else {
            int[] order = Reductions.lastDimension(x, d);
            Scans.rows(
                    from.dtype().elements(),
                    x.dims[d],
                    backwards,
                    from.permuted(order).strided(),
                    to.permuted(order).strided());
        }
        return to;
    }

    /** Return {@code log(sum(exp(x)))}, computed from the largest one on. */
    static Tensor logSumExp(Tensor scores, int[] dim, boolean keepdim) {
        Tensor x = Elementwise.cast(scores.detach(), scores.dtype().orFloating());
        if (terms(x.dims, dim) == 0) {
            return Reductions.sum(x, dim, keepdim).log();
        }
        Tensor largest = Extremes.over("logsumexp", Binary.MAX, x, dim, true);
        Tensor infinite = Masks.same(sizes(largest), Double.POSITIVE_INFINITY);
        Tensor from = Masks.keep(largest, Masks.not(infinite));
        Tensor sums = Reductions.sum(x.sub(from).exp(), dim, keepdim).log();
        return sums.add(from.reshaped(sums.dims));
    }
}
