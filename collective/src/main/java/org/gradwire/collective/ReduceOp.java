package org.gradwire.collective;

/**
 * Operators that combine the elements of the members' tensors, in the order of their ranks.
 *
 * <p>Half-precision elements are combined in float32 and rounded once. Integers wrap around.
 * Tensors of {@code bool} can be reduced with {@link #MIN} (and) and {@link #MAX} (or) only; {@link
 * #MEAN} is for floating-point tensors.
 */
public enum ReduceOp {
    /** The sum. */
    SUM,
    /** The sum divided by the number of members. */
    MEAN,
    /** The least element; NaN if one is NaN. */
    MIN,
    /** The greatest element; NaN if one is NaN. */
    MAX,
    /** The product. */
    PRODUCT
}
