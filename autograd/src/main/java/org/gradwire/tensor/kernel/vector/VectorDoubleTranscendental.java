package org.gradwire.tensor.kernel.vector;

import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/** Logarithms, inverse and hyperbolic functions of float64 through the Vector API. */
final class VectorDoubleTranscendental {
    private static final VectorSpecies<Double> SPECIES = DoubleVector.SPECIES_PREFERRED;
    private static final int LANES = SPECIES.length();

    private VectorDoubleTranscendental() {}

    static void log1p(double[] x, int xo, double[] y, int yo, int n) {
        int i = 0;
        for (; i <= n - LANES; i += LANES) {
            DoubleVector v = load(x, xo + i);
            VectorDoubleLogarithms.log1p(v).intoArray(y, yo + i);
        }
        if (i < n) {
            VectorMask<Double> mask = SPECIES.indexInRange(i, n);
            DoubleVector v = load(x, xo + i, mask);
            VectorDoubleLogarithms.log1p(v).intoArray(y, yo + i, mask);
        }
    }

    static void expm1(double[] x, int xo, double[] y, int yo, int n) {
        int i = 0;
        for (; i <= n - LANES; i += LANES) {
            DoubleVector v = load(x, xo + i);
            VectorDoubleExponentials.expm1(v).intoArray(y, yo + i);
        }
        if (i < n) {
            VectorMask<Double> mask = SPECIES.indexInRange(i, n);
            DoubleVector v = load(x, xo + i, mask);
            VectorDoubleExponentials.expm1(v).intoArray(y, yo + i, mask);
        }
    }

    static void log10(double[] x, int xo, double[] y, int yo, int n) {
        int i = 0;
        for (; i <= n - LANES; i += LANES) {
            DoubleVector v = load(x, xo + i);
            v.lanewise(VectorOperators.LOG10).intoArray(y, yo + i);
        }
        if (i < n) {
            VectorMask<Double> mask = SPECIES.indexInRange(i, n);
            DoubleVector v = load(x, xo + i, mask);
            v.lanewise(VectorOperators.LOG10).intoArray(y, yo + i, mask);
        }
    }

    static void tan(double[] x, int xo, double[] y, int yo, int n) {
        int i = 0;
        for (; i <= n - LANES; i += LANES) {
            DoubleVector v = load(x, xo + i);
            v.lanewise(VectorOperators.TAN).intoArray(y, yo + i);
        }
        if (i < n) {
            VectorMask<Double> mask = SPECIES.indexInRange(i, n);
            DoubleVector v = load(x, xo + i, mask);
            v.lanewise(VectorOperators.TAN).intoArray(y, yo + i, mask);
        }
    }

    static void asin(double[] x, int xo, double[] y, int yo, int n) {
        int i = 0;
        for (; i <= n - LANES; i += LANES) {
            DoubleVector v = load(x, xo + i);
            v.lanewise(VectorOperators.ASIN).intoArray(y, yo + i);
        }
        if (i < n) {
            VectorMask<Double> mask = SPECIES.indexInRange(i, n);
            DoubleVector v = load(x, xo + i, mask);
            v.lanewise(VectorOperators.ASIN).intoArray(y, yo + i, mask);
        }
    }

    static void acos(double[] x, int xo, double[] y, int yo, int n) {
        int i = 0;
        for (; i <= n - LANES; i += LANES) {
            DoubleVector v = load(x, xo + i);
            v.lanewise(VectorOperators.ACOS).intoArray(y, yo + i);
        }
        if (i < n) {
            VectorMask<Double> mask = SPECIES.indexInRange(i, n);
            DoubleVector v = load(x, xo + i, mask);
            v.lanewise(VectorOperators.ACOS).intoArray(y, yo + i, mask);
        }
    }

    static void atan(double[] x, int xo, double[] y, int yo, int n) {
        int i = 0;
        for (; i <= n - LANES; i += LANES) {
            DoubleVector v = load(x, xo + i);
            v.lanewise(VectorOperators.ATAN).intoArray(y, yo + i);
        }
        if (i < n) {
            VectorMask<Double> mask = SPECIES.indexInRange(i, n);
            DoubleVector v = load(x, xo + i, mask);
            v.lanewise(VectorOperators.ATAN).intoArray(y, yo + i, mask);
        }
    }

    static void sinh(double[] x, int xo, double[] y, int yo, int n) {
        int i = 0;
        for (; i <= n - LANES; i += LANES) {
            DoubleVector v = load(x, xo + i);
            v.lanewise(VectorOperators.SINH).intoArray(y, yo + i);
        }
        if (i < n) {
            VectorMask<Double> mask = SPECIES.indexInRange(i, n);
            DoubleVector v = load(x, xo + i, mask);
            v.lanewise(VectorOperators.SINH).intoArray(y, yo + i, mask);
        }
    }

    static void cosh(double[] x, int xo, double[] y, int yo, int n) {
        int i = 0;
        for (; i <= n - LANES; i += LANES) {
            DoubleVector v = load(x, xo + i);
            v.lanewise(VectorOperators.COSH).intoArray(y, yo + i);
        }
        if (i < n) {
            VectorMask<Double> mask = SPECIES.indexInRange(i, n);
            DoubleVector v = load(x, xo + i, mask);
            v.lanewise(VectorOperators.COSH).intoArray(y, yo + i, mask);
        }
    }

    static void atan2(double[] a, int ao, double[] b, int bo, double[] y, int yo, int n) {
        int i = 0;
        for (; i <= n - LANES; i += LANES) {
            DoubleVector v = load(a, ao + i);
            DoubleVector w = load(b, bo + i);
            v.lanewise(VectorOperators.ATAN2, w).intoArray(y, yo + i);
        }
        if (i < n) {
            VectorMask<Double> mask = SPECIES.indexInRange(i, n);
            DoubleVector v = load(a, ao + i, mask);
            DoubleVector w = load(b, bo + i, mask);
            v.lanewise(VectorOperators.ATAN2, w).intoArray(y, yo + i, mask);
        }
    }

    static void pow(double[] a, int ao, double[] b, int bo, double[] y, int yo, int n) {
        int i = 0;
        for (; i <= n - LANES; i += LANES) {
            DoubleVector v = load(a, ao + i);
            DoubleVector w = load(b, bo + i);
            powOf(v, w).intoArray(y, yo + i);
        }
        if (i < n) {
            VectorMask<Double> mask = SPECIES.indexInRange(i, n);
            DoubleVector v = load(a, ao + i, mask);
            DoubleVector w = load(b, bo + i, mask);
            powOf(v, w).intoArray(y, yo + i, mask);
        }
    }

    /** Powers as C defines them: where the base is 1, an exponent may be no number. */
    private static DoubleVector powOf(DoubleVector base, DoubleVector exponent) {
        VectorMask<Double> infinite =
                exponent.abs().compare(VectorOperators.EQ, Double.POSITIVE_INFINITY);
        VectorMask<Double> one =
                base.compare(VectorOperators.EQ, 1)
                        .or(base.compare(VectorOperators.EQ, -1).and(infinite));
        return base.lanewise(VectorOperators.POW, exponent).blend(1, one);
    }

    private static DoubleVector load(double[] array, int offset) {
        return DoubleVector.fromArray(SPECIES, array, offset);
    }

    private static DoubleVector load(double[] array, int offset, VectorMask<Double> mask) {
        return DoubleVector.fromArray(SPECIES, array, offset, mask);
    }
}
