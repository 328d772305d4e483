package org.gradwire.tensor;

/**
 * The operators of a {@link Tensor} that test its elements, and that choose elements by such tests;
 * the same as in {@link Ops}. Tests give bool, and have no gradient.
 */
public sealed interface ComparisonOperators permits Tensor {

    /** Test whether elements are equal to those of another tensor; NaN is not. */
    default Tensor eq(Tensor other) {
        return Ops.eq((Tensor) this, other);
    }

    /** Test whether elements are equal to a number. */
    default Tensor eq(Number other) {
        return Ops.eq((Tensor) this, other);
    }

    /**
     * Test whether elements are different from those of another tensor; NaN is different from
     * everything.
     */
    default Tensor ne(Tensor other) {
        return Ops.ne((Tensor) this, other);
    }

    /** Test whether elements are different from a number. */
    default Tensor ne(Number other) {
        return Ops.ne((Tensor) this, other);
    }

    /** Test whether elements are less than those of another tensor; NaN is not. */
    default Tensor lt(Tensor other) {
        return Ops.lt((Tensor) this, other);
    }

    /** Test whether elements are less than a number. */
    default Tensor lt(Number other) {
        return Ops.lt((Tensor) this, other);
    }

    /** Test whether elements are less than or equal to those of another tensor; NaN is not. */
    default Tensor le(Tensor other) {
        return Ops.le((Tensor) this, other);
    }

    /** Test whether elements are less than or equal to a number. */
    default Tensor le(Number other) {
        return Ops.le((Tensor) this, other);
    }

    /** Test whether elements are greater than those of another tensor; NaN is not. */
    default Tensor gt(Tensor other) {
        return Ops.gt((Tensor) this, other);
    }

    /** Test whether elements are greater than a number. */
    default Tensor gt(Number other) {
        return Ops.gt((Tensor) this, other);
    }

    /** Test whether elements are greater than or equal to those of another tensor; NaN is not. */
    default Tensor ge(Tensor other) {
        return Ops.ge((Tensor) this, other);
    }

    /** Test whether elements are greater than or equal to a number. */
    default Tensor ge(Number other) {
        return Ops.ge((Tensor) this, other);
    }

    /** Test whether elements are NaN. */
    default Tensor isnan() {
        return Ops.isnan((Tensor) this);
    }

    /** Test whether elements are infinite. */
    default Tensor isinf() {
        return Ops.isinf((Tensor) this);
    }

    /** Test whether elements are neither infinite nor NaN. */
    default Tensor isfinite() {
        return Ops.isfinite((Tensor) this);
    }

    /** Test whether elements of both tensors are not zero. */
    default Tensor logicalAnd(Tensor other) {
        return Ops.logicalAnd((Tensor) this, other);
    }

    /** Test whether elements of at least one of two tensors are not zero. */
    default Tensor logicalOr(Tensor other) {
        return Ops.logicalOr((Tensor) this, other);
    }

    /** Test whether elements of exactly one of two tensors are not zero. */
    default Tensor logicalXor(Tensor other) {
        return Ops.logicalXor((Tensor) this, other);
    }

    /** Test whether elements are zero. */
    default Tensor logicalNot() {
        return Ops.logicalNot((Tensor) this);
    }

    /** Test whether no element is zero; true where there are none. */
    default Tensor all() {
        return Ops.all((Tensor) this);
    }

    /**
     * Test whether no element along a dimension is zero. The dimension stays, with extent 1, if
     * {@code keepdim}.
     */
    default Tensor all(int dim, boolean keepdim) {
        return Ops.all((Tensor) this, dim, keepdim);
    }

    /** Test whether any element is not zero; false where there are none. */
    default Tensor any() {
        return Ops.any((Tensor) this);
    }

    /**
     * Test whether any element along a dimension is not zero. The dimension stays, with extent 1,
     * if {@code keepdim}.
     */
    default Tensor any(int dim, boolean keepdim) {
        return Ops.any((Tensor) this, dim, keepdim);
    }

    /**
     * Keep the elements where a bool condition holds, and take those of another tensor elsewhere.
     */
    default Tensor where(Tensor condition, Tensor other) {
        return Ops.where(condition, (Tensor) this, other);
    }

    /** Keep the elements where a bool condition holds, and take a number elsewhere. */
    default Tensor where(Tensor condition, Number other) {
        return Ops.where(condition, (Tensor) this, other);
    }

    /** Replace elements by a number where a bool mask is set; keeps the type. */
    default Tensor maskedFill(Tensor mask, Number value) {
        return Ops.maskedFill((Tensor) this, mask, value);
    }

    /**
     * Replace elements by the one of a tensor without dimensions where a bool mask is set; keeps
     * the type.
     */
    default Tensor maskedFill(Tensor mask, Tensor value) {
        return Ops.maskedFill((Tensor) this, mask, value);
    }

    /** Give the elements for which a bool mask is set, as a vector. */
    default Tensor maskedSelect(Tensor mask) {
        return Ops.maskedSelect((Tensor) this, mask);
    }

    /** Give the indices of the elements that are not zero, in order: int64 {@code [n, dim()]}. */
    default Tensor nonzero() {
        return Ops.nonzero((Tensor) this);
    }

    /**
     * Test whether elements are nearly equal, with PyTorch's tolerances: {@code 1e-5} of the other
     * element and {@code 1e-8}.
     */
    default Tensor isclose(Tensor other) {
        return Ops.isclose((Tensor) this, other, 1e-5, 1e-8, /* equalNan= */ false);
    }
}
