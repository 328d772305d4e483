package org.gradwire.conformance.rules;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Random;
import java.util.SortedSet;
import java.util.TreeSet;

/** Sizes, contents and memory drawn at random, where backends tend to be wrong. For one thread. */
final class Draw {
    private final Random random;

    Draw(Random random) {
        this.random = random;
    }

    /** {@return a number below the limit, mostly near a power of two} */
    int near(int limit) {
        int power = 1 << random.nextInt(1, 32 - Integer.numberOfLeadingZeros(limit - 1));
        int drawn =
                switch (random.nextInt(4)) {
                    case 0 -> random.nextInt(limit);
                    case 1 -> power;
                    default -> power + random.nextInt(-9, 10);
                };
        return Math.clamp(drawn, 0, limit - 1);
    }

    /**
     * {@return numbers from one power of two to another, and those not farther from each than so}
     */
    static SortedSet<Integer> aroundPowers(int from, int to, int distance) {
        var numbers = new TreeSet<Integer>();
        for (int power = from; power <= to; power <<= 1) {
            for (int i = -distance; i <= distance; i++) {
                numbers.add(power + i);
            }
        }
        return numbers;
    }

    byte[] bytes(int size) {
        return Checks.bytes(random, size);
    }

    /** {@return a buffer of about so many bytes, of a kind drawn at random} */
    MemorySegment buffer(int size) {
        MemorySegment buffer =
                switch (random.nextInt(8)) {
                    case 0 -> MemorySegment.ofArray(new short[size / Short.BYTES]);
                    case 1 -> MemorySegment.ofArray(new int[size / Integer.BYTES]);
                    case 2 -> MemorySegment.ofArray(new long[size / Long.BYTES]);
                    case 3 -> MemorySegment.ofArray(new float[size / Float.BYTES]);
                    case 4 -> MemorySegment.ofArray(new double[size / Double.BYTES]);
                    case 5 -> Arena.ofAuto().allocate(size);
                    default -> MemorySegment.ofArray(new byte[size]);
                };
        return fill(buffer);
    }

    /** {@return a part of a buffer, neither of which begins or ends where the other does} */
    MemorySegment slice(int size) {
        MemorySegment whole = buffer(size + near(5_000) + 64);
        // Also elements of eight bytes lie at a multiple of their size.
        long unit = whole.heapBase().filter(base -> !(base instanceof byte[])).isPresent() ? 8 : 1;
        long bytes = Math.min(size, whole.byteSize() - 2 * unit) / unit * unit;
        long most = (whole.byteSize() - bytes) / unit;
        long offset = unit * Math.clamp(near(5_000) / unit, 1, Math.max(1, most - 1));
        return whole.asSlice(offset, bytes);
    }

    private MemorySegment fill(MemorySegment buffer) {
        return buffer.copyFrom(MemorySegment.ofArray(bytes((int) buffer.byteSize())));
    }

    int below(int limit) {
        return random.nextInt(limit);
    }
}
