package org.gradwire.tensor.kernel.vector;

import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.VectorShuffle;
import jdk.incubator.vector.VectorSpecies;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * Sums of float64 in 16 partial sums, whose halves are added until one remains. That order is the
 * same interpreted and compiled, and for each length of vectors; that of the Vector API is not.
 */
final class VectorDoubleSums {
    private static final VectorSpecies<Double> SPECIES = DoubleVector.SPECIES_PREFERRED;
    private static final int LANES = SPECIES.length();
    private static final ByteOrder ORDER = ByteOrder.nativeOrder();

    /** Partial sums; for vectors of 512 bits in two, for those of 256 in four. */
    private static final int PARTS = 16;

    private static final boolean TWO = LANES == PARTS / 2;
    private static final boolean FOUR = LANES == PARTS / 4;
    private static final VectorShuffle<Double> HALF = exchange(LANES / 2);
    private static final VectorShuffle<Double> QUARTER = exchange(LANES / 4);
    private static final VectorShuffle<Double> EIGHTH = exchange(LANES / 8);

    private VectorDoubleSums() {}

    /** {@return an exchange of lanes some places apart} */
    private static VectorShuffle<Double> exchange(int places) {
        return VectorShuffle.fromOp(SPECIES, lane -> lane ^ places);
    }

    static double sum(double[] x, int xo, int n) {
        int whole = n - n % PARTS;
        double sum = whole == 0 ? 0 : TWO || FOUR ? wholeSum(x, xo, whole) : partSum(x, xo, whole);
        for (int i = whole; i < n; i++) {
            sum += x[xo + i];
        }
        return sum;
    }

    private static double wholeSum(double[] x, int xo, int n) {
        DoubleVector first = DoubleVector.zero(SPECIES);
        DoubleVector second = first;
        DoubleVector third = first;
        DoubleVector fourth = first;
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

    private static double partSum(double[] x, int xo, int n) {
        double[] parts = new double[PARTS];
        for (int i = 0; i < n; i++) {
            parts[i % PARTS] += x[xo + i];
        }
        return total(parts);
    }

    /** {@return the sum of the products of two ranges} */
    static double dot(double[] a, int ao, double[] b, int bo, int n) {
        int whole = n - n % PARTS;
        double dot =
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

    private static double wholeDot(double[] a, int ao, double[] b, int bo, int n) {
        DoubleVector first = DoubleVector.zero(SPECIES);
        DoubleVector second = first;
        DoubleVector third = first;
        DoubleVector fourth = first;
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

    private static double partDot(double[] a, int ao, double[] b, int bo, int n) {
        double[] parts = new double[PARTS];
        for (int i = 0; i < n; i++) {
            parts[i % PARTS] = Math.fma(a[ao + i], b[bo + i], parts[i % PARTS]);
        }
        return total(parts);
    }

    /** {@return the sum of a range in native memory} */
    static double sum(MemorySegment x, long from, int n) {
        int whole = n - n % PARTS;
        double sum =
                whole == 0 ? 0 : TWO || FOUR ? wholeSum(x, from, whole) : partSum(x, from, whole);
        for (int i = whole; i < n; i++) {
            sum += x.getAtIndex(ValueLayout.JAVA_DOUBLE, from + i);
        }
        return sum;
    }

    private static double wholeSum(MemorySegment x, long from, int n) {
        DoubleVector first = DoubleVector.zero(SPECIES);
        DoubleVector second = first;
        DoubleVector third = first;
        DoubleVector fourth = first;
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

    private static double partSum(MemorySegment x, long from, int n) {
        double[] parts = new double[PARTS];
        for (int i = 0; i < n; i++) {
            parts[i % PARTS] += x.getAtIndex(ValueLayout.JAVA_DOUBLE, from + i);
        }
        return total(parts);
    }

    private static double total(
            DoubleVector first, DoubleVector second, DoubleVector third, DoubleVector fourth) {
        DoubleVector sum = FOUR ? first.add(third).add(second.add(fourth)) : first.add(second);
        sum = sum.add(sum.rearrange(HALF));
        sum = sum.add(sum.rearrange(QUARTER));
        if (TWO) {
            sum = sum.add(sum.rearrange(EIGHTH));
        }
        return sum.lane(0);
    }

    private static double total(double[] parts) {
        for (int half = PARTS / 2; half > 0; half /= 2) {
            for (int i = 0; i < half; i++) {
                parts[i] += parts[i + half];
            }
        }
        return parts[0];
    }

    private static DoubleVector load(double[] array, int offset) {
        return DoubleVector.fromArray(SPECIES, array, offset);
    }

    private static DoubleVector load(MemorySegment segment, long index) {
        return DoubleVector.fromMemorySegment(SPECIES, segment, index * Double.BYTES, ORDER);
    }
}
