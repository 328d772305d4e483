package org.gradwire.tensor.kernel.vector;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/** Functions of whole rows of float32 through the Vector API: maxima, shifts and weighted sums. */
final class VectorFloatRows {
    private static final VectorSpecies<Float> SPECIES = FloatVector.SPECIES_PREFERRED;
    private static final int LANES = SPECIES.length();

    private VectorFloatRows() {}

    /** Four maxima at a time, as each waits for the one before. */
    static float max(float[] x, int xo, int n) {
        FloatVector first = FloatVector.broadcast(SPECIES, Float.NEGATIVE_INFINITY);
        FloatVector second = first;
        FloatVector third = first;
        FloatVector fourth = first;
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
        float max = first.max(second).max(third.max(fourth)).reduceLanes(VectorOperators.MAX);
        for (; i < n; i++) {
            max = Math.max(max, x[xo + i]);
        }
        return max;
    }

    static void shiftScale(float shift, float scale, float[] x, int xo, float[] y, int yo, int n) {
        FloatVector by = FloatVector.broadcast(SPECIES, shift);
        FloatVector factor = FloatVector.broadcast(SPECIES, scale);
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
            float[] x, int xo, int[] offsets, float[] weights, int wo, float[] y, int yo, int n) {
        int i = 0;
        for (; i <= n - 4 * LANES; i += 4 * LANES) {
            correlateFour(x, xo + i, offsets, weights, wo, y, yo + i);
        }
        for (; i <= n - LANES; i += LANES) {
            FloatVector sum = load(y, yo + i);
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
            float[] x, int xo, int[] offsets, float[] weights, int wo, float[] y, int yo) {
        FloatVector first = load(y, yo);
        FloatVector second = load(y, yo + LANES);
        FloatVector third = load(y, yo + 2 * LANES);
        FloatVector fourth = load(y, yo + 3 * LANES);
        for (int k = 0; k < offsets.length; k++) {
            FloatVector weight = factor(weights[wo + k]);
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

    private static FloatVector factor(float number) {
        return FloatVector.broadcast(SPECIES, number);
    }

    /** {@code y = factor * (x - by)} */
    static void scaledDifference(
            float[] x, int xo, float by, float[] factors, int fo, float[] y, int yo, int n) {
        FloatVector subtrahend = FloatVector.broadcast(SPECIES, by);
        int i = 0;
        for (; i <= n - LANES; i += LANES) {
            load(factors, fo + i).mul(load(x, xo + i).sub(subtrahend)).intoArray(y, yo + i);
        }
        for (; i < n; i++) {
            y[yo + i] = factors[fo + i] * (x[xo + i] - by);
        }
    }

    private static FloatVector load(float[] array, int offset) {
        return FloatVector.fromArray(SPECIES, array, offset);
    }
}
