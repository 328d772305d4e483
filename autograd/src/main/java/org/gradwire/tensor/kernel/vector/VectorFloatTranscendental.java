package org.gradwire.tensor.kernel.vector;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/** Logarithms, inverse and hyperbolic functions of float32 through the Vector API. */
final class VectorFloatTranscendental {
    private static final VectorSpecies<Float> SPECIES = FloatVector.SPECIES_PREFERRED;
    private static final int LANES = SPECIES.length();

    private VectorFloatTranscendental() {}

    static void log1p(float[] x, int xo, float[] y, int yo, int n) {
        int i = 0;
        for (; i <= n - LANES; i += LANES) {
            FloatVector v = load(x, xo + i);
            VectorFloatLogarithms.log1p(v).intoArray(y, yo + i);
        }
        if (i < n) {
            VectorMask<Float> mask = SPECIES.indexInRange(i, n);
            FloatVector v = load(x, xo + i, mask);
            VectorFloatLogarithms.log1p(v).intoArray(y, yo + i, mask);
        }
    }

    static void expm1(float[] x, int xo, float[] y, int yo, int n) {
        int i = 0;
        for (; i <= n - LANES; i += LANES) {
            FloatVector v = load(x, xo + i);
            VectorFloatExponentials.expm1(v).intoArray(y, yo + i);
        }
        if (i < n) {
            VectorMask<Float> mask = SPECIES.indexInRange(i, n);
            FloatVector v = load(x, xo + i, mask);
            VectorFloatExponentials.expm1(v).intoArray(y, yo + i, mask);
        }
    }

    static void log10(float[] x, int xo, float[] y, int yo, int n) {
        int i = 0;
        for (; i <= n - LANES; i += LANES) {
            FloatVector v = load(x, xo + i);
            v.lanewise(VectorOperators.LOG10).intoArray(y, yo + i);
        }
        if (i < n) {
            VectorMask<Float> mask = SPECIES.indexInRange(i, n);
            FloatVector v = load(x, xo + i, mask);
            v.lanewise(VectorOperators.LOG10).intoArray(y, yo + i, mask);
        }
    }

    static void tan(float[] x, int xo, float[] y, int yo, int n) {
        int i = 0;
        for (; i <= n - LANES; i += LANES) {
            FloatVector v = load(x, xo + i);
            v.lanewise(VectorOperators.TAN).intoArray(y, yo + i);
        }
        if (i < n) {
            VectorMask<Float> mask = SPECIES.indexInRange(i, n);
            FloatVector v = load(x, xo + i, mask);
            v.lanewise(VectorOperators.TAN).intoArray(y, yo + i, mask);
        }
    }

    static void asin(float[] x, int xo, float[] y, int yo, int n) {
        int i = 0;
        for (; i <= n - LANES; i += LANES) {
            FloatVector v = load(x, xo + i);
            v.lanewise(VectorOperators.ASIN).intoArray(y, yo + i);
        }
        if (i < n) {
            VectorMask<Float> mask = SPECIES.indexInRange(i, n);
            FloatVector v = load(x, xo + i, mask);
            v.lanewise(VectorOperators.ASIN).intoArray(y, yo + i, mask);
        }
    }

    static void acos(float[] x, int xo, float[] y, int yo, int n) {
        int i = 0;
        for (; i <= n - LANES; i += LANES) {
            FloatVector v = load(x, xo + i);
            v.lanewise(VectorOperators.ACOS).intoArray(y, yo + i);
        }
        if (i < n) {
            VectorMask<Float> mask = SPECIES.indexInRange(i, n);
            FloatVector v = load(x, xo + i, mask);
            v.lanewise(VectorOperators.ACOS).intoArray(y, yo + i, mask);
        }
    }

    static void atan(float[] x, int xo, float[] y, int yo, int n) {
        int i = 0;
        for (; i <= n - LANES; i += LANES) {
            FloatVector v = load(x, xo + i);
            v.lanewise(VectorOperators.ATAN).intoArray(y, yo + i);
        }
        if (i < n) {
            VectorMask<Float> mask = SPECIES.indexInRange(i, n);
            FloatVector v = load(x, xo + i, mask);
            v.lanewise(VectorOperators.ATAN).intoArray(y, yo + i, mask);
        }
    }

    static void sinh(float[] x, int xo, float[] y, int yo, int n) {
        int i = 0;
        for (; i <= n - LANES; i += LANES) {
            FloatVector v = load(x, xo + i);
            v.lanewise(VectorOperators.SINH).intoArray(y, yo + i);
        }
        if (i < n) {
            VectorMask<Float> mask = SPECIES.indexInRange(i, n);
            FloatVector v = load(x, xo + i, mask);
            v.lanewise(VectorOperators.SINH).intoArray(y, yo + i, mask);
        }
    }

    static void cosh(float[] x, int xo, float[] y, int yo, int n) {
        int i = 0;
        for (; i <= n - LANES; i += LANES) {
            FloatVector v = load(x, xo + i);
            v.lanewise(VectorOperators.COSH).intoArray(y, yo + i);
        }
        if (i < n) {
            VectorMask<Float> mask = SPECIES.indexInRange(i, n);
            FloatVector v = load(x, xo + i, mask);
            v.lanewise(VectorOperators.COSH).intoArray(y, yo + i, mask);
        }
    }

    static void atan2(float[] a, int ao, float[] b, int bo, float[] y, int yo, int n) {
        int i = 0;
        for (; i <= n - LANES; i += LANES) {
            FloatVector v = load(a, ao + i);
            FloatVector w = load(b, bo + i);
            v.lanewise(VectorOperators.ATAN2, w).intoArray(y, yo + i);
        }
        if (i < n) {
            VectorMask<Float> mask = SPECIES.indexInRange(i, n);
            FloatVector v = load(a, ao + i, mask);
            FloatVector w = load(b, bo + i, mask);
            v.lanewise(VectorOperators.ATAN2, w).intoArray(y, yo + i, mask);
        }
    }

    static void pow(float[] a, int ao, float[] b, int bo, float[] y, int yo, int n) {
        int i = 0;
        for (; i <= n - LANES; i += LANES) {
            FloatVector v = load(a, ao + i);
            FloatVector w = load(b, bo + i);
            powOf(v, w).intoArray(y, yo + i);
        }
        if (i < n) {
            VectorMask<Float> mask = SPECIES.indexInRange(i, n);
            FloatVector v = load(a, ao + i, mask);
            FloatVector w = load(b, bo + i, mask);
            powOf(v, w).intoArray(y, yo + i, mask);
        }
    }

    /** Powers as C defines them: where the base is 1, an exponent may be no number. */
    private static FloatVector powOf(FloatVector base, FloatVector exponent) {
        VectorMask<Float> infinite =
                exponent.abs().compare(VectorOperators.EQ, Float.POSITIVE_INFINITY);
        VectorMask<Float> one =
                base.compare(VectorOperators.EQ, 1)
                        .or(base.compare(VectorOperators.EQ, -1).and(infinite));
        return base.lanewise(VectorOperators.POW, exponent).blend(1, one);
    }

    private static FloatVector load(float[] array, int offset) {
        return FloatVector.fromArray(SPECIES, array, offset);
    }

    private static FloatVector load(float[] array, int offset, VectorMask<Float> mask) {
        return FloatVector.fromArray(SPECIES, array, offset, mask);
    }
}
