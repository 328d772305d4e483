package org.gradwire.tensor.kernel.vector;

import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorSpecies;

import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;

/**
 * The most frequent functions of float64 directly on native memory. Its methods never access heap
 * memory: a loop that has seen both is several times slower for either.
 */
final class VectorDoubleNative {
    private static final VectorSpecies<Double> SPECIES = DoubleVector.SPECIES_PREFERRED;
    static final int LANES = SPECIES.length();
    private static final ByteOrder ORDER = ByteOrder.nativeOrder();

    private VectorDoubleNative() {}

    static void add(MemorySegment a, MemorySegment b, MemorySegment y, long n) {
        long i = 0;
        for (; i <= n - LANES; i += LANES) {
            long at = i * Double.BYTES;
            load(a, at).add(load(b, at)).intoMemorySegment(y, at, ORDER);
        }
        if (i < n) {
            VectorMask<Double> mask = SPECIES.indexInRange(i, n);
            long at = i * Double.BYTES;
            load(a, at, mask).add(load(b, at, mask)).intoMemorySegment(y, at, ORDER, mask);
        }
    }

    static void sub(MemorySegment a, MemorySegment b, MemorySegment y, long n) {
        long i = 0;
        for (; i <= n - LANES; i += LANES) {
            long at = i * Double.BYTES;
            load(a, at).sub(load(b, at)).intoMemorySegment(y, at, ORDER);
        }
        if (i < n) {
            VectorMask<Double> mask = SPECIES.indexInRange(i, n);
            long at = i * Double.BYTES;
            load(a, at, mask).sub(load(b, at, mask)).intoMemorySegment(y, at, ORDER, mask);
        }
    }

    static void mul(MemorySegment a, MemorySegment b, MemorySegment y, long n) {
        long i = 0;
        for (; i <= n - LANES; i += LANES) {
            long at = i * Double.BYTES;
            load(a, at).mul(load(b, at)).intoMemorySegment(y, at, ORDER);
        }
        if (i < n) {
            VectorMask<Double> mask = SPECIES.indexInRange(i, n);
            long at = i * Double.BYTES;
            load(a, at, mask).mul(load(b, at, mask)).intoMemorySegment(y, at, ORDER, mask);
        }
    }

    static void cube(MemorySegment x, MemorySegment y, long n) {
        long i = 0;
        for (; i <= n - LANES; i += LANES) {
            long at = i * Double.BYTES;
            DoubleVector v = load(x, at);
            v.mul(v).mul(v).intoMemorySegment(y, at, ORDER);
        }
        if (i < n) {
            VectorMask<Double> mask = SPECIES.indexInRange(i, n);
            long at = i * Double.BYTES;
            DoubleVector v = load(x, at, mask);
            v.mul(v).mul(v).intoMemorySegment(y, at, ORDER, mask);
        }
    }

    static void div(MemorySegment a, MemorySegment b, MemorySegment y, long n) {
        long i = 0;
        for (; i <= n - LANES; i += LANES) {
            long at = i * Double.BYTES;
            load(a, at).div(load(b, at)).intoMemorySegment(y, at, ORDER);
        }
        if (i < n) {
            VectorMask<Double> mask = SPECIES.indexInRange(i, n);
            long at = i * Double.BYTES;
            load(a, at, mask).div(load(b, at, mask)).intoMemorySegment(y, at, ORDER, mask);
        }
    }

    /** Add rows of whole vectors to a range, four vectors of all rows at a time. */
    static void addRows(MemorySegment x, long at, long pitch, int rows, double[] y, int yo, int n) {
        int i = 0;
        for (; i <= n - 4 * LANES; i += 4 * LANES) {
            addFour(x, (at + i) * Double.BYTES, pitch * Double.BYTES, rows, y, yo + i);
        }
        for (; i < n; i += LANES) {
            DoubleVector sum = DoubleVector.fromArray(SPECIES, y, yo + i);
            for (int row = 0; row < rows; row++) {
                sum = sum.add(load(x, (at + i + row * pitch) * Double.BYTES));
            }
            sum.intoArray(y, yo + i);
        }
    }

    private static void addFour(
            MemorySegment x, long at, long pitch, int rows, double[] y, int yo) {
        DoubleVector first = DoubleVector.fromArray(SPECIES, y, yo);
        DoubleVector second = DoubleVector.fromArray(SPECIES, y, yo + LANES);
        DoubleVector third = DoubleVector.fromArray(SPECIES, y, yo + 2 * LANES);
        DoubleVector fourth = DoubleVector.fromArray(SPECIES, y, yo + 3 * LANES);
        long bytes = (long) LANES * Double.BYTES;
        for (int row = 0; row < rows; row++) {
            long from = at + row * pitch;
            first = first.add(load(x, from));
            second = second.add(load(x, from + bytes));
            third = third.add(load(x, from + 2 * bytes));
            fourth = fourth.add(load(x, from + 3 * bytes));
        }
        first.intoArray(y, yo);
        second.intoArray(y, yo + LANES);
        third.intoArray(y, yo + 2 * LANES);
        fourth.intoArray(y, yo + 3 * LANES);
    }

    private static DoubleVector load(MemorySegment segment, long offset) {
        return DoubleVector.fromMemorySegment(SPECIES, segment, offset, ORDER);
    }

    private static DoubleVector load(MemorySegment segment, long offset, VectorMask<Double> mask) {
        return DoubleVector.fromMemorySegment(SPECIES, segment, offset, ORDER, mask);
    }
}
