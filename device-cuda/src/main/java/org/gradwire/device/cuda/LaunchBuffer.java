package org.gradwire.device.cuda;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Native memory for the arguments of a launch, which the driver copies. Locked by its user. */
final class LaunchBuffer {
    private static final int ARGUMENTS = 24;
    private static final int BYTES = 2048;

    private final MemorySegment pointers;
    private final MemorySegment values;
    private int count;
    private long next;

    LaunchBuffer() {
        Arena arena = Arena.ofAuto();
        this.pointers = arena.allocate(ADDRESS, ARGUMENTS);
        this.values = arena.allocate(BYTES, Long.BYTES);
    }

    /** Begin the arguments of a launch. */
    LaunchBuffer begin() {
        count = 0;
        next = 0;
        return this;
    }

    private long add(long bytes) {
        long at = next;
        pointers.setAtIndex(ADDRESS, count++, values.asSlice(at));
        next += (bytes + Long.BYTES - 1) / Long.BYTES * Long.BYTES;
        return at;
    }

    LaunchBuffer addLong(long value) {
        values.set(JAVA_LONG, add(Long.BYTES), value);
        return this;
    }

    LaunchBuffer addInt(int value) {
        values.set(JAVA_INT, add(Integer.BYTES), value);
        return this;
    }

    LaunchBuffer addDouble(double value) {
        values.set(JAVA_DOUBLE, add(Double.BYTES), value);
        return this;
    }

    /** Add a struct of ints, without those at the end that the kernel does not read. */
    LaunchBuffer addInts(int bytes, int first, int[] a, int offsetOfB, int[] b) {
        long at = add(bytes);
        values.set(JAVA_INT, at, first);
        for (int i = 0; i < a.length; i++) {
            values.set(JAVA_INT, at + Integer.BYTES * (1L + i), a[i]);
            values.set(JAVA_INT, at + Integer.BYTES * (long) (offsetOfB + i), b[i]);
        }
        return this;
    }

    /** {@return the addresses of the arguments} */
    MemorySegment pointers() {
        return pointers;
    }
}
