package org.gradwire.tensor.kernel.vector;

import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/**
 * Arithmetic of float64 through the Vector API. The compiler does vectorize plain loops, but not
 * reliably when ranges begin anywhere.
 */
final class VectorDoubleArithmetic {
    private static final VectorSpecies<Double> SPECIES = DoubleVector.SPECIES_PREFERRED;
    private static final int LANES = SPECIES.length();

    private VectorDoubleArithmetic() {}

    static void add(double[] a, int ao, double[] b, int bo, double[] y, int yo, int n) {
        int i = 0;
        for (; i <= n - LANES; i += LANES) {
            DoubleVector v = load(a, ao + i);
            DoubleVector w = load(b, bo + i);
            v.add(w).intoArray(y, yo + i);
        }
        if (i < n) {
            VectorMask<Double> mask = SPECIES.indexInRange(i, n);
            DoubleVector v = load(a, ao + i, mask);
            DoubleVector w = load(b, bo + i, mask);
            v.add(w).intoArray(y, yo + i, mask);
        }
    }

    static void sub(double[] a, int ao, double[] b, int bo, double[] y, int yo, int n) {
        int i = 0;
        for (; i <= n - LANES; i += LANES) {
            DoubleVector v = load(a, ao + i);
            DoubleVector w = load(b, bo + i);
            v.sub(w).intoArray(y, yo + i);
        }
        if (i < n) {
            VectorMask<Double> mask = SPECIES.indexInRange(i, n);
            DoubleVector v = load(a, ao + i, mask);
            DoubleVector w = load(b, bo + i, mask);
            v.sub(w).intoArray(y, yo + i, mask);
        }
    }

    static void mul(double[] a, int ao, double[] b, int bo, double[] y, int yo, int n) {
        int i = 0;
        for (; i <= n - LANES; i += LANES) {
            DoubleVector v = load(a, ao + i);
            DoubleVector w = load(b, bo + i);
            v.mul(w).intoArray(y, yo + i);
        }
        if (i < n) {
            VectorMask<Double> mask = SPECIES.indexInRange(i, n);
            DoubleVector v = load(a, ao + i, mask);
            DoubleVector w = load(b, bo + i, mask);
            v.mul(w).intoArray(y, yo + i, mask);
        }
    }

    static void div(double[] a, int ao, double[] b, int bo, double[] y, int yo, int n) {
        int i = 0;
        for (; i <= n - LANES; i += LANES) {
            DoubleVector v = load(a, ao + i);
            DoubleVector w = load(b, bo + i);
            v.div(w).intoArray(y, yo + i);
        }
        if (i < n) {
            VectorMask<Double> mask = SPECIES.indexInRange(i, n);
            DoubleVector v = load(a, ao + i, mask);
            DoubleVector w = load(b, bo + i, mask);
            v.div(w).intoArray(y, yo + i, mask);
        }
    }

    static void reluGradient(double[] a, int ao, double[] b, int bo, double[] y, int yo, int n) {
        DoubleVector zero = DoubleVector.zero(SPECIES);
        int i = 0;
        for (; i <= n - LANES; i += LANES) {
            DoubleVector v = load(a, ao + i);
            DoubleVector w = load(b, bo + i);
            v.blend(zero, w.compare(VectorOperators.LE, 0)).intoArray(y, yo + i);
        }
        if (i < n) {
            VectorMask<Double> mask = SPECIES.indexInRange(i, n);
            DoubleVector v = load(a, ao + i, mask);
            DoubleVector w = load(b, bo + i, mask);
            v.blend(zero, w.compare(VectorOperators.LE, 0)).intoArray(y, yo + i, mask);
        }
    }

    static void tanhGradient(double[] a, int ao, double[] b, int bo, double[] y, int yo, int n) {
        DoubleVector one = DoubleVector.broadcast(SPECIES, 1);
        int i = 0;
        for (; i <= n - LANES; i += LANES) {
            DoubleVector v = load(a, ao + i);
            DoubleVector w = load(b, bo + i);
            v.mul(one.sub(w.mul(w))).intoArray(y, yo + i);
        }
        if (i < n) {
            VectorMask<Double> mask = SPECIES.indexInRange(i, n);
            DoubleVector v = load(a, ao + i, mask);
            DoubleVector w = load(b, bo + i, mask);
            v.mul(one.sub(w.mul(w))).intoArray(y, yo + i, mask);
        }
    }

    static void sigmoidGradient(double[] a, int ao, double[] b, int bo, double[] y, int yo, int n) {
        DoubleVector one = DoubleVector.broadcast(SPECIES, 1);
        int i = 0;
        for (; i <= n - LANES; i += LANES) {
            DoubleVector v = load(a, ao + i);
            DoubleVector w = load(b, bo + i);
            v.mul(w.mul(one.sub(w))).intoArray(y, yo + i);
        }
        if (i < n) {
            VectorMask<Double> mask = SPECIES.indexInRange(i, n);
            DoubleVector v = load(a, ao + i, mask);
            DoubleVector w = load(b, bo + i, mask);
            v.mul(w.mul(one.sub(w))).intoArray(y, yo + i, mask);
        }
    }

    static void relu(double[] x, int xo, double[] y, int yo, int n) {
        int i = 0;
        for (; i <= n - LANES; i += LANES) {
            DoubleVector v = load(x, xo + i);
            v.max(0).intoArray(y, yo + i);
        }
        if (i < n) {
            VectorMask<Double> mask = SPECIES.indexInRange(i, n);
            DoubleVector v = load(x, xo + i, mask);
            v.max(0).intoArray(y, yo + i, mask);
        }
    }

    static void neg(double[] x, int xo, double[] y, int yo, int n) {
        int i = 0;
        for (; i <= n - LANES; i += LANES) {
            DoubleVector v = load(x, xo + i);
            v.neg().intoArray(y, yo + i);
        }
        if (i < n) {
            VectorMask<Double> mask = SPECIES.indexInRange(i, n);
            DoubleVector v = load(x, xo + i, mask);
            v.neg().intoArray(y, yo + i, mask);
        }
    }

    static void sqrt(double[] x, int xo, double[] y, int yo, int n) {
        int i = 0;
        for (; i <= n - LANES; i += LANES) {
            DoubleVector v = load(x, xo + i);
            v.sqrt().intoArray(y, yo + i);
        }
        if (i < n) {
            VectorMask<Double> mask = SPECIES.indexInRange(i, n);
            DoubleVector v = load(x, xo + i, mask);
            v.sqrt().intoArray(y, yo + i, mask);
        }
    }

    /** {@code y += alpha * x} */
    static void addScaled(double alpha, double[] x, int xo, double[] y, int yo, int n) {
        DoubleVector factor = DoubleVector.broadcast(SPECIES, alpha);
        int i = 0;
        for (; i <= n - LANES; i += LANES) {
            load(y, yo + i).add(load(x, xo + i).mul(factor)).intoArray(y, yo + i);
        }
        if (i < n) {
            VectorMask<Double> mask = SPECIES.indexInRange(i, n);
            load(y, yo + i, mask).add(load(x, xo + i, mask).mul(factor)).intoArray(y, yo + i, mask);
        }
    }

    private static DoubleVector load(double[] array, int offset) {
        return DoubleVector.fromArray(SPECIES, array, offset);
    }

    private static DoubleVector load(double[] array, int offset, VectorMask<Double> mask) {
        return DoubleVector.fromArray(SPECIES, array, offset, mask);
    }
}
