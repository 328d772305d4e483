package org.gradwire.tensor.kernel.vector;

import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/**
 * Transcendental functions of float64 through the Vector API, a tenth of the time of plain loops.
 */
final class VectorDoubleMath {
    private static final VectorSpecies<Double> SPECIES = DoubleVector.SPECIES_PREFERRED;
    private static final int LANES = SPECIES.length();

    private VectorDoubleMath() {}

    static void exp(double[] x, int xo, double[] y, int yo, int n) {
        int i = 0;
        for (; i <= n - LANES; i += LANES) {
            DoubleVector v = load(x, xo + i);
            VectorDoubleExponentials.exp(v).intoArray(y, yo + i);
        }
        if (i < n) {
            VectorMask<Double> mask = SPECIES.indexInRange(i, n);
            DoubleVector v = load(x, xo + i, mask);
            VectorDoubleExponentials.exp(v).intoArray(y, yo + i, mask);
        }
    }

    static void log(double[] x, int xo, double[] y, int yo, int n) {
        int i = 0;
        for (; i <= n - LANES; i += LANES) {
            DoubleVector v = load(x, xo + i);
            VectorDoubleLogarithms.log(v).intoArray(y, yo + i);
        }
        if (i < n) {
            VectorMask<Double> mask = SPECIES.indexInRange(i, n);
            DoubleVector v = load(x, xo + i, mask);
            VectorDoubleLogarithms.log(v).intoArray(y, yo + i, mask);
        }
    }

    static void cos(double[] x, int xo, double[] y, int yo, int n) {
        int i = 0;
        for (; i <= n - LANES; i += LANES) {
            DoubleVector v = load(x, xo + i);
            v.lanewise(VectorOperators.COS).intoArray(y, yo + i);
        }
        if (i < n) {
            VectorMask<Double> mask = SPECIES.indexInRange(i, n);
            DoubleVector v = load(x, xo + i, mask);
            v.lanewise(VectorOperators.COS).intoArray(y, yo + i, mask);
        }
    }

    static void sin(double[] x, int xo, double[] y, int yo, int n) {
        int i = 0;
        for (; i <= n - LANES; i += LANES) {
            DoubleVector v = load(x, xo + i);
            v.lanewise(VectorOperators.SIN).intoArray(y, yo + i);
        }
        if (i < n) {
            VectorMask<Double> mask = SPECIES.indexInRange(i, n);
            DoubleVector v = load(x, xo + i, mask);
            v.lanewise(VectorOperators.SIN).intoArray(y, yo + i, mask);
        }
    }

    static void tanh(double[] x, int xo, double[] y, int yo, int n) {
        int i = 0;
        for (; i <= n - LANES; i += LANES) {
            DoubleVector v = load(x, xo + i);
            VectorDoubleExponentials.tanh(v).intoArray(y, yo + i);
        }
        if (i < n) {
            VectorMask<Double> mask = SPECIES.indexInRange(i, n);
            DoubleVector v = load(x, xo + i, mask);
            VectorDoubleExponentials.tanh(v).intoArray(y, yo + i, mask);
        }
    }

    static void sigmoid(double[] x, int xo, double[] y, int yo, int n) {
        DoubleVector one = DoubleVector.broadcast(SPECIES, 1);
        int i = 0;
        for (; i <= n - LANES; i += LANES) {
            DoubleVector v = load(x, xo + i);
            one.div(VectorDoubleExponentials.exp(v.neg()).add(one)).intoArray(y, yo + i);
        }
        if (i < n) {
            VectorMask<Double> mask = SPECIES.indexInRange(i, n);
            DoubleVector v = load(x, xo + i, mask);
            one.div(VectorDoubleExponentials.exp(v.neg()).add(one)).intoArray(y, yo + i, mask);
        }
    }

    private static DoubleVector load(double[] array, int offset) {
        return DoubleVector.fromArray(SPECIES, array, offset);
    }

    private static DoubleVector load(double[] array, int offset, VectorMask<Double> mask) {
        return DoubleVector.fromArray(SPECIES, array, offset, mask);
    }
}
