package org.gradwire.tensor.kernel;

import java.lang.foreign.MemorySegment;

/**
 * Reads numbers that are laid out by strides, in row-major order of their shape, in blocks.
 *
 * <p>Numbers that already lie one after the other in an array are not copied: {@link #array} is
 * that array. Used by one thread.
 *
 * @param <A> type of the arrays
 */
public final class BlockReader<A> {
    /**
     * How many elements a block has where they are copied. What three blocks take fits L1; a power
     * of two is 5 to 10 % slower, as the blocks then lie at the same place of a page each.
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

    /** {@return where the elements last loaded lie} */
    public A array() {
        return array;
    }

    /** {@return the index of the first of them} */
    public int offset() {
        return offset;
    }
}
