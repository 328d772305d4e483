package org.gradwire.tensor.kernel.element;

import org.gradwire.spi.device.ElementType;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * The kernels of one element type, over arrays of it.
 *
 * <p>Stateless. A range is an array and an offset; ranges of one call have the same length {@code
 * n} and either are the same range or do not overlap.
 *
 * @param <A> type of the array
 */
public interface Elements<A> {

    /** {@return a new array of zeros} */
    A array(int length);

    /** {@return an array of this type, as what it is} */
    A cast(Object array);

    /** {@return the type, as kernels of devices name it} */
    ElementType type();

    /** {@return the size of an element} */
    default int bytes() {
        return type().bytes();
    }

    /** {@return the layout of an element in native memory} */
    ValueLayout layout();

    /** Read one element as a double. */
    double getDouble(A array, int index);

    /** Read one element as a long; fractions are cut off. */
    long getLong(A array, int index);

    /** Write one element. */
    void set(A array, int index, Number value);

    /** Write a range of equal elements. */
    void fill(A array, int offset, int n, Number value);

    /** Copy strided elements into a contiguous range. */
    void gather(A from, int offset, int stride, A to, int toOffset, int n);

    /** Copy a contiguous range to strided elements. */
    void scatter(A from, int offset, A to, int toOffset, int stride, int n);

    /** Apply a function to each element. */
    void unary(Unary function, A x, int xo, A y, int yo, int n);

    /** Apply a function to each pair of elements. */
    void binary(Binary function, A a, int ao, A b, int bo, A y, int yo, int n);

    /**
     * Apply a function to each element in native memory, if there is a way without arrays.
     *
     * @param x begins with the first element, as does {@code y}
     * @return whether it was done
     */
    default boolean unaryNative(Unary function, MemorySegment x, MemorySegment y, int n) {
        return false;
    }

    /**
     * Apply a function to each pair of elements in native memory, if there is a way without arrays.
     *
     * @param a begins with the first element, as do {@code b} and {@code y}
     * @return whether it was done
     */
    default boolean binaryNative(
            Binary function, MemorySegment a, MemorySegment b, MemorySegment y, int n) {
        return false;
    }

    /**
     * Raise each element in native memory to a power, if there is a way without arrays.
     *
     * @param x begins with the first element, as does {@code y}
     * @return whether it was done
     */
    default boolean powNative(MemorySegment x, double exponent, MemorySegment y, int n) {
        return false;
    }

    /**
     * Sum elements in native memory, if there is a way without arrays.
     *
     * @param from index of the first element
     * @return whether it was done, and the sum written
     */
    default boolean sumNative(MemorySegment x, int from, int n, A y, int yo) {
        return false;
    }

    /**
     * Add a multiple of a range in native memory, if there is a way without arrays.
     *
     * @param x begins with the first element
     * @return whether it was done
     */
    default boolean addScaledFromNative(Number alpha, MemorySegment x, int xo, A y, int yo, int n) {
        return false;
    }

    /**
     * Add rows in native memory to a range, in order, if there is a way without arrays.
     *
     * @param at index of the first element of the first row
     * @param pitch elements from one row to the next
     * @return whether it was done
     */
    default boolean addRowsNative(
            MemorySegment x, int at, int pitch, int rows, A y, int yo, int n) {
        return false;
    }

    /**
     * Add a multiple to a range in native memory, if there is a way without arrays.
     *
     * @param y begins with the first element
     * @return whether it was done
     */
    default boolean addScaledToNative(Number alpha, A x, int xo, MemorySegment y, int yo, int n) {
        return false;
    }

    /** Add a multiple: {@code y += alpha * x}. */
    void addScaled(Number alpha, A x, int xo, A y, int yo, int n);

    /** {@return the sum of the products of two ranges} */
    default double dot(A a, int ao, A b, int bo, int n) {
        throw fractionsOnly();
    }

    /** Add a number, then multiply by another: {@code y = (x + shift) * scale}. */
    default void shiftScale(double shift, double scale, A x, int xo, A y, int yo, int n) {
        throw fractionsOnly();
    }

    /**
     * Add weighted ranges: {@code y[i] += w[0] * x[offsets[0] + i] + w[1] * x[offsets[1] + i] +
     * ...}. The ranges of {@code x} may overlap each other.
     */
    default void correlate(A x, int xo, int[] offsets, A weights, int wo, A y, int yo, int n) {
        throw fractionsOnly();
    }

    /** Raise each element to a power. */
    default void pow(A x, int xo, double exponent, A y, int yo, int n) {
        throw fractionsOnly();
    }

    /** Write the sum of a range to one element. */
    void sum(A x, int xo, int n, A y, int yo);

    /** Compute the softmax of a range. */
    default void softmax(A x, int xo, A y, int yo, int n) {
        throw fractionsOnly();
    }

    /** As {@link #softmax}, the logarithms of the probabilities. */
    default void logSoftmax(A x, int xo, A y, int yo, int n) {
        throw fractionsOnly();
    }

    /** Gradient of {@link #softmax} from that of its output {@code y}. */
    default void softmaxGradient(A g, int go, A y, int yo, A x, int xo, int n) {
        throw fractionsOnly();
    }

    /** Gradient of {@link #logSoftmax} from that of its output {@code y}. */
    default void logSoftmaxGradient(A g, int go, A y, int yo, A x, int xo, int n) {
        throw fractionsOnly();
    }

    /** Multiply matrices without BLAS: {@code c = a * b + (accumulate ? c : 0)}. */
    void multiply(MatrixProduct shape, A a, int ao, A b, int bo, A c, int co);

    private UnsupportedOperationException fractionsOnly() {
        return new UnsupportedOperationException(
                getClass().getSimpleName() + " has only what integers have");
    }
}
