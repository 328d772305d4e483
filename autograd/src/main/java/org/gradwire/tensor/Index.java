package org.gradwire.tensor;

/**
 * One index of Python's subscript {@code x[1:3, ..., None, ::2, 4]}; for {@link
 * Tensor#at(Index...)}. Meant to be imported statically.
 */
public sealed interface Index {

    /** A range of a dimension, from {@code start} up to {@code end} by {@code step}. */
    record Range(int start, int end, int step) implements Index {}

    /** An integer index, which removes the dimension. */
    record At(int index) implements Index {}

    /** An advanced index: int64 indices or a mask. */
    record Of(Tensor indices) implements Index {}

    /** As many whole dimensions as are not mentioned otherwise. */
    record Ellipsis() implements Index {}

    /** A new dimension of extent 1. */
    record NewAxis() implements Index {}

    /** Return {@code start:end}; negative positions count from the end. */
    static Index range(int start, int end) {
        return range(start, end, 1);
    }

    /**
     * Return {@code start:end:step}.
     *
     * @throws IllegalArgumentException when the step is not positive
     */
    static Index range(int start, int end, int step) {
        if (step <= 0) {
            throw new IllegalArgumentException("slice step must be positive, got " + step);
        }
        return new Range(start, end, step);
    }

    /** Return {@code start:}, all from a position on. */
    static Index startingAt(int start) {
        return range(start, Integer.MAX_VALUE);
    }

    /** Return {@code :end}, all before a position. */
    static Index until(int end) {
        return range(0, end);
    }

    /** Return {@code ::step}, each {@code step}th from the first on. */
    static Index step(int step) {
        return range(0, Integer.MAX_VALUE, step);
    }

    /** Return {@code :}, a whole dimension. */
    static Index all() {
        return startingAt(0);
    }

    /** Return an integer index, which removes the dimension; a negative one counts from the end. */
    static Index index(int index) {
        return new At(index);
    }

    /**
     * Return an advanced index: int64 indices along a dimension, which the dimensions of the index
     * replace; negative ones count from the end. Or a bool mask over as many dimensions as it has,
     * which become one: that of the elements for which it is set.
     */
    static Index index(Tensor indices) {
        return new Of(indices);
    }

    /** Return {@code ...}: as many whole dimensions as are not mentioned otherwise. */
    static Index ellipsis() {
        return new Ellipsis();
    }

    /** Return {@code None}: a new dimension of extent 1. */
    static Index newAxis() {
        return new NewAxis();
    }
}
