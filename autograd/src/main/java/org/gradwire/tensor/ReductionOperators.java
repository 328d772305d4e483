package org.gradwire.tensor;

import org.jspecify.annotations.Nullable;

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

    /** Find the largest element; equal ones share the gradient. */
    default Tensor max() {
        return Ops.max((Tensor) this);
    }

    /**
     * Find the largest elements along a dimension, which stays with extent 1 if {@code keepdim}.
     * Gradients flow to the first of each.
     */
    default ValuesAndIndices max(int dim, boolean keepdim) {
        return ValuesAndIndices.of(Ops.max((Tensor) this, dim, keepdim));
    }

    /** Find the largest elements along a dimension, which goes away. */
    default ValuesAndIndices max(int dim) {
        return max(dim, false);
    }

    /**
     * Find the largest elements over dimensions; no dimensions mean all. They stay, with extent 1,
     * if {@code keepdim}. Equal ones share the gradient.
     */
    default Tensor amax(int[] dim, boolean keepdim) {
        return Ops.amax((Tensor) this, dim, keepdim);
    }

    /** Find the largest elements over dimensions, which go away. */
    default Tensor amax(int... dim) {
        return Ops.amax((Tensor) this, dim, false);
    }

    /** Find the index of the first of the largest elements, in row-major order. */
    default Tensor argmax() {
        return Ops.argmax((Tensor) this, null, false);
    }

    /** Find the index of the first of the largest elements along a dimension, which goes away. */
    default Tensor argmax(int dim) {
        return Ops.argmax((Tensor) this, dim, false);
    }

    /**
     * Find the index of the first of the largest elements along a dimension; among all elements, in
     * row-major order, where there is none.
     */
    default Tensor argmax(@Nullable Integer dim, boolean keepdim) {
        return Ops.argmax((Tensor) this, dim, keepdim);
    }

    /** Find the smallest element; equal ones share the gradient. */
    default Tensor min() {
        return Ops.min((Tensor) this);
    }

    /**
     * Find the smallest elements along a dimension, which stays with extent 1 if {@code keepdim}.
     * Gradients flow to the first of each.
     */
    default ValuesAndIndices min(int dim, boolean keepdim) {
        return ValuesAndIndices.of(Ops.min((Tensor) this, dim, keepdim));
    }

    /** Find the smallest elements along a dimension, which goes away. */
    default ValuesAndIndices min(int dim) {
        return min(dim, false);
    }

    /**
     * Find the smallest elements over dimensions; no dimensions mean all. They stay, with extent 1,
     * if {@code keepdim}. Equal ones share the gradient.
     */
    default Tensor amin(int[] dim, boolean keepdim) {
        return Ops.amin((Tensor) this, dim, keepdim);
    }

    /** Find the smallest elements over dimensions, which go away. */
    default Tensor amin(int... dim) {
        return Ops.amin((Tensor) this, dim, false);
    }

    /** Find the index of the first of the smallest elements, in row-major order. */
    default Tensor argmin() {
        return Ops.argmin((Tensor) this, null, false);
    }

    /** Find the index of the first of the smallest elements along a dimension, which goes away. */
    default Tensor argmin(int dim) {
        return Ops.argmin((Tensor) this, dim, false);
    }

    /**
     * Find the index of the first of the smallest elements along a dimension; among all elements,
     * in row-major order, where there is none.
     */
    default Tensor argmin(@Nullable Integer dim, boolean keepdim) {
        return Ops.argmin((Tensor) this, dim, keepdim);
    }

    /** Compute the unbiased variance of all elements. */
    default Tensor var() {
        return Ops.var((Tensor) this, true);
    }

    /**
     * Compute the variance of all elements.
     *
     * @param unbiased whether to divide by one less than their number
     */
    default Tensor var(boolean unbiased) {
        return Ops.var((Tensor) this, unbiased);
    }

    /**
     * Compute the variance over dimensions; no dimensions mean all. They stay, with extent 1, if
     * {@code keepdim}.
     *
     * @param correction by how much the divisor is less than the number of elements: 1 for the
     *     unbiased estimate
     */
    default Tensor var(int[] dim, int correction, boolean keepdim) {
        return Ops.var((Tensor) this, dim, correction, keepdim);
    }

    /** Compute the unbiased variance over dimensions, which go away. */
    default Tensor var(int... dim) {
        return Ops.var((Tensor) this, dim, 1, false);
    }

    /** Compute the unbiased standard deviation of all elements. */
    default Tensor std() {
        return Ops.std((Tensor) this, true);
    }

    /**
     * Compute the standard deviation of all elements.
     *
     * @param unbiased whether to divide by one less than their number
     */
    default Tensor std(boolean unbiased) {
        return Ops.std((Tensor) this, unbiased);
    }

    /**
     * Compute the standard deviation over dimensions; no dimensions mean all. They stay, with
     * extent 1, if {@code keepdim}.
     *
     * @param correction by how much the divisor is less than the number of elements: 1 for the
     *     unbiased estimate
     */
    default Tensor std(int[] dim, int correction, boolean keepdim) {
        return Ops.std((Tensor) this, dim, correction, keepdim);
    }

    /** Compute the unbiased standard deviation over dimensions, which go away. */
    default Tensor std(int... dim) {
        return Ops.std((Tensor) this, dim, 1, false);
    }

    /** Compute the Euclidean norm of all elements. */
    default Tensor norm() {
        return Ops.norm((Tensor) this, 2);
    }

    /**
     * Compute the p-norm of all elements: {@code sum(abs(x)^p)^(1/p)}; the number of those that are
     * not zero for 0, the largest absolute value for infinity, the smallest for minus infinity.
     */
    default Tensor norm(Number p) {
        return Ops.norm((Tensor) this, p);
    }

    /**
     * Compute the p-norm over dimensions, as {@link #norm(Number)}; no dimensions mean all. They
     * stay, with extent 1, if {@code keepdim}.
     */
    default Tensor norm(Number p, int[] dim, boolean keepdim) {
        return Ops.norm((Tensor) this, p, dim, keepdim);
    }

    /** Multiply all elements; whole numbers give int64. */
    default Tensor prod() {
        return Ops.prod((Tensor) this);
    }

    /** Multiply along a dimension, which goes away. */
    default Tensor prod(int dim) {
        return Ops.prod((Tensor) this, dim, false);
    }

    /** Multiply along a dimension, which stays with extent 1 if {@code keepdim}. */
    default Tensor prod(int dim, boolean keepdim) {
        return Ops.prod((Tensor) this, dim, keepdim);
    }

    /** Compute the running sums along a dimension; whole numbers give int64. */
    default Tensor cumsum(int dim) {
        return Ops.cumsum((Tensor) this, dim);
    }

    /**
     * Compute {@code log(sum(exp(x)))} over dimensions, without overflow; no dimensions mean all.
     * They stay, with extent 1, if {@code keepdim}.
     */
    default Tensor logsumexp(int[] dim, boolean keepdim) {
        return Ops.logsumexp((Tensor) this, dim, keepdim);
    }

    /** Compute {@code log(sum(exp(x)))} over dimensions, which go away, without overflow. */
    default Tensor logsumexp(int... dim) {
        return Ops.logsumexp((Tensor) this, dim, false);
    }

    /** Count the elements that are not zero, over dimensions; none mean all. */
    default Tensor countNonzero(int... dim) {
        return Ops.countNonzero((Tensor) this, dim);
    }

    /** Compute the differences of neighbours along a dimension. */
    default Tensor diff(int dim) {
        return Ops.diff((Tensor) this, 1, dim);
    }

    /** Sum the diagonal of a matrix. */
    default Tensor trace() {
        return Ops.trace((Tensor) this);
    }
}
