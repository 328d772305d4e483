package org.gradwire.tensor.kernel;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/**
 * Kernels of float32 that are faster through the Vector API than through loops the compiler
 * vectorizes: transcendental functions, reductions, selections. Ranges shorter than a vector take
 * the plain way.
 */
final class VectorFloatElements extends FloatElements {
    private static final VectorSpecies<Float> SPECIES = FloatVector.SPECIES_PREFERRED;
    private static final int LANES = SPECIES.length();

    @Override
    public void unary(Unary function, float[] x, int xo, float[] y, int yo, int n) {
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
            Binary function, float[] a, int ao, float[] b, int bo, float[] y, int yo, int n) {
        if (function == Binary.RELU_GRADIENT && n >= LANES) {
            reluGradient(a, ao, b, bo, y, yo, n);
        } else {
            super.binary(function, a, ao, b, bo, y, yo, n);
        }
    }

    /** The lanes of the block at {@code i} that lie inside a range of {@code n}. */
    private static VectorMask<Float> inside(int i, int n) {
        return SPECIES.indexInRange(i, n);
    }

    private static void exp(float[] x, int xo, float[] y, int yo, int n) {
        int i = 0;
        for (; i <= n - LANES; i += LANES) {
            load(x, xo + i).lanewise(VectorOperators.EXP).intoArray(y, yo + i);
        }
        if (i < n) {
            var mask = inside(i, n);
            load(x, xo + i, mask).lanewise(VectorOperators.EXP).intoArray(y, yo + i, mask);
        }
    }

    private static void log(float[] x, int xo, float[] y, int yo, int n) {
        int i = 0;
        for (; i <= n - LANES; i += LANES) {
            load(x, xo + i).lanewise(VectorOperators.LOG).intoArray(y, yo + i);
        }
        if (i < n) {
            var mask = inside(i, n);
            load(x, xo + i, mask).lanewise(VectorOperators.LOG).intoArray(y, yo + i, mask);
        }
    }

    private static void cos(float[] x, int xo, float[] y, int yo, int n) {
        int i = 0;
        for (; i <= n - LANES; i += LANES) {
            load(x, xo + i).lanewise(VectorOperators.COS).intoArray(y, yo + i);
        }
        if (i < n) {
            var mask = inside(i, n);
            load(x, xo + i, mask).lanewise(VectorOperators.COS).intoArray(y, yo + i, mask);
        }
    }

    private static void sin(float[] x, int xo, float[] y, int yo, int n) {
        int i = 0;
        for (; i <= n - LANES; i += LANES) {
            load(x, xo + i).lanewise(VectorOperators.SIN).intoArray(y, yo + i);
        }
        if (i < n) {
            var mask = inside(i, n);
            load(x, xo + i, mask).lanewise(VectorOperators.SIN).intoArray(y, yo + i, mask);
        }
    }

    private static void tanh(float[] x, int xo, float[] y, int yo, int n) {
        int i = 0;
        for (; i <= n - LANES; i += LANES) {
            load(x, xo + i).lanewise(VectorOperators.TANH).intoArray(y, yo + i);
        }
        if (i < n) {
            var mask = inside(i, n);
            load(x, xo + i, mask).lanewise(VectorOperators.TANH).intoArray(y, yo + i, mask);
        }
    }

    private static void sigmoid(float[] x, int xo, float[] y, int yo, int n) {
        FloatVector one = FloatVector.broadcast(SPECIES, 1);
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
            float[] g, int go, float[] x, int xo, float[] y, int yo, int n) {
        FloatVector zero = FloatVector.zero(SPECIES);
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
    float sum(float[] x, int xo, int n) {
        FloatVector even = FloatVector.zero(SPECIES);
        FloatVector odd = even;
        int i = 0;
        for (; i <= n - 2 * LANES; i += 2 * LANES) {
            even = even.add(load(x, xo + i));
            odd = odd.add(load(x, xo + i + LANES));
        }
        float sum = even.add(odd).reduceLanes(VectorOperators.ADD);
        for (; i < n; i++) {
            sum += x[xo + i];
        }
        return sum;
    }

    @Override
    float max(float[] x, int xo, int n) {
        FloatVector best = FloatVector.broadcast(SPECIES, Float.NEGATIVE_INFINITY);
        int i = 0;
        for (; i <= n - LANES; i += LANES) {
            best = best.max(load(x, xo + i));
        }
        float max = best.reduceLanes(VectorOperators.MAX);
        for (; i < n; i++) {
            max = Math.max(max, x[xo + i]);
        }
        return max;
    }

    private static FloatVector load(float[] array, int offset) {
        return FloatVector.fromArray(SPECIES, array, offset);
    }

    private static FloatVector load(float[] array, int offset, VectorMask<Float> mask) {
        return FloatVector.fromArray(SPECIES, array, offset, mask);
    }
}
