package org.gradwire.nn;

import org.gradwire.rpc.WireValue;

/**
 * A size, stride or padding in the three dimensions of a volume.
 *
 * @param depth along the dimension before the rows'
 * @param height along the rows' dimension, the last but one
 * @param width along the last dimension
 */
@WireValue
public record Size3d(int depth, int height, int width) {

    /** Create a size that is the same in all dimensions. */
    public Size3d(int side) {
        this(side, side, side);
    }

    /** {@return the components in order, as operators take them} */
    public int[] toArray() {
        return new int[] {depth, height, width};
    }

    /** {@return as PyTorch prints it: {@code (3, 2, 1)}} */
    @Override
    public String toString() {
        return "(%d, %d, %d)".formatted(depth, height, width);
    }
}
