package org.gradwire.tensor.kernel.vector;

import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/** Rounding, signs and comparisons of float64 through the Vector API. */
final class VectorDoubleRounding {
    private static final VectorSpecies<Double> SPECIES = DoubleVector.SPECIES_PREFERRED;
    private static final int LANES = SPECIES.length();
    private static final DoubleVector ZERO = DoubleVector.zero(SPECIES);
    private static final DoubleVector ONE = DoubleVector.broadcast(SPECIES, 1);
    private static final double WHOLE = 1L << 52;

    private VectorDoubleRounding() {}

    static void abs(double[] x, int xo, double[] y, int yo, int n) {
        int i = 0;
        for (; i <= n - LANES; i += LANES) {
            DoubleVector v = load(x, xo + i);
            v.abs().intoArray(y, yo + i);
        }
        if (i < n) {
            VectorMask<Double> mask = SPECIES.indexInRange(i, n);
            DoubleVector v = load(x, xo + i, mask);
            v.abs().intoArray(y, yo + i, mask);
        }
    }

    static void sign(double[] x, int xo, double[] y, int yo, int n) {
        int i = 0;
        for (; i <= n - LANES; i += LANES) {
            DoubleVector v = load(x, xo + i);
            signOf(v).intoArray(y, yo + i);
        }
        if (i < n) {
            VectorMask<Double> mask = SPECIES.indexInRange(i, n);
            DoubleVector v = load(x, xo + i, mask);
            signOf(v).intoArray(y, yo + i, mask);
        }
    }

    static void square(double[] x, int xo, double[] y, int yo, int n) {
        int i = 0;
        for (; i <= n - LANES; i += LANES) {
            DoubleVector v = load(x, xo + i);
            v.mul(v).intoArray(y, yo + i);
        }
        if (i < n) {
            VectorMask<Double> mask = SPECIES.indexInRange(i, n);
            DoubleVector v = load(x, xo + i, mask);
            v.mul(v).intoArray(y, yo + i, mask);
        }
    }

    static void reciprocal(double[] x, int xo, double[] y, int yo, int n) {
        int i = 0;
        for (; i <= n - LANES; i += LANES) {
            DoubleVector v = load(x, xo + i);
            ONE.div(v).intoArray(y, yo + i);
        }
        if (i < n) {
            VectorMask<Double> mask = SPECIES.indexInRange(i, n);
            DoubleVector v = load(x, xo + i, mask);
            ONE.div(v).intoArray(y, yo + i, mask);
        }
    }

    static void rsqrt(double[] x, int xo, double[] y, int yo, int n) {
        int i = 0;
        for (; i <= n - LANES; i += LANES) {
            DoubleVector v = load(x, xo + i);
            ONE.div(v.sqrt()).intoArray(y, yo + i);
        }
        if (i < n) {
            VectorMask<Double> mask = SPECIES.indexInRange(i, n);
            DoubleVector v = load(x, xo + i, mask);
            ONE.div(v.sqrt()).intoArray(y, yo + i, mask);
        }
    }

    static void round(double[] x, int xo, double[] y, int yo, int n) {
        int i = 0;
        for (; i <= n - LANES; i += LANES) {
            DoubleVector v = load(x, xo + i);
            rint(v).intoArray(y, yo + i);
        }
        if (i < n) {
            VectorMask<Double> mask = SPECIES.indexInRange(i, n);
            DoubleVector v = load(x, xo + i, mask);
            rint(v).intoArray(y, yo + i, mask);
        }
    }

    static void floor(double[] x, int xo, double[] y, int yo, int n) {
        int i = 0;
        for (; i <= n - LANES; i += LANES) {
            DoubleVector v = load(x, xo + i);
            floorOf(v).intoArray(y, yo + i);
        }
        if (i < n) {
            VectorMask<Double> mask = SPECIES.indexInRange(i, n);
            DoubleVector v = load(x, xo + i, mask);
            floorOf(v).intoArray(y, yo + i, mask);
        }
    }

    static void ceil(double[] x, int xo, double[] y, int yo, int n) {
        int i = 0;
        for (; i <= n - LANES; i += LANES) {
            DoubleVector v = load(x, xo + i);
            ceilOf(v).intoArray(y, yo + i);
        }
        if (i < n) {
            VectorMask<Double> mask = SPECIES.indexInRange(i, n);
            DoubleVector v = load(x, xo + i, mask);
            ceilOf(v).intoArray(y, yo + i, mask);
        }
    }

    static void trunc(double[] x, int xo, double[] y, int yo, int n) {
        int i = 0;
        for (; i <= n - LANES; i += LANES) {
            DoubleVector v = load(x, xo + i);
            truncOf(v).intoArray(y, yo + i);
        }
        if (i < n) {
            VectorMask<Double> mask = SPECIES.indexInRange(i, n);
            DoubleVector v = load(x, xo + i, mask);
            truncOf(v).intoArray(y, yo + i, mask);
        }
    }

    static void max(double[] a, int ao, double[] b, int bo, double[] y, int yo, int n) {
        int i = 0;
        for (; i <= n - LANES; i += LANES) {
            DoubleVector v = load(a, ao + i);
            DoubleVector w = load(b, bo + i);
            v.max(w).intoArray(y, yo + i);
        }
        if (i < n) {
            VectorMask<Double> mask = SPECIES.indexInRange(i, n);
            DoubleVector v = load(a, ao + i, mask);
            DoubleVector w = load(b, bo + i, mask);
            v.max(w).intoArray(y, yo + i, mask);
        }
    }

    static void min(double[] a, int ao, double[] b, int bo, double[] y, int yo, int n) {
        int i = 0;
        for (; i <= n - LANES; i += LANES) {
            DoubleVector v = load(a, ao + i);
            DoubleVector w = load(b, bo + i);
            v.min(w).intoArray(y, yo + i);
        }
        if (i < n) {
            VectorMask<Double> mask = SPECIES.indexInRange(i, n);
            DoubleVector v = load(a, ao + i, mask);
            DoubleVector w = load(b, bo + i, mask);
            v.min(w).intoArray(y, yo + i, mask);
        }
    }

    static void same(double[] a, int ao, double[] b, int bo, double[] y, int yo, int n) {
        int i = 0;
        for (; i <= n - LANES; i += LANES) {
            DoubleVector v = load(a, ao + i);
            DoubleVector w = load(b, bo + i);
            ZERO.blend(1, v.compare(VectorOperators.EQ, w)).intoArray(y, yo + i);
        }
        if (i < n) {
            VectorMask<Double> mask = SPECIES.indexInRange(i, n);
            DoubleVector v = load(a, ao + i, mask);
            DoubleVector w = load(b, bo + i, mask);
            ZERO.blend(1, v.compare(VectorOperators.EQ, w)).intoArray(y, yo + i, mask);
        }
    }

    static void atLeast(double[] a, int ao, double[] b, int bo, double[] y, int yo, int n) {
        int i = 0;
        for (; i <= n - LANES; i += LANES) {
            DoubleVector v = load(a, ao + i);
            DoubleVector w = load(b, bo + i);
            ZERO.blend(1, v.compare(VectorOperators.GE, w)).intoArray(y, yo + i);
        }
        if (i < n) {
            VectorMask<Double> mask = SPECIES.indexInRange(i, n);
            DoubleVector v = load(a, ao + i, mask);
            DoubleVector w = load(b, bo + i, mask);
            ZERO.blend(1, v.compare(VectorOperators.GE, w)).intoArray(y, yo + i, mask);
        }
    }

    static void leakyRelu(double[] a, int ao, double[] b, int bo, double[] y, int yo, int n) {
        int i = 0;
        for (; i <= n - LANES; i += LANES) {
            DoubleVector v = load(a, ao + i);
            DoubleVector w = load(b, bo + i);
            v.mul(w).blend(v, v.compare(VectorOperators.GT, 0)).intoArray(y, yo + i);
        }
        if (i < n) {
            VectorMask<Double> mask = SPECIES.indexInRange(i, n);
            DoubleVector v = load(a, ao + i, mask);
            DoubleVector w = load(b, bo + i, mask);
            v.mul(w).blend(v, v.compare(VectorOperators.GT, 0)).intoArray(y, yo + i, mask);
        }
    }

    static void leakySlope(double[] a, int ao, double[] b, int bo, double[] y, int yo, int n) {
        int i = 0;
        for (; i <= n - LANES; i += LANES) {
            DoubleVector v = load(a, ao + i);
            DoubleVector w = load(b, bo + i);
            w.blend(1, v.compare(VectorOperators.GT, 0)).intoArray(y, yo + i);
        }
        if (i < n) {
            VectorMask<Double> mask = SPECIES.indexInRange(i, n);
            DoubleVector v = load(a, ao + i, mask);
            DoubleVector w = load(b, bo + i, mask);
            w.blend(1, v.compare(VectorOperators.GT, 0)).intoArray(y, yo + i, mask);
        }
    }

    /** Adding and taking away a number without room for fractions rounds half to even. */
    private static DoubleVector rint(DoubleVector v) {
        DoubleVector size = v.abs();
        DoubleVector whole = size.add(WHOLE).sub(WHOLE);
        return withSign(v.blend(whole, size.compare(VectorOperators.LT, WHOLE)), v);
    }

    private static DoubleVector floorOf(DoubleVector v) {
        DoubleVector r = rint(v);
        return withSign(r.sub(1, r.compare(VectorOperators.GT, v)), v);
    }

    private static DoubleVector ceilOf(DoubleVector v) {
        DoubleVector r = rint(v);
        return withSign(r.add(1, r.compare(VectorOperators.LT, v)), v);
    }

    private static DoubleVector truncOf(DoubleVector v) {
        return withSign(floorOf(v.abs()), v);
    }

    /** Give a number the sign of another, zeros included. */
    static DoubleVector withSign(DoubleVector size, DoubleVector sign) {
        return size.reinterpretAsLongs()
                .lanewise(VectorOperators.AND, Long.MAX_VALUE)
                .lanewise(
                        VectorOperators.OR,
                        sign.reinterpretAsLongs().lanewise(VectorOperators.AND, Long.MIN_VALUE))
                .reinterpretAsDoubles();
    }

    private static DoubleVector signOf(DoubleVector v) {
        return ZERO.blend(1, v.compare(VectorOperators.GT, 0))
                .blend(-1, v.compare(VectorOperators.LT, 0));
    }

    private static DoubleVector load(double[] array, int offset) {
        return DoubleVector.fromArray(SPECIES, array, offset);
    }

    private static DoubleVector load(double[] array, int offset, VectorMask<Double> mask) {
        return DoubleVector.fromArray(SPECIES, array, offset, mask);
    }
}
