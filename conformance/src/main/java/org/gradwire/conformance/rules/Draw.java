package org.gradwire.conformance.rules;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Random;
import java.util.SortedSet;
import java.util.TreeSet;

/** Draws sizes, contents and memory where backends tend to fail. Confined to one thread. */
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

    /** {@return the powers of two in a range, and all numbers within a distance of them} */
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

    /** {@return a buffer of about this size, of a random kind} */
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

    /** {@return a slice of a random buffer that shares neither its start nor its end} */
    MemorySegment slice(int size) {
        MemorySegment whole = buffer(size + near(5_000) + 64);
        // Elements of eight bytes stay aligned as well.
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
