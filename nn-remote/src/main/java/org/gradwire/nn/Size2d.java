package org.gradwire.nn;

import org.gradwire.rpc.WireValue;

/**
 * An extent, a step or a margin in the two dimensions of an image.
 *
 * @param height along the rows' dimension, the last but one
 * @param width along the last dimension
 */
@WireValue
public record Size2d(int height, int width) {

    /** Create one that is the same in both dimensions. */
    public Size2d(int side) {
        this(side, side);
    }

    int[] toArray() {
        return new int[] {height, width};
    }

    /** Refuse one that does not begin with some number. */
    void requireAtLeast(int least, String name) {
        if (height < least || width < least) {
            throw new IllegalArgumentException(
                    "%s should be at least %d, got %s".formatted(name, least, this));
        }
    }

    /** {@return one number where both are the same, as PyTorch prints it there} */
    String brief() {
        return height == width ? Integer.toString(height) : toString();
    }

    /** {@return as PyTorch prints it: {@code (3, 2)}} */
    @Override
    public String toString() {
        return "(%d, %d)".formatted(height, width);
    }
}
