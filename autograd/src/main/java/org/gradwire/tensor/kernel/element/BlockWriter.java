package org.gradwire.tensor.kernel.element;

import java.lang.foreign.MemorySegment;

/**
 * Writer of strided elements in row-major order, block by block; the counterpart of {@link
 * BlockReader}.
 *
 * @param <A> type of the arrays
 */
public final class BlockWriter<A> {
    private final Elements<A> elements;
    private final Strided to;
    private final boolean direct;
    private final A array;

    /** Create a writer; see {@link BlockReader}. */
    public BlockWriter(Elements<A> elements, Strided to, int longestBlock) {
        this.elements = elements;
        this.to = to;
        this.direct = to.contiguous() && !(to.base() instanceof MemorySegment);
        this.array = direct ? elements.cast(to.base()) : elements.array(longestBlock);
    }

    /** {@return whether blocks are not copied, and so may be of any size} */
    public boolean direct() {
        return direct;
    }

    /** {@return the array to write a block to} */
    public A array() {
        return array;
    }

    /**
     * {@return the index at which to write the block that begins with the {@code start}th element}
     */
    public int offset(int start) {
        return direct ? to.offset() + start : 0;
    }

    /** Store the block that was written. */
    public void store(int start, int n) {
        if (!direct) {
            to.write(elements, start, array, n);
        }
    }
}
