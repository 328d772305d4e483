package org.gradwire.tensor.kernel.element;

import org.jspecify.annotations.Nullable;

import java.lang.foreign.MemorySegment;

/**
 * Copies of elements from one layout to another by the runs that both have, or in tiles where the
 * runs of one are along another dimension than those of the other, as in a transposed copy.
 *
 * <p>A tile is read in runs of the source, transposed in an array that fits the L1 cache, and
 * written in runs of the target.
 */
public final class StridedCopy<A> {
    /** The side of a tile. */
    private static final int TILE = 128;

    /** The elements from one row of a tile to the next: a power of two would meet in few sets. */
    private static final int TILE_STRIDE = TILE + 8;

    /** Minimum length of runs: shorter ones are slower than single elements. */
    private static final int SHORTEST = 8;

    private final Elements<A> elements;
    private final Strided from;
    private final Strided to;
    private final JointLayout layout;

    private StridedCopy(Elements<A> elements, Strided from, Strided to, JointLayout layout) {
        this.elements = elements;
        this.from = from;
        this.to = to;
        this.layout = layout;
    }

    /**
     * Copy, if there are runs to copy by.
     *
     * @return whether it was done
     */
    public static <A> boolean copy(Elements<A> elements, Strided from, Strided to) {
        JointLayout layout = JointLayout.of(from, to);
        if (layout == null || from.count() == 0) {
            return from.count() == 0;
        }
        return new StridedCopy<>(elements, from, to, layout).copy();
    }

    private boolean copy() {
        int row = layout.runOfFirst();
        int column = layout.runOfSecond();
        if (row < 0
                || column < 0
                || layout.size(row) < SHORTEST
                || layout.size(column) < SHORTEST) {
            return false;
        }
        if (row == column) {
            layout.forEachRest(row, column, (f, t) -> copyRun(f, t, layout.size(row)));
        } else {
            var tiles = new Tiles(row, column);
            layout.forEachRest(row, column, tiles::copyPlane);
        }
        return true;
    }

    private void copyRun(int fromAt, int toAt, int n) {
        if (from.base() instanceof MemorySegment source
                && to.base() instanceof MemorySegment target) {
            long bytes = elements.bytes();
            MemorySegment.copy(source, fromAt * bytes, target, toAt * bytes, n * bytes);
        } else if (from.base() instanceof MemorySegment) {
            Strided.copyRun(elements, from, fromAt, 1, elements.cast(to.base()), toAt, n);
        } else {
            to.storeRun(elements, toAt, 1, elements.cast(from.base()), fromAt, n);
        }
    }

    /** Copies of planes: the dimension of the source's runs, and that of the target's. */
    private final class Tiles {
        private final int row;
        private final int column;
        private final A read = elements.array(TILE * TILE_STRIDE);
        private final A transposed = elements.array(TILE);

        Tiles(int row, int column) {
            this.row = row;
            this.column = column;
        }

        void copyPlane(int fromAt, int toAt) {
            for (int r = 0; r < layout.size(row); r += TILE) {
                for (int c = 0; c < layout.size(column); c += TILE) {
                    copyTile(
                            fromAt + r + c * layout.firstStride(column),
                            toAt + r * layout.secondStride(row) + c,
                            Math.min(TILE, layout.size(row) - r),
                            Math.min(TILE, layout.size(column) - c));
                }
            }
        }

        private void copyTile(int fromAt, int toAt, int rows, int columns) {
            for (int c = 0; c < columns; c++) {
                int at = fromAt + c * layout.firstStride(column);
                Strided.copyRun(elements, from, at, 1, read, c * TILE_STRIDE, rows);
            }
            for (int r = 0; r < rows; r++) {
                int at = toAt + r * layout.secondStride(row);
                elements.gather(read, r, TILE_STRIDE, transposed, 0, columns);
                to.storeRun(elements, at, 1, transposed, 0, columns);
            }
        }
    }

    /** The dimensions of two layouts of equal shape, with the strides of both. */
    private static final class JointLayout {
        private final int first;
        private final int second;
        private final int dims;
        private final int[] sizes;
        private final int[] firstStrides;
        private final int[] secondStrides;

        private JointLayout(Strided first, Strided second) {
            this.first = first.offset();
            this.second = second.offset();
            int most = first.dims() + second.dims();
            sizes = new int[most];
            firstStrides = new int[most];
            secondStrides = new int[most];
            dims = fill(first, second);
        }

        /** Return the layout; null where the dimensions of one do not divide those of the other. */
        static @Nullable JointLayout of(Strided first, Strided second) {
            if (first.count() != second.count() || first.count() == 0) {
                return null;
            }
            var layout = new JointLayout(first, second);
            return layout.dims < 0 ? null : layout;
        }

        /** Split dimensions, the innermost first, until those of both agree. */
        private int fill(Strided a, Strided b) {
            int i = a.dims() - 1;
            int j = b.dims() - 1;
            int left = a.size(i);
            int right = b.size(j);
            int stride = a.stride(i);
            int otherStride = b.stride(j);
            int n = 0;
            while (true) {
                int size = Math.min(left, right);
                if (left % size != 0 || right % size != 0) {
                    return -1;
                }
                sizes[n] = size;
                firstStrides[n] = stride;
                secondStrides[n++] = otherStride;
                left /= size;
                right /= size;
                stride *= size;
                otherStride *= size;
                if (left == 1 && --i >= 0) {
                    left = a.size(i);
                    stride = a.stride(i);
                }
                if (right == 1 && --j >= 0) {
                    right = b.size(j);
                    otherStride = b.stride(j);
                }
                if (i < 0 || j < 0) {
                    return n;
                }
            }
        }

        int size(int dim) {
            return sizes[dim];
        }

        int firstStride(int dim) {
            return firstStrides[dim];
        }

        int secondStride(int dim) {
            return secondStrides[dim];
        }

        /** {@return the dimension along which the first is contiguous; -1 for none} */
        int runOfFirst() {
            return run(firstStrides);
        }

        /** {@return the dimension along which the second is contiguous; -1 for none} */
        int runOfSecond() {
            return run(secondStrides);
        }

        private int run(int[] strides) {
            for (int dim = 0; dim < dims; dim++) {
                if (strides[dim] == 1 && sizes[dim] > 1) {
                    return dim;
                }
            }
            return -1;
        }

        /** Visit the positions of both for all indices of the dimensions other than two. */
        void forEachRest(int row, int column, Positions action) {
            int[] index = new int[dims];
            int firstAt = first;
            int secondAt = second;
            int dim;
            do {
                action.accept(firstAt, secondAt);
                for (dim = 0; dim < dims; dim++) {
                    if (dim == row || dim == column) {
                        continue;
                    }
                    firstAt += firstStrides[dim];
                    secondAt += secondStrides[dim];
                    if (++index[dim] < sizes[dim]) {
                        break;
                    }
                    index[dim] = 0;
                    firstAt -= sizes[dim] * firstStrides[dim];
                    secondAt -= sizes[dim] * secondStrides[dim];
                }
            } while (dim < dims);
        }
    }

    /** Takes a position in each of two layouts. */
    private interface Positions {
        void accept(int first, int second);
    }
}
