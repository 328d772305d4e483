package org.gradwire.tensor.kernel;

import org.gradwire.tensor.kernel.element.BlockReader;
import org.gradwire.tensor.kernel.element.Elements;
import org.gradwire.tensor.kernel.element.Strided;

import java.util.function.LongFunction;

/**
 * Gather and scatter kernels: move elements between a table and a dense operand, by an index along
 * one dimension of the table.
 */
public enum GatherScatter {
    /** Gather: from the table to the dense operand. */
    TAKE,
    /** Scatter: from the dense operand to the table; of equal indices the last value stays. */
    PUT,
    /** Scatter-add: as {@link #PUT}, added to the present value. */
    ADD;

    private static final int LONG_LINE = 16;

    /** Maximum number of elements of a staged row for each index of a line. */
    private static final int SHORT_ROW = 2;

    /** Maximum number of elements of a staged row: a part of the cache of a core. */
    private static final int STAGED = 1 << 14;

    private static final int BLOCK = BlockReader.BLOCK;
    private static final Elements<long[]> LONGS = Kernels.installed().longs();

    /**
     * Elements in memory.
     *
     * @param base an array or a native segment
     * @param offset index of the first element
     * @param strides elements from one index of a dimension to the next
     */
    public record Operand(Object base, int offset, int[] strides) {}

    /**
     * The extent of the indexed dimension.
     *
     * @param error makes the exception for an index outside of it
     */
    public record Bounds(int size, LongFunction<IndexOutOfBoundsException> error) {}

    /** One run of elements: the number, and the stride in each operand. */
    private record Line(int n, int stride, int indexStep, int tableStep, int plainStep) {}

    /**
     * Move all elements of a shape.
     *
     * @param dim indexed dimension of the table
     * @param index of int64
     */
    public <A> void apply(
            Elements<A> elements,
            int[] shape,
            int dim,
            Bounds bounds,
            Operand index,
            Operand table,
            Operand plain) {
        int inner = lineDimension(shape);
        int[] tableStrides = table.strides.clone();
        tableStrides[dim] = 0;
        var line =
                new Line(
                        shape[inner],
                        table.strides[dim],
                        index.strides[inner],
                        tableStrides[inner],
                        plain.strides[inner]);
        int lines = 1;
        for (int d = 0; d < shape.length; d++) {
            lines *= d == inner ? 1 : shape[d];
        }
        var mover = new Mover<>(this, elements, line, bounds, index.base, table.base, plain.base);
        int[] at = new int[shape.length];
        for (int i = 0; i < lines && line.n > 0; i++) {
            mover.move(
                    position(index.offset, index.strides, at),
                    position(table.offset, tableStrides, at),
                    position(plain.offset, plain.strides, at));
            advance(at, shape, inner);
        }
    }

    /** {@return the dimension of the lines: the last one, or the longest where that is short} */
    private static int lineDimension(int[] shape) {
        int best = shape.length - 1;
        for (int d = best; d >= 0 && shape[shape.length - 1] < LONG_LINE; d--) {
            best = shape[d] > shape[best] ? d : best;
        }
        return best;
    }

    private static int position(int offset, int[] strides, int[] at) {
        int position = offset;
        for (int d = 0; d < at.length; d++) {
            position += at[d] * strides[d];
        }
        return position;
    }

    private static void advance(int[] at, int[] shape, int inner) {
        for (int d = at.length - 1; d >= 0; d--) {
            if (d != inner) {
                at[d]++;
                if (at[d] < shape[d]) {
                    return;
                }
                at[d] = 0;
            }
        }
    }

    /** Moves lines, block by block. */
    private static final class Mover<A> {
        private final GatherScatter way;
        private final Elements<A> elements;
        private final Line line;
        private final Bounds bounds;
        private final Object index;
        private final Object plain;
        private final Object table;
        private final boolean isStaged;

        /** The part of the table that a line indexes, if it is staged. */
        private final A row;

        private final IndexedElements<A> indexed;
        private final long[] numbers;
        private final int[] positions;
        private final A block;

        Mover(
                GatherScatter way,
                Elements<A> elements,
                Line line,
                Bounds bounds,
                Object index,
                Object table,
                Object plain) {
            this.way = way;
            this.elements = elements;
            this.line = line;
            this.bounds = bounds;
            this.index = index;
            this.plain = plain;
            this.table = table;
            isStaged =
                    line.tableStep == 0
                            && bounds.size <= STAGED
                            && bounds.size <= (long) line.n * SHORT_ROW;
            row = elements.array(isStaged ? bounds.size : 0);
            indexed = new IndexedElements<>(elements, isStaged ? row : table);
            int longest = Math.min(line.n, BLOCK);
            numbers = new long[longest];
            positions = new int[longest];
            block = elements.array(longest);
        }

        /**
         * Move a line. Where it meets most of a row of the table, that is moved to an array and
         * back: single elements of native memory cost more than those of arrays.
         */
        void move(int indexAt, int tableAt, int plainAt) {
            if (!isStaged) {
                moveBlocks(indexAt, tableAt, plainAt, line.stride);
                return;
            }
            Strided.copyRun(elements, table, tableAt, line.stride, row, 0, bounds.size);
            moveBlocks(indexAt, 0, plainAt, 1);
            if (way != TAKE) {
                Strided.storeRun(elements, table, tableAt, line.stride, row, 0, bounds.size);
            }
        }

        private void moveBlocks(int indexAt, int tableAt, int plainAt, int stride) {
            for (int start = 0; start < line.n; start += BLOCK) {
                int n = Math.min(BLOCK, line.n - start);
                int first = tableAt + start * line.tableStep;
                load(indexAt + start * line.indexStep, first, stride, n);
                int at = plainAt + start * line.plainStep;
                if (way == TAKE) {
                    indexed.take(positions, block, n);
                    Strided.storeRun(elements, plain, at, line.plainStep, block, 0, n);
                    continue;
                }
                Strided.copyRun(elements, plain, at, line.plainStep, block, 0, n);
                if (way == PUT) {
                    indexed.put(positions, block, n);
                } else {
                    indexed.add(positions, block, n);
                }
            }
        }

        private void load(int indexAt, int tableAt, int stride, int n) {
            Strided.copyRun(LONGS, index, indexAt, line.indexStep, numbers, 0, n);
            if (!locate(numbers, bounds.size, stride, tableAt, line.tableStep, positions, n)) {
                throw bounds.error.apply(firstOutside(numbers, bounds.size));
            }
        }

        /**
         * {@return whether all numbers are inside} A term is negative where one is outside; no
         * branch ends the loop early.
         */
        private static boolean locate(
                long[] numbers,
                int size,
                int stride,
                int tableAt,
                int step,
                int[] positions,
                int n) {
            long outside = 0;
            for (int i = 0; i < n; i++) {
                long number = numbers[i];
                outside |= number | (size - 1 - number);
                positions[i] = tableAt + i * step + (int) number * stride;
            }
            return outside >= 0;
        }

        private static long firstOutside(long[] numbers, int size) {
            int i = 0;
            while (numbers[i] >= 0 && numbers[i] < size) {
                i++;
            }
            return numbers[i];
        }
    }
}
