package org.gradwire.spi.device;

import org.gradwire.spi.ElementKind;

import java.lang.foreign.MemorySegment;

/**
 * The kernels of a device, tried before those of the host. Each returns whether it did the work;
 * otherwise the host's kernel runs on the same memory, so a provider may implement only some.
 *
 * <p>They are called concurrently, on threads that have {@linkplain DeviceProvider#enter entered}
 * the device, and are complete when they return. All operands are in the device's memory; a bool is
 * a {@link ElementKind#BYTE} of 0 or 1.
 */
public interface DeviceKernels {
    /** The kernels of a device without its own. */
    DeviceKernels NONE = new DeviceKernels() {};

    /**
     * A matrix in memory.
     *
     * @param offset index of its first element
     * @param rowStride elements from one row to the next
     * @param columnStride elements from one column to the next
     */
    record Matrix(
            MemorySegment memory,
            long offset,
            int rows,
            int columns,
            long rowStride,
            long columnStride) {}

    /**
     * A contiguous run of elements.
     *
     * @param offset index of the first one
     */
    record Run(MemorySegment memory, long offset, int count) {}

    /**
     * Multiply matrices: {@code c = a b}.
     *
     * @param index of the device
     * @param accumulate whether the product is added to {@code c}
     * @return whether it was computed; otherwise nothing was written
     */
    default boolean multiply(
            int index, ElementKind kind, Matrix a, Matrix b, Matrix c, boolean accumulate) {
        return false;
    }

    /**
     * Apply a function to each element.
     *
     * @param index of the device
     * @param function its operator's name in lower case, such as {@code exp}
     * @param to the result, with the same number and kind of elements
     * @return whether it was computed; otherwise nothing was written
     */
    default boolean unary(int index, String function, ElementKind kind, Run from, Run to) {
        return false;
    }

    /**
     * Apply a function to each pair of elements at the same index.
     *
     * @param index of the device
     * @param function its operator's name in lower case, such as {@code add}
     * @param to the result, with the same number and kind of elements
     * @return whether it was computed; otherwise nothing was written
     */
    default boolean binary(int index, String function, ElementKind kind, Run a, Run b, Run to) {
        return false;
    }
}
