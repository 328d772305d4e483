package org.gradwire.spi;

import java.lang.foreign.MemorySegment;

/**
 * Kernels of a device's own, which are asked before the host's. Each says whether it did the work;
 * what it left is done by the host's kernel over the same memory, so a provider begins with those
 * that pay.
 *
 * <p>They are called on a thread that has {@linkplain DeviceProvider#enter entered} the device, by
 * many threads at a time, and are complete when they return. All operands lie in the device's
 * memory; a bool is a {@link ElementKind#BYTE} of 0 or 1.
 */
public interface DeviceKernels {
    /** Those of a device that has none. */
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
     * Elements that lie next to one another.
     *
     * @param offset index of the first one
     */
    record Run(MemorySegment memory, long offset, int count) {}

    /**
     * Multiply matrices: {@code c = a b}.
     *
     * @param index of the device
     * @param accumulate whether the product is added to what {@code c} holds
     * @return whether that was done; nothing was written otherwise
     */
    default boolean multiply(
            int index, ElementKind kind, Matrix a, Matrix b, Matrix c, boolean accumulate) {
        return false;
    }

    /**
     * Apply a function to each element.
     *
     * @param index of the device
     * @param function its operator's name in small letters, such as {@code exp}
     * @param to as many elements, of the same kind
     * @return whether that was done; nothing was written otherwise
     */
    default boolean unary(int index, String function, ElementKind kind, Run from, Run to) {
        return false;
    }

    /**
     * Combine each element with the one at the same place.
     *
     * @param index of the device
     * @param function its operator's name in small letters, such as {@code add}
     * @param to as many elements, of the same kind
     * @return whether that was done; nothing was written otherwise
     */
    default boolean binary(int index, String function, ElementKind kind, Run a, Run b, Run to) {
        return false;
    }
}
