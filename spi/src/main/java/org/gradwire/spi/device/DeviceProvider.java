package org.gradwire.spi.device;

/**
 * Provides devices of one type for tensors, such as the accelerators of a machine. Found by {@link
 * java.util.ServiceLoader}; {@code cpu} needs no provider.
 *
 * <p>Operators run the device's {@link #kernels}, or else those of the host, which access the
 * memory of a device through {@link DeviceMemory#segment}, between {@link #enter} and the close of
 * its result, on the thread that entered. So the host must be able to address a device's memory
 * while a kernel runs, as it can unified memory.
 *
 * <p>Thread-safe.
 */
public interface DeviceProvider {

    /** {@return the type of the devices, in lower case, such as {@code cuda}} */
    String type();

    /** {@return the number of devices; their indices start at 0} */
    int count();

    /**
     * Allocate memory of a device, with undefined contents. It is freed when it is no longer
     * reachable.
     *
     * @param index below {@link #count}
     * @throws OutOfMemoryError if the device has not enough
     */
    DeviceMemory allocate(int index, long bytes);

    /**
     * Begin to run kernels for a device on this thread. Calls nest, for the same or another device;
     * the innermost applies.
     *
     * @param index below {@link #count}
     */
    Entered enter(int index);

    /** {@return the devices' own kernels} */
    default DeviceKernels kernels() {
        return DeviceKernels.NONE;
    }

    /** The period in which a thread runs kernels for a device; closed by that thread. */
    @FunctionalInterface
    interface Entered extends AutoCloseable {
        @Override
        void close();
    }
}
