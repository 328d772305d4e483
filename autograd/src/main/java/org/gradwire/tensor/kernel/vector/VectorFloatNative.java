package org.gradwire.tensor.kernel.vector;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;

/**
 * The most frequent functions of float32 directly on native memory. Its methods never access heap
 * memory: a loop that has seen both is several times slower for either.
 */
final class VectorFloatNative {
    private static final VectorSpecies<Float> SPECIES = FloatVector.SPECIES_PREFERRED;
    static final int LANES = SPECIES.length();
    private static final ByteOrder ORDER = ByteOrder.nativeOrder();

    private VectorFloatNative() {}

    static void add(MemorySegment a, MemorySegment b, MemorySegment y, long n) {
        long i = 0;
        for (; i <= n - LANES; i += LANES) {
            long at = i * Float.BYTES;
            load(a, at).add(load(b, at)).intoMemorySegment(y, at, ORDER);
        }
        if (i < n) {
            VectorMask<Float> mask = SPECIES.indexInRange(i, n);
            long at = i * Float.BYTES;
            load(a, at, mask).add(load(b, at, mask)).intoMemorySegment(y, at, ORDER, mask);
        }
    }

    static void sub(MemorySegment a, MemorySegment b, MemorySegment y, long n) {
        long i = 0;
        for (; i <= n - LANES; i += LANES) {
            long at = i * Float.BYTES;
            load(a, at).sub(load(b, at)).intoMemorySegment(y, at, ORDER);
        }
        if (i < n) {
            VectorMask<Float> mask = SPECIES.indexInRange(i, n);
            long at = i * Float.BYTES;
            load(a, at, mask).sub(load(b, at, mask)).intoMemorySegment(y, at, ORDER, mask);
        }
    }

    static void mul(MemorySegment a, MemorySegment b, MemorySegment y, long n) {
        long i = 0;
        for (; i <= n - LANES; i += LANES) {
            long at = i * Float.BYTES;
            load(a, at).mul(load(b, at)).intoMemorySegment(y, at, ORDER);
        }
        if (i < n) {
            VectorMask<Float> mask = SPECIES.indexInRange(i, n);
            long at = i * Float.BYTES;
            load(a, at, mask).mul(load(b, at, mask)).intoMemorySegment(y, at, ORDER, mask);
        }
    }

    static void cube(MemorySegment x, MemorySegment y, long n) {
        long i = 0;
        for (; i <= n - LANES; i += LANES) {
            long at = i * Float.BYTES;
            FloatVector v = load(x, at);
            v.mul(v).mul(v).intoMemorySegment(y, at, ORDER);
        }
        if (i < n) {
            VectorMask<Float> mask = SPECIES.indexInRange(i, n);
            long at = i * Float.BYTES;
            FloatVector v = load(x, at, mask);
            v.mul(v).mul(v).intoMemorySegment(y, at, ORDER, mask);
        }
    }

    static void div(MemorySegment a, MemorySegment b, MemorySegment y, long n) {
        long i = 0;
        for (; i <= n - LANES; i += LANES) {
            long at = i * Float.BYTES;
            load(a, at).div(load(b, at)).intoMemorySegment(y, at, ORDER);
        }
        if (i < n) {
            VectorMask<Float> mask = SPECIES.indexInRange(i, n);
            long at = i * Float.BYTES;
            load(a, at, mask).div(load(b, at, mask)).intoMemorySegment(y, at, ORDER, mask);
        }
    }

    static void relu(MemorySegment x, MemorySegment y, long n) {
        long i = 0;
        for (; i <= n - LANES; i += LANES) {
            long at = i * Float.BYTES;
            load(x, at).max(0).intoMemorySegment(y, at, ORDER);
        }
        if (i < n) {
            VectorMask<Float> mask = SPECIES.indexInRange(i, n);
            long at = i * Float.BYTES;
            load(x, at, mask).max(0).intoMemorySegment(y, at, ORDER, mask);
        }
    }

    static void reluGradient(MemorySegment a, MemorySegment b, MemorySegment y, long n) {
        FloatVector zero = FloatVector.zero(SPECIES);
        long i = 0;
        for (; i <= n - LANES; i += LANES) {
            long at = i * Float.BYTES;
            VectorMask<Float> shut = load(b, at).compare(VectorOperators.LE, 0);
            load(a, at).blend(zero, shut).intoMemorySegment(y, at, ORDER);
        }
        if (i < n) {
            VectorMask<Float> mask = SPECIES.indexInRange(i, n);
            long at = i * Float.BYTES;
            VectorMask<Float> shut = load(b, at, mask).compare(VectorOperators.LE, 0);
            load(a, at, mask).blend(zero, shut).intoMemorySegment(y, at, ORDER, mask);
        }
    }

    /** Add rows of whole vectors to a range, four vectors of all rows at a time. */
    static void addRows(MemorySegment x, long at, long pitch, int rows, float[] y, int yo, int n) {
        int i = 0;
        for (; i <= n - 4 * LANES; i += 4 * LANES) {
            addFour(x, (at + i) * Float.BYTES, pitch * Float.BYTES, rows, y, yo + i);
        }
        for (; i < n; i += LANES) {
            FloatVector sum = FloatVector.fromArray(SPECIES, y, yo + i);
            for (int row = 0; row < rows; row++) {
                sum = sum.add(load(x, (at + i + row * pitch) * Float.BYTES));
            }
            sum.intoArray(y, yo + i);
        }
    }

    private static void addFour(MemorySegment x, long at, long pitch, int rows, float[] y, int yo) {
        FloatVector first = FloatVector.fromArray(SPECIES, y, yo);
        FloatVector second = FloatVector.fromArray(SPECIES, y, yo + LANES);
        FloatVector third = FloatVector.fromArray(SPECIES, y, yo + 2 * LANES);
        FloatVector fourth = FloatVector.fromArray(SPECIES, y, yo + 3 * LANES);
        long bytes = (long) LANES * Float.BYTES;
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

    private static FloatVector load(MemorySegment segment, long offset) {
        return FloatVector.fromMemorySegment(SPECIES, segment, offset, ORDER);
    }

    private static FloatVector load(MemorySegment segment, long offset, VectorMask<Float> mask) {
        return FloatVector.fromMemorySegment(SPECIES, segment, offset, ORDER, mask);
    }

    /** {@code y += alpha * x}, for whole vectors. */
    static void addScaled(float alpha, MemorySegment x, int xo, float[] y, int yo, int n) {
        FloatVector factor = FloatVector.broadcast(SPECIES, alpha);
        for (int i = 0; i < n; i += LANES) {
            long from = (xo + (long) i) * Float.BYTES;
            FloatVector v = FloatVector.fromMemorySegment(SPECIES, x, from, ORDER);
            FloatVector.fromArray(SPECIES, y, yo + i).add(v.mul(factor)).intoArray(y, yo + i);
        }
    }

    /** {@code y += alpha * x}, for whole vectors. */
    static void addScaled(float alpha, float[] x, int xo, MemorySegment y, int yo, int n) {
        FloatVector factor = FloatVector.broadcast(SPECIES, alpha);
        for (int i = 0; i < n; i += LANES) {
            long to = (yo + (long) i) * Float.BYTES;
            FloatVector v = FloatVector.fromArray(SPECIES, x, xo + i);
            FloatVector.fromMemorySegment(SPECIES, y, to, ORDER)
                    .add(v.mul(factor))
                    .intoMemorySegment(y, to, ORDER);
        }
    }
}
