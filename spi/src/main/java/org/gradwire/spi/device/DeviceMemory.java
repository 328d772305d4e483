package org.gradwire.spi.device;

import java.lang.foreign.MemorySegment;

/** Memory of a device, from {@link DeviceProvider#allocate}. */
public interface DeviceMemory {

    /** {@return the size in bytes} */
    long bytes();

    /**
     * {@return the memory for kernels; only valid on a thread that has {@linkplain
     * DeviceProvider#enter entered} the device, until it leaves}
     */
    MemorySegment segment();

    /**
     * Copy bytes of the host to this memory, synchronously.
     *
     * @param offset in this memory
     */
    void copyFromHost(MemorySegment source, long offset);

    /**
     * Copy bytes of this memory to the host, synchronously.
     *
     * @param offset in this memory
     * @param target filled completely
     */
    void copyToHost(long offset, MemorySegment target);

    /**
     * Copy bytes of this memory to other memory of the same provider, on the same or another
     * device, synchronously.
     */
    void copyTo(long offset, DeviceMemory target, long targetOffset, long bytes);
}
