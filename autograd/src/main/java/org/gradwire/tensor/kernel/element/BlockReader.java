package org.gradwire.tensor.kernel.element;

import java.lang.foreign.MemorySegment;

/**
 * Reader of strided elements in row-major order, block by block.
 *
 * <p>Elements that are contiguous in an array are not copied: {@link #array} is that array. Used by
 * one thread.
 *
 * @param <A> type of the arrays
 */
public final class BlockReader<A> {
    /**
     * Block size for copied elements. Three blocks fit the L1 cache; a power of two is 5 to 10 %
     * slower, as the blocks then have equal page offsets.
     */
    public static final int BLOCK = 768;

    private final Elements<A> elements;
    private final Strided from;
    private final boolean direct;
    private final A array;
    private int offset;

    /**
     * Create a reader.
     *
     * @param longestBlock the largest number of elements that one {@link #load} will ask for,
     *     unless the reader is {@link #direct}
     */
    public BlockReader(Elements<A> elements, Strided from, int longestBlock) {
        this.elements = elements;
        this.from = from;
        this.direct = from.contiguous() && !(from.base() instanceof MemorySegment);
        this.array = direct ? elements.cast(from.base()) : elements.array(longestBlock);
        if (!direct && from.uniform() && from.count() > 0) {
            Strided.copyRun(elements, from, from.offset(), 0, array, 0, longestBlock);
        }
    }

    /** {@return whether blocks are not copied, and so may be of any size} */
    public boolean direct() {
        return direct;
    }

    /** Make the {@code n} elements from the {@code start}th on available. */
    public void load(int start, int n) {
        if (direct) {
            offset = from.offset() + start;
        } else if (!from.uniform()) {
            from.read(elements, start, array, n);
        }
    }

    /** {@return the array of the elements last loaded} */
    public A array() {
        return array;
    }

    /** {@return the index of the first of them} */
    public int offset() {
        return offset;
    }
}
