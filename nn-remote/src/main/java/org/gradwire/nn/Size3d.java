package org.gradwire.nn;

import org.gradwire.rpc.WireValue;

/**
 * Three numbers for the dimensions of a volume: extents, or how far to go in each.
 *
 * @param depth along the dimension before the rows'
 * @param height along the rows' dimension, the last but one
 * @param width along the last dimension
 */
@WireValue
public record Size3d(int depth, int height, int width) {

    /** Create one that is the same in all dimensions. */
    public Size3d(int side) {
        this(side, side, side);
    }

    int[] toArray() {
        return new int[] {depth, height, width};
    }

    /** Refuse one that does not begin with some number. */
    void requireAtLeast(int least, String name) {
        if (depth < least || height < least || width < least) {
            throw new IllegalArgumentException(
                    "%s should be at least %d, got %s".formatted(name, least, this));
        }
    }

    /** {@return as PyTorch prints it: {@code (3, 2, 1)}} */
    @Override
    public String toString() {
        return "(%d, %d, %d)".formatted(depth, height, width);
    }
}
