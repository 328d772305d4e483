package org.gradwire.tensor.kernel.element;

import org.jspecify.annotations.Nullable;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Functions of two numbers of which one operand is broadcast, in native memory: row by row, with
 * the repeated row or number in native memory too.
 */
public final class NativeBroadcast {
    /** Minimum length of a row: the call of a kernel costs as much as some hundred elements. */
    private static final int SHORTEST = 256;

    private NativeBroadcast() {}

    /**
     * Apply a function, if there is a way without arrays.
     *
     * @param y contiguous in native memory
     * @return whether it was done
     */
    public static <A> boolean apply(
            Elements<A> elements, Binary function, Strided a, Strided b, Strided y) {
        int width = Math.max(width(a), width(b));
        if (width < SHORTEST || y.count() <= width || y.count() % width != 0) {
            return false;
        }
        MemorySegment to = y.nativeRun(elements);
        try (Arena arena = Arena.ofConfined()) {
            var first = Rows.of(elements, a, width, arena);
            var second = Rows.of(elements, b, width, arena);
            if (to == null || first == null || second == null) {
                return false;
            }
            long bytes = (long) width * elements.bytes();
            for (int row = 0; row < y.count() / width; row++) {
                MemorySegment target = to.asSlice(row * bytes, bytes);
                MemorySegment left = first.row(row);
                if (!elements.binaryNative(function, left, second.row(row), target, width)) {
                    return false;
                }
            }
        }
        return true;
    }

    /** {@return the length of the rows that are repeated, or of those of one number; 0 for none} */
    private static int width(Strided x) {
        boolean repeatsRow = x.dims() == 2 && x.stride(0) == 0 && x.stride(1) == 1;
        boolean repeatsNumbers = x.dims() == 2 && x.stride(0) == 1 && x.stride(1) == 0;
        return repeatsRow || repeatsNumbers ? x.size(1) : 0;
    }

    /** The rows of an operand. */
    private static final class Rows<A> {
        private final Elements<A> elements;
        private final Strided from;
        private final MemorySegment memory;
        private final @Nullable A block;
        private final long step;

        private Rows(
                Elements<A> elements,
                Strided from,
                MemorySegment memory,
                @Nullable A block,
                long step) {
            this.elements = elements;
            this.from = from;
            this.memory = memory;
            this.block = block;
            this.step = step;
        }

        static <A> @Nullable Rows<A> of(
                Elements<A> elements, Strided from, int width, Arena arena) {
            long bytes = (long) width * elements.bytes();
            MemorySegment run = from.nativeRun(elements);
            if (run != null) {
                return new Rows<>(elements, from, run, null, bytes);
            }
            if (width(from) != width) {
                return null;
            }
            MemorySegment memory = arena.allocate(bytes, elements.bytes());
            A block = elements.array(width);
            if (from.stride(0) == 1) {
                return new Rows<>(elements, from, memory, block, 0);
            }
            from.read(elements, 0, block, width);
            MemorySegment.copy(block, 0, memory, elements.layout(), 0, width);
            return new Rows<>(elements, from, memory, null, 0);
        }

        MemorySegment row(int row) {
            if (block != null) {
                int width = from.size(1);
                Strided.copyRun(elements, from, from.offset() + row, 0, block, 0, width);
                MemorySegment.copy(block, 0, memory, elements.layout(), 0, width);
                return memory;
            }
            return step == 0 ? memory : memory.asSlice(row * step);
        }
    }
}
