package org.gradwire.tensor;

/**
 * The operators of a {@link Tensor} that bring many elements down to few; the same as in {@link
 * Ops}.
 */
public sealed interface ReductionOperators permits Tensor {

    /** Sum all elements. */
    default Tensor sum() {
        return Ops.sum((Tensor) this);
    }

    /**
     * Sum over dimensions; no dimensions mean all. They stay, with extent 1, if {@code keepdim}.
     */
    default Tensor sum(int[] dim, boolean keepdim) {
        return Ops.sum((Tensor) this, dim, keepdim);
    }

    /** Average all elements. */
    default Tensor mean() {
        return Ops.mean((Tensor) this);
    }

    /**
     * Average over dimensions; no dimensions mean all. They stay, with extent 1, if {@code
     * keepdim}.
     */
    default Tensor mean(int[] dim, boolean keepdim) {
        return Ops.mean((Tensor) this, dim, keepdim);
    }

    /** Sum over dimensions, which go away. */
    default Tensor sum(int... dim) {
        return Ops.sum((Tensor) this, dim, false);
    }

    /** Average over dimensions, which go away. */
    default Tensor mean(int... dim) {
        return Ops.mean((Tensor) this, dim, false);
    }
}
