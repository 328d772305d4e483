package org.gradwire.tensor.kernel.vector;

import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/** Functions of whole rows of float64 through the Vector API: maxima, shifts and weighted sums. */
final class VectorDoubleRows {
    private static final VectorSpecies<Double> SPECIES = DoubleVector.SPECIES_PREFERRED;
    private static final int LANES = SPECIES.length();

    private VectorDoubleRows() {}

    /** Four maxima at a time, as each waits for the one before. */
    static double max(double[] x, int xo, int n) {
        DoubleVector first = DoubleVector.broadcast(SPECIES, Double.NEGATIVE_INFINITY);
        DoubleVector second = first;
        DoubleVector third = first;
        DoubleVector fourth = first;
        int i = 0;
        for (; i <= n - 4 * LANES; i += 4 * LANES) {
            first = first.max(load(x, xo + i));
            second = second.max(load(x, xo + i + LANES));
            third = third.max(load(x, xo + i + 2 * LANES));
            fourth = fourth.max(load(x, xo + i + 3 * LANES));
        }
        for (; i <= n - LANES; i += LANES) {
            first = first.max(load(x, xo + i));
        }
        double max = first.max(second).max(third.max(fourth)).reduceLanes(VectorOperators.MAX);
        for (; i < n; i++) {
            max = Math.max(max, x[xo + i]);
        }
        return max;
    }

    static void shiftScale(
            double shift, double scale, double[] x, int xo, double[] y, int yo, int n) {
        DoubleVector by = DoubleVector.broadcast(SPECIES, shift);
        DoubleVector factor = DoubleVector.broadcast(SPECIES, scale);
        int i = 0;
        for (; i <= n - LANES; i += LANES) {
            load(x, xo + i).add(by).mul(factor).intoArray(y, yo + i);
        }
        for (; i < n; i++) {
            y[yo + i] = (x[xo + i] + shift) * scale;
        }
    }

    /** {@code y += w[0] * x[offsets[0]...] + w[1] * x[offsets[1]...] + ...} */
    static void correlate(
            double[] x,
            int xo,
            int[] offsets,
            double[] weights,
            int wo,
            double[] y,
            int yo,
            int n) {
        int i = 0;
        for (; i <= n - 4 * LANES; i += 4 * LANES) {
            correlateFour(x, xo + i, offsets, weights, wo, y, yo + i);
        }
        for (; i <= n - LANES; i += LANES) {
            DoubleVector sum = load(y, yo + i);
            for (int k = 0; k < offsets.length; k++) {
                sum = load(x, xo + offsets[k] + i).fma(factor(weights[wo + k]), sum);
            }
            sum.intoArray(y, yo + i);
        }
        for (; i < n; i++) {
            for (int k = 0; k < offsets.length; k++) {
                y[yo + i] = Math.fma(x[xo + offsets[k] + i], weights[wo + k], y[yo + i]);
            }
        }
    }

    /** Four vectors at a time, as each product waits for the one before. */
    private static void correlateFour(
            double[] x, int xo, int[] offsets, double[] weights, int wo, double[] y, int yo) {
        DoubleVector first = load(y, yo);
        DoubleVector second = load(y, yo + LANES);
        DoubleVector third = load(y, yo + 2 * LANES);
        DoubleVector fourth = load(y, yo + 3 * LANES);
        for (int k = 0; k < offsets.length; k++) {
            DoubleVector weight = factor(weights[wo + k]);
            int at = xo + offsets[k];
            first = load(x, at).fma(weight, first);
            second = load(x, at + LANES).fma(weight, second);
            third = load(x, at + 2 * LANES).fma(weight, third);
            fourth = load(x, at + 3 * LANES).fma(weight, fourth);
        }
        first.intoArray(y, yo);
        second.intoArray(y, yo + LANES);
        third.intoArray(y, yo + 2 * LANES);
        fourth.intoArray(y, yo + 3 * LANES);
    }

    private static DoubleVector factor(double number) {
        return DoubleVector.broadcast(SPECIES, number);
    }

    /** {@code y = factor * (x - by)} */
    static void scaledDifference(
            double[] x, int xo, double by, double[] factors, int fo, double[] y, int yo, int n) {
        DoubleVector subtrahend = DoubleVector.broadcast(SPECIES, by);
        int i = 0;
        for (; i <= n - LANES; i += LANES) {
            load(factors, fo + i).mul(load(x, xo + i).sub(subtrahend)).intoArray(y, yo + i);
        }
        for (; i < n; i++) {
            y[yo + i] = factors[fo + i] * (x[xo + i] - by);
        }
    }

    private static DoubleVector load(double[] array, int offset) {
        return DoubleVector.fromArray(SPECIES, array, offset);
    }
}
