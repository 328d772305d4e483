package org.gradwire.nn;

import org.gradwire.rpc.WireValue;

/**
 * A size, stride or padding in the two dimensions of an image.
 *
 * @param height along the rows' dimension, the last but one
 * @param width along the last dimension
 */
@WireValue
public record Size2d(int height, int width) {

    /** Create a size that is the same in both dimensions. */
    public Size2d(int side) {
        this(side, side);
    }

    /** {@return the components in order, as operators take them} */
    public int[] toArray() {
        return new int[] {height, width};
    }

    /** {@return as PyTorch prints it: {@code (3, 2)}} */
    @Override
    public String toString() {
        return "(%d, %d)".formatted(height, width);
    }
}
