package org.gradwire.spi.device;

import java.lang.foreign.MemorySegment;

/**
 * Memory of a device, from {@link DeviceProvider#allocate}. The host cannot address it.
 *
 * <p>Kernels and copies that use the same memory run in the order of the calls, if those are
 * ordered.
 */
public interface DeviceMemory {

    /** {@return the index of its device} */
    int index();

    /** {@return the size in bytes} */
    long bytes();

    /**
     * Copy bytes of the host to this memory. The source may be changed after the call.
     *
     * @param offset in this memory
     */
    void copyFromHost(MemorySegment source, long offset);

    /**
     * Copy bytes of this memory to the host, after all kernels that write them.
     *
     * @param offset in this memory
     * @param target filled completely when the call returns
     */
    void copyToHost(long offset, MemorySegment target);

    /**
     * Copy bytes of this memory to other memory of the same provider, on the same or another
     * device.
     */
    void copyTo(long offset, DeviceMemory target, long targetOffset, long bytes);

    /** Set all bytes to 0. */
    void clear();

    /**
     * Release the memory, which must not be used afterwards, as soon as the device is done with it.
     * Further calls do nothing.
     */
    void release();
}
