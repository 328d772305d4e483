package org.gradwire.tensor.kernel.vector;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/** Rounding, signs and comparisons of float32 through the Vector API. */
final class VectorFloatRounding {
    private static final VectorSpecies<Float> SPECIES = FloatVector.SPECIES_PREFERRED;
    private static final int LANES = SPECIES.length();
    private static final FloatVector ZERO = FloatVector.zero(SPECIES);
    private static final FloatVector ONE = FloatVector.broadcast(SPECIES, 1);
    private static final float WHOLE = 1 << 23;

    private VectorFloatRounding() {}

    static void abs(float[] x, int xo, float[] y, int yo, int n) {
        int i = 0;
        for (; i <= n - LANES; i += LANES) {
            FloatVector v = load(x, xo + i);
            v.abs().intoArray(y, yo + i);
        }
        if (i < n) {
            VectorMask<Float> mask = SPECIES.indexInRange(i, n);
            FloatVector v = load(x, xo + i, mask);
            v.abs().intoArray(y, yo + i, mask);
        }
    }

    static void sign(float[] x, int xo, float[] y, int yo, int n) {
        int i = 0;
        for (; i <= n - LANES; i += LANES) {
            FloatVector v = load(x, xo + i);
            signOf(v).intoArray(y, yo + i);
        }
        if (i < n) {
            VectorMask<Float> mask = SPECIES.indexInRange(i, n);
            FloatVector v = load(x, xo + i, mask);
            signOf(v).intoArray(y, yo + i, mask);
        }
    }

    static void square(float[] x, int xo, float[] y, int yo, int n) {
        int i = 0;
        for (; i <= n - LANES; i += LANES) {
            FloatVector v = load(x, xo + i);
            v.mul(v).intoArray(y, yo + i);
        }
        if (i < n) {
            VectorMask<Float> mask = SPECIES.indexInRange(i, n);
            FloatVector v = load(x, xo + i, mask);
            v.mul(v).intoArray(y, yo + i, mask);
        }
    }

    static void reciprocal(float[] x, int xo, float[] y, int yo, int n) {
        int i = 0;
        for (; i <= n - LANES; i += LANES) {
            FloatVector v = load(x, xo + i);
            ONE.div(v).intoArray(y, yo + i);
        }
        if (i < n) {
            VectorMask<Float> mask = SPECIES.indexInRange(i, n);
            FloatVector v = load(x, xo + i, mask);
            ONE.div(v).intoArray(y, yo + i, mask);
        }
    }

    static void rsqrt(float[] x, int xo, float[] y, int yo, int n) {
        int i = 0;
        for (; i <= n - LANES; i += LANES) {
            FloatVector v = load(x, xo + i);
            ONE.div(v.sqrt()).intoArray(y, yo + i);
        }
        if (i < n) {
            VectorMask<Float> mask = SPECIES.indexInRange(i, n);
            FloatVector v = load(x, xo + i, mask);
            ONE.div(v.sqrt()).intoArray(y, yo + i, mask);
        }
    }

    static void round(float[] x, int xo, float[] y, int yo, int n) {
        int i = 0;
        for (; i <= n - LANES; i += LANES) {
            FloatVector v = load(x, xo + i);
            rint(v).intoArray(y, yo + i);
        }
        if (i < n) {
            VectorMask<Float> mask = SPECIES.indexInRange(i, n);
            FloatVector v = load(x, xo + i, mask);
            rint(v).intoArray(y, yo + i, mask);
        }
    }

    static void floor(float[] x, int xo, float[] y, int yo, int n) {
        int i = 0;
        for (; i <= n - LANES; i += LANES) {
            FloatVector v = load(x, xo + i);
            floorOf(v).intoArray(y, yo + i);
        }
        if (i < n) {
            VectorMask<Float> mask = SPECIES.indexInRange(i, n);
            FloatVector v = load(x, xo + i, mask);
            floorOf(v).intoArray(y, yo + i, mask);
        }
    }

    static void ceil(float[] x, int xo, float[] y, int yo, int n) {
        int i = 0;
        for (; i <= n - LANES; i += LANES) {
            FloatVector v = load(x, xo + i);
            ceilOf(v).intoArray(y, yo + i);
        }
        if (i < n) {
            VectorMask<Float> mask = SPECIES.indexInRange(i, n);
            FloatVector v = load(x, xo + i, mask);
            ceilOf(v).intoArray(y, yo + i, mask);
        }
    }

    static void trunc(float[] x, int xo, float[] y, int yo, int n) {
        int i = 0;
        for (; i <= n - LANES; i += LANES) {
            FloatVector v = load(x, xo + i);
            truncOf(v).intoArray(y, yo + i);
        }
        if (i < n) {
            VectorMask<Float> mask = SPECIES.indexInRange(i, n);
            FloatVector v = load(x, xo + i, mask);
            truncOf(v).intoArray(y, yo + i, mask);
        }
    }

    static void max(float[] a, int ao, float[] b, int bo, float[] y, int yo, int n) {
        int i = 0;
        for (; i <= n - LANES; i += LANES) {
            FloatVector v = load(a, ao + i);
            FloatVector w = load(b, bo + i);
            v.max(w).intoArray(y, yo + i);
        }
        if (i < n) {
            VectorMask<Float> mask = SPECIES.indexInRange(i, n);
            FloatVector v = load(a, ao + i, mask);
            FloatVector w = load(b, bo + i, mask);
            v.max(w).intoArray(y, yo + i, mask);
        }
    }

    static void min(float[] a, int ao, float[] b, int bo, float[] y, int yo, int n) {
        int i = 0;
        for (; i <= n - LANES; i += LANES) {
            FloatVector v = load(a, ao + i);
            FloatVector w = load(b, bo + i);
            v.min(w).intoArray(y, yo + i);
        }
        if (i < n) {
            VectorMask<Float> mask = SPECIES.indexInRange(i, n);
            FloatVector v = load(a, ao + i, mask);
            FloatVector w = load(b, bo + i, mask);
            v.min(w).intoArray(y, yo + i, mask);
        }
    }

    static void same(float[] a, int ao, float[] b, int bo, float[] y, int yo, int n) {
        int i = 0;
        for (; i <= n - LANES; i += LANES) {
            FloatVector v = load(a, ao + i);
            FloatVector w = load(b, bo + i);
            ZERO.blend(1, v.compare(VectorOperators.EQ, w)).intoArray(y, yo + i);
        }
        if (i < n) {
            VectorMask<Float> mask = SPECIES.indexInRange(i, n);
            FloatVector v = load(a, ao + i, mask);
            FloatVector w = load(b, bo + i, mask);
            ZERO.blend(1, v.compare(VectorOperators.EQ, w)).intoArray(y, yo + i, mask);
        }
    }

    static void atLeast(float[] a, int ao, float[] b, int bo, float[] y, int yo, int n) {
        int i = 0;
        for (; i <= n - LANES; i += LANES) {
            FloatVector v = load(a, ao + i);
            FloatVector w = load(b, bo + i);
            ZERO.blend(1, v.compare(VectorOperators.GE, w)).intoArray(y, yo + i);
        }
        if (i < n) {
            VectorMask<Float> mask = SPECIES.indexInRange(i, n);
            FloatVector v = load(a, ao + i, mask);
            FloatVector w = load(b, bo + i, mask);
            ZERO.blend(1, v.compare(VectorOperators.GE, w)).intoArray(y, yo + i, mask);
        }
    }

    static void leakyRelu(float[] a, int ao, float[] b, int bo, float[] y, int yo, int n) {
        int i = 0;
        for (; i <= n - LANES; i += LANES) {
            FloatVector v = load(a, ao + i);
            FloatVector w = load(b, bo + i);
            v.mul(w).blend(v, v.compare(VectorOperators.GT, 0)).intoArray(y, yo + i);
        }
        if (i < n) {
            VectorMask<Float> mask = SPECIES.indexInRange(i, n);
            FloatVector v = load(a, ao + i, mask);
            FloatVector w = load(b, bo + i, mask);
            v.mul(w).blend(v, v.compare(VectorOperators.GT, 0)).intoArray(y, yo + i, mask);
        }
    }

    static void leakySlope(float[] a, int ao, float[] b, int bo, float[] y, int yo, int n) {
        int i = 0;
        for (; i <= n - LANES; i += LANES) {
            FloatVector v = load(a, ao + i);
            FloatVector w = load(b, bo + i);
            w.blend(1, v.compare(VectorOperators.GT, 0)).intoArray(y, yo + i);
        }
        if (i < n) {
            VectorMask<Float> mask = SPECIES.indexInRange(i, n);
            FloatVector v = load(a, ao + i, mask);
            FloatVector w = load(b, bo + i, mask);
            w.blend(1, v.compare(VectorOperators.GT, 0)).intoArray(y, yo + i, mask);
        }
    }

    /** Adding and taking away a number without room for fractions rounds half to even. */
    private static FloatVector rint(FloatVector v) {
        FloatVector size = v.abs();
        FloatVector whole = size.add(WHOLE).sub(WHOLE);
        return withSign(v.blend(whole, size.compare(VectorOperators.LT, WHOLE)), v);
    }

    private static FloatVector floorOf(FloatVector v) {
        FloatVector r = rint(v);
        return withSign(r.sub(1, r.compare(VectorOperators.GT, v)), v);
    }

    private static FloatVector ceilOf(FloatVector v) {
        FloatVector r = rint(v);
        return withSign(r.add(1, r.compare(VectorOperators.LT, v)), v);
    }

    private static FloatVector truncOf(FloatVector v) {
        return withSign(floorOf(v.abs()), v);
    }

    /** Give a number the sign of another, zeros included. */
    static FloatVector withSign(FloatVector size, FloatVector sign) {
        return size.reinterpretAsInts()
                .lanewise(VectorOperators.AND, Integer.MAX_VALUE)
                .lanewise(
                        VectorOperators.OR,
                        sign.reinterpretAsInts().lanewise(VectorOperators.AND, Integer.MIN_VALUE))
                .reinterpretAsFloats();
    }

    private static FloatVector signOf(FloatVector v) {
        return ZERO.blend(1, v.compare(VectorOperators.GT, 0))
                .blend(-1, v.compare(VectorOperators.LT, 0));
    }

    private static FloatVector load(float[] array, int offset) {
        return FloatVector.fromArray(SPECIES, array, offset);
    }

    private static FloatVector load(float[] array, int offset, VectorMask<Float> mask) {
        return FloatVector.fromArray(SPECIES, array, offset, mask);
    }
}
