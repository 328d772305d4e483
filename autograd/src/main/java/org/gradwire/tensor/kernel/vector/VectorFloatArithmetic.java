package org.gradwire.tensor.kernel.vector;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/**
 * Arithmetic of float32 through the Vector API. The compiler does vectorize plain loops, but not
 * reliably when ranges begin anywhere.
 */
final class VectorFloatArithmetic {
    private static final VectorSpecies<Float> SPECIES = FloatVector.SPECIES_PREFERRED;
    private static final int LANES = SPECIES.length();

    private VectorFloatArithmetic() {}

    static void add(float[] a, int ao, float[] b, int bo, float[] y, int yo, int n) {
        int i = 0;
        for (; i <= n - LANES; i += LANES) {
            FloatVector v = load(a, ao + i);
            FloatVector w = load(b, bo + i);
            v.add(w).intoArray(y, yo + i);
        }
        if (i < n) {
            VectorMask<Float> mask = SPECIES.indexInRange(i, n);
            FloatVector v = load(a, ao + i, mask);
            FloatVector w = load(b, bo + i, mask);
            v.add(w).intoArray(y, yo + i, mask);
        }
    }

    static void sub(float[] a, int ao, float[] b, int bo, float[] y, int yo, int n) {
        int i = 0;
        for (; i <= n - LANES; i += LANES) {
            FloatVector v = load(a, ao + i);
            FloatVector w = load(b, bo + i);
            v.sub(w).intoArray(y, yo + i);
        }
        if (i < n) {
            VectorMask<Float> mask = SPECIES.indexInRange(i, n);
            FloatVector v = load(a, ao + i, mask);
            FloatVector w = load(b, bo + i, mask);
            v.sub(w).intoArray(y, yo + i, mask);
        }
    }

    static void mul(float[] a, int ao, float[] b, int bo, float[] y, int yo, int n) {
        int i = 0;
        for (; i <= n - LANES; i += LANES) {
            FloatVector v = load(a, ao + i);
            FloatVector w = load(b, bo + i);
            v.mul(w).intoArray(y, yo + i);
        }
        if (i < n) {
            VectorMask<Float> mask = SPECIES.indexInRange(i, n);
            FloatVector v = load(a, ao + i, mask);
            FloatVector w = load(b, bo + i, mask);
            v.mul(w).intoArray(y, yo + i, mask);
        }
    }

    static void div(float[] a, int ao, float[] b, int bo, float[] y, int yo, int n) {
        int i = 0;
        for (; i <= n - LANES; i += LANES) {
            FloatVector v = load(a, ao + i);
            FloatVector w = load(b, bo + i);
            v.div(w).intoArray(y, yo + i);
        }
        if (i < n) {
            VectorMask<Float> mask = SPECIES.indexInRange(i, n);
            FloatVector v = load(a, ao + i, mask);
            FloatVector w = load(b, bo + i, mask);
            v.div(w).intoArray(y, yo + i, mask);
        }
    }

    static void reluGradient(float[] a, int ao, float[] b, int bo, float[] y, int yo, int n) {
        FloatVector zero = FloatVector.zero(SPECIES);
        int i = 0;
        for (; i <= n - LANES; i += LANES) {
            FloatVector v = load(a, ao + i);
            FloatVector w = load(b, bo + i);
            v.blend(zero, w.compare(VectorOperators.LE, 0)).intoArray(y, yo + i);
        }
        if (i < n) {
            VectorMask<Float> mask = SPECIES.indexInRange(i, n);
            FloatVector v = load(a, ao + i, mask);
            FloatVector w = load(b, bo + i, mask);
            v.blend(zero, w.compare(VectorOperators.LE, 0)).intoArray(y, yo + i, mask);
        }
    }

    static void tanhGradient(float[] a, int ao, float[] b, int bo, float[] y, int yo, int n) {
        FloatVector one = FloatVector.broadcast(SPECIES, 1);
        int i = 0;
        for (; i <= n - LANES; i += LANES) {
            FloatVector v = load(a, ao + i);
            FloatVector w = load(b, bo + i);
            v.mul(one.sub(w.mul(w))).intoArray(y, yo + i);
        }
        if (i < n) {
            VectorMask<Float> mask = SPECIES.indexInRange(i, n);
            FloatVector v = load(a, ao + i, mask);
            FloatVector w = load(b, bo + i, mask);
            v.mul(one.sub(w.mul(w))).intoArray(y, yo + i, mask);
        }
    }

    static void sigmoidGradient(float[] a, int ao, float[] b, int bo, float[] y, int yo, int n) {
        FloatVector one = FloatVector.broadcast(SPECIES, 1);
        int i = 0;
        for (; i <= n - LANES; i += LANES) {
            FloatVector v = load(a, ao + i);
            FloatVector w = load(b, bo + i);
            v.mul(w.mul(one.sub(w))).intoArray(y, yo + i);
        }
        if (i < n) {
            VectorMask<Float> mask = SPECIES.indexInRange(i, n);
            FloatVector v = load(a, ao + i, mask);
            FloatVector w = load(b, bo + i, mask);
            v.mul(w.mul(one.sub(w))).intoArray(y, yo + i, mask);
        }
    }

    static void relu(float[] x, int xo, float[] y, int yo, int n) {
        int i = 0;
        for (; i <= n - LANES; i += LANES) {
            FloatVector v = load(x, xo + i);
            v.max(0).intoArray(y, yo + i);
        }
        if (i < n) {
            VectorMask<Float> mask = SPECIES.indexInRange(i, n);
            FloatVector v = load(x, xo + i, mask);
            v.max(0).intoArray(y, yo + i, mask);
        }
    }

    static void neg(float[] x, int xo, float[] y, int yo, int n) {
        int i = 0;
        for (; i <= n - LANES; i += LANES) {
            FloatVector v = load(x, xo + i);
            v.neg().intoArray(y, yo + i);
        }
        if (i < n) {
            VectorMask<Float> mask = SPECIES.indexInRange(i, n);
            FloatVector v = load(x, xo + i, mask);
            v.neg().intoArray(y, yo + i, mask);
        }
    }

    static void sqrt(float[] x, int xo, float[] y, int yo, int n) {
        int i = 0;
        for (; i <= n - LANES; i += LANES) {
            FloatVector v = load(x, xo + i);
            v.sqrt().intoArray(y, yo + i);
        }
        if (i < n) {
            VectorMask<Float> mask = SPECIES.indexInRange(i, n);
            FloatVector v = load(x, xo + i, mask);
            v.sqrt().intoArray(y, yo + i, mask);
        }
    }

    /** {@code y += alpha * x} */
    static void addScaled(float alpha, float[] x, int xo, float[] y, int yo, int n) {
        FloatVector factor = FloatVector.broadcast(SPECIES, alpha);
        int i = 0;
        for (; i <= n - LANES; i += LANES) {
            load(y, yo + i).add(load(x, xo + i).mul(factor)).intoArray(y, yo + i);
        }
        if (i < n) {
            VectorMask<Float> mask = SPECIES.indexInRange(i, n);
            load(y, yo + i, mask).add(load(x, xo + i, mask).mul(factor)).intoArray(y, yo + i, mask);
        }
    }

    private static FloatVector load(float[] array, int offset) {
        return FloatVector.fromArray(SPECIES, array, offset);
    }

    private static FloatVector load(float[] array, int offset, VectorMask<Float> mask) {
        return FloatVector.fromArray(SPECIES, array, offset, mask);
    }
}
