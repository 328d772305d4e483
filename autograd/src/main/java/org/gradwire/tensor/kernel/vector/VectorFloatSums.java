package org.gradwire.tensor.kernel.vector;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorShuffle;
import jdk.incubator.vector.VectorSpecies;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * Sums of float32 in 32 partial sums, whose halves are added until one remains. That order is the
 * same interpreted and compiled, and for each length of vectors; that of the Vector API is not.
 */
final class VectorFloatSums {
    private static final VectorSpecies<Float> SPECIES = FloatVector.SPECIES_PREFERRED;
    private static final int LANES = SPECIES.length();
    private static final ByteOrder ORDER = ByteOrder.nativeOrder();

    /** Partial sums; for vectors of 512 bits in two, for those of 256 in four. */
    private static final int PARTS = 32;

    private static final boolean TWO = LANES == PARTS / 2;
    private static final boolean FOUR = LANES == PARTS / 4;
    private static final VectorShuffle<Float> HALF = exchange(LANES / 2);
    private static final VectorShuffle<Float> QUARTER = exchange(LANES / 4);
    private static final VectorShuffle<Float> EIGHTH = exchange(LANES / 8);
    private static final VectorShuffle<Float> SIXTEENTH = exchange(LANES / 16);

    private VectorFloatSums() {}

    /** {@return an exchange of lanes some places apart} */
    private static VectorShuffle<Float> exchange(int places) {
        return VectorShuffle.fromOp(SPECIES, lane -> lane ^ places);
    }

    static float sum(float[] x, int xo, int n) {
        int whole = n - n % PARTS;
        float sum = whole == 0 ? 0 : TWO || FOUR ? wholeSum(x, xo, whole) : partSum(x, xo, whole);
        for (int i = whole; i < n; i++) {
            sum += x[xo + i];
        }
        return sum;
    }

    private static float wholeSum(float[] x, int xo, int n) {
        FloatVector first = FloatVector.zero(SPECIES);
        FloatVector second = first;
        FloatVector third = first;
        FloatVector fourth = first;
        for (int j = 0; j <= n - PARTS; j += PARTS) {
            int i = xo + j;
            first = first.add(load(x, i));
            second = second.add(load(x, i + LANES));
            if (FOUR) {
                third = third.add(load(x, i + 2 * LANES));
                fourth = fourth.add(load(x, i + 3 * LANES));
            }
        }
        return total(first, second, third, fourth);
    }

    private static float partSum(float[] x, int xo, int n) {
        float[] parts = new float[PARTS];
        for (int i = 0; i < n; i++) {
            parts[i % PARTS] += x[xo + i];
        }
        return total(parts);
    }

    /** {@return the sum of the products of two ranges} */
    static float dot(float[] a, int ao, float[] b, int bo, int n) {
        int whole = n - n % PARTS;
        float dot =
                whole == 0
                        ? 0
                        : TWO || FOUR
                                ? wholeDot(a, ao, b, bo, whole)
                                : partDot(a, ao, b, bo, whole);
        for (int i = whole; i < n; i++) {
            dot += a[ao + i] * b[bo + i];
        }
        return dot;
    }

    private static float wholeDot(float[] a, int ao, float[] b, int bo, int n) {
        FloatVector first = FloatVector.zero(SPECIES);
        FloatVector second = first;
        FloatVector third = first;
        FloatVector fourth = first;
        for (int i = 0; i <= n - PARTS; i += PARTS) {
            int j = ao + i;
            int k = bo + i;
            first = load(a, j).fma(load(b, k), first);
            second = load(a, j + LANES).fma(load(b, k + LANES), second);
            if (FOUR) {
                third = load(a, j + 2 * LANES).fma(load(b, k + 2 * LANES), third);
                fourth = load(a, j + 3 * LANES).fma(load(b, k + 3 * LANES), fourth);
            }
        }
        return total(first, second, third, fourth);
    }

    private static float partDot(float[] a, int ao, float[] b, int bo, int n) {
        float[] parts = new float[PARTS];
        for (int i = 0; i < n; i++) {
            parts[i % PARTS] = Math.fma(a[ao + i], b[bo + i], parts[i % PARTS]);
        }
        return total(parts);
    }

    /** {@return the sum of a range in native memory} */
    static float sum(MemorySegment x, long from, int n) {
        int whole = n - n % PARTS;
        float sum =
                whole == 0 ? 0 : TWO || FOUR ? wholeSum(x, from, whole) : partSum(x, from, whole);
        for (int i = whole; i < n; i++) {
            sum += x.getAtIndex(ValueLayout.JAVA_FLOAT, from + i);
        }
        return sum;
    }

    private static float wholeSum(MemorySegment x, long from, int n) {
        FloatVector first = FloatVector.zero(SPECIES);
        FloatVector second = first;
        FloatVector third = first;
        FloatVector fourth = first;
        for (int i = 0; i <= n - PARTS; i += PARTS) {
            first = first.add(load(x, from + i));
            second = second.add(load(x, from + i + LANES));
            if (FOUR) {
                third = third.add(load(x, from + i + 2L * LANES));
                fourth = fourth.add(load(x, from + i + 3L * LANES));
            }
        }
        return total(first, second, third, fourth);
    }

    private static float partSum(MemorySegment x, long from, int n) {
        float[] parts = new float[PARTS];
        for (int i = 0; i < n; i++) {
            parts[i % PARTS] += x.getAtIndex(ValueLayout.JAVA_FLOAT, from + i);
        }
        return total(parts);
    }

    private static float total(
            FloatVector first, FloatVector second, FloatVector third, FloatVector fourth) {
        FloatVector sum = FOUR ? first.add(third).add(second.add(fourth)) : first.add(second);
        sum = sum.add(sum.rearrange(HALF));
        sum = sum.add(sum.rearrange(QUARTER));
        sum = sum.add(sum.rearrange(EIGHTH));
        if (TWO) {
            sum = sum.add(sum.rearrange(SIXTEENTH));
        }
        return sum.lane(0);
    }

    private static float total(float[] parts) {
        for (int half = PARTS / 2; half > 0; half /= 2) {
            for (int i = 0; i < half; i++) {
                parts[i] += parts[i + half];
            }
        }
        return parts[0];
    }

    private static FloatVector load(float[] array, int offset) {
        return FloatVector.fromArray(SPECIES, array, offset);
    }

    private static FloatVector load(MemorySegment segment, long index) {
        return FloatVector.fromMemorySegment(SPECIES, segment, index * Float.BYTES, ORDER);
    }
}
