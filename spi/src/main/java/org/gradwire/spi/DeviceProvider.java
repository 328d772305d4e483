package org.gradwire.spi;

/**
 * Brings devices of one type that tensors can live on, such as the accelerators of a machine. Found
 * by {@link java.util.ServiceLoader}; {@code cpu} is always there and is nobody's.
 *
 * <p>Kernels are the device's own ({@link #kernels}), and for what it has none, those of the
 * tensors' module. They reach the memory of a device through {@link DeviceMemory#segment}, between
 * {@link #enter} and the end of what it returns, on the thread that entered. So a device's memory
 * must be addressable by the host while a kernel runs, as unified memory is.
 *
 * <p>May be used by many threads.
 */
public interface DeviceProvider {

    /** {@return the type of the devices: small letters, such as {@code cuda}} */
    String type();

    /** {@return how many devices there are; their indices are 0 and on} */
    int count();

    /**
     * Return new memory of a device; its contents may be anything. It is given back when it can no
     * longer be reached.
     *
     * @param index below {@link #count}
     * @throws OutOfMemoryError when there is none left
     */
    DeviceMemory allocate(int index, long bytes);

    /**
     * Begin to run kernels for a device on this thread. May be called within another one, for the
     * same or another device; the inner one counts until it ends.
     *
     * @param index below {@link #count}
     */
    Entered enter(int index);

    /** {@return kernels of the devices' own} */
    default DeviceKernels kernels() {
        return DeviceKernels.NONE;
    }

    /** Kernels run for a device until this is closed, by the thread that entered. */
    @FunctionalInterface
    interface Entered extends AutoCloseable {
        @Override
        void close();
    }
}
