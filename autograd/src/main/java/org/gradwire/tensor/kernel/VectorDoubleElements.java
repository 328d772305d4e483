package org.gradwire.tensor.kernel;

import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/**
 * Kernels of float64 that are faster through the Vector API than through loops the compiler
 * vectorizes: transcendental functions, reductions, selections. Ranges shorter than a vector take
 * the plain way.
 */
final class VectorDoubleElements extends DoubleElements {
    private static final VectorSpecies<Double> SPECIES = DoubleVector.SPECIES_PREFERRED;
    private static final int LANES = SPECIES.length();

    @Override
    public void unary(Unary function, double[] x, int xo, double[] y, int yo, int n) {
        if (n < LANES) {
            super.unary(function, x, xo, y, yo, n);
            return;
        }
        switch (function) {
            case EXP -> exp(x, xo, y, yo, n);
            case LOG -> log(x, xo, y, yo, n);
            case COS -> cos(x, xo, y, yo, n);
            case SIN -> sin(x, xo, y, yo, n);
            case TANH -> tanh(x, xo, y, yo, n);
            case SIGMOID -> sigmoid(x, xo, y, yo, n);
            default -> super.unary(function, x, xo, y, yo, n);
        }
    }

    @Override
    public void binary(
            Binary function, double[] a, int ao, double[] b, int bo, double[] y, int yo, int n) {
        if (function == Binary.RELU_GRADIENT && n >= LANES) {
            reluGradient(a, ao, b, bo, y, yo, n);
        } else {
            super.binary(function, a, ao, b, bo, y, yo, n);
        }
    }

    /** The lanes of the block at {@code i} that lie inside a range of {@code n}. */
    private static VectorMask<Double> inside(int i, int n) {
        return SPECIES.indexInRange(i, n);
    }

    private static void exp(double[] x, int xo, double[] y, int yo, int n) {
        int i = 0;
        for (; i <= n - LANES; i += LANES) {
            load(x, xo + i).lanewise(VectorOperators.EXP).intoArray(y, yo + i);
        }
        if (i < n) {
            var mask = inside(i, n);
            load(x, xo + i, mask).lanewise(VectorOperators.EXP).intoArray(y, yo + i, mask);
        }
    }

    private static void log(double[] x, int xo, double[] y, int yo, int n) {
        int i = 0;
        for (; i <= n - LANES; i += LANES) {
            load(x, xo + i).lanewise(VectorOperators.LOG).intoArray(y, yo + i);
        }
        if (i < n) {
            var mask = inside(i, n);
            load(x, xo + i, mask).lanewise(VectorOperators.LOG).intoArray(y, yo + i, mask);
        }
    }

    private static void cos(double[] x, int xo, double[] y, int yo, int n) {
        int i = 0;
        for (; i <= n - LANES; i += LANES) {
            load(x, xo + i).lanewise(VectorOperators.COS).intoArray(y, yo + i);
        }
        if (i < n) {
            var mask = inside(i, n);
            load(x, xo + i, mask).lanewise(VectorOperators.COS).intoArray(y, yo + i, mask);
        }
    }

    private static void sin(double[] x, int xo, double[] y, int yo, int n) {
        int i = 0;
        for (; i <= n - LANES; i += LANES) {
            load(x, xo + i).lanewise(VectorOperators.SIN).intoArray(y, yo + i);
        }
        if (i < n) {
            var mask = inside(i, n);
            load(x, xo + i, mask).lanewise(VectorOperators.SIN).intoArray(y, yo + i, mask);
        }
    }

    private static void tanh(double[] x, int xo, double[] y, int yo, int n) {
        int i = 0;
        for (; i <= n - LANES; i += LANES) {
            load(x, xo + i).lanewise(VectorOperators.TANH).intoArray(y, yo + i);
        }
        if (i < n) {
            var mask = inside(i, n);
            load(x, xo + i, mask).lanewise(VectorOperators.TANH).intoArray(y, yo + i, mask);
        }
    }

    private static void sigmoid(double[] x, int xo, double[] y, int yo, int n) {
        DoubleVector one = DoubleVector.broadcast(SPECIES, 1);
        int i = 0;
        for (; i <= n - LANES; i += LANES) {
            var power = load(x, xo + i).neg().lanewise(VectorOperators.EXP);
            one.div(power.add(one)).intoArray(y, yo + i);
        }
        if (i < n) {
            var mask = inside(i, n);
            var power = load(x, xo + i, mask).neg().lanewise(VectorOperators.EXP);
            one.div(power.add(one)).intoArray(y, yo + i, mask);
        }
    }

    private static void reluGradient(
            double[] g, int go, double[] x, int xo, double[] y, int yo, int n) {
        DoubleVector zero = DoubleVector.zero(SPECIES);
        int i = 0;
        for (; i <= n - LANES; i += LANES) {
            var positive = load(x, xo + i).compare(VectorOperators.GT, 0);
            zero.blend(load(g, go + i), positive).intoArray(y, yo + i);
        }
        if (i < n) {
            var mask = inside(i, n);
            var positive = load(x, xo + i, mask).compare(VectorOperators.GT, 0);
            zero.blend(load(g, go + i, mask), positive).intoArray(y, yo + i, mask);
        }
    }

    @Override
    double sum(double[] x, int xo, int n) {
        DoubleVector even = DoubleVector.zero(SPECIES);
        DoubleVector odd = even;
        int i = 0;
        for (; i <= n - 2 * LANES; i += 2 * LANES) {
            even = even.add(load(x, xo + i));
            odd = odd.add(load(x, xo + i + LANES));
        }
        double sum = even.add(odd).reduceLanes(VectorOperators.ADD);
        for (; i < n; i++) {
            sum += x[xo + i];
        }
        return sum;
    }

    @Override
    double max(double[] x, int xo, int n) {
        DoubleVector best = DoubleVector.broadcast(SPECIES, Double.NEGATIVE_INFINITY);
        int i = 0;
        for (; i <= n - LANES; i += LANES) {
            best = best.max(load(x, xo + i));
        }
        double max = best.reduceLanes(VectorOperators.MAX);
        for (; i < n; i++) {
            max = Math.max(max, x[xo + i]);
        }
        return max;
    }

    private static DoubleVector load(double[] array, int offset) {
        return DoubleVector.fromArray(SPECIES, array, offset);
    }

    private static DoubleVector load(double[] array, int offset, VectorMask<Double> mask) {
        return DoubleVector.fromArray(SPECIES, array, offset, mask);
    }
}
