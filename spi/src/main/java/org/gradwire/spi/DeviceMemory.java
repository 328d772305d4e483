package org.gradwire.spi;

import java.lang.foreign.MemorySegment;

/** Memory of a device; see {@link DeviceProvider#allocate}. */
public interface DeviceMemory {

    /** {@return its size} */
    long bytes();

    /**
     * {@return the memory as kernels see it that run for its device; used on a thread that has
     * {@linkplain DeviceProvider#enter entered} the device, and no longer than that}
     */
    MemorySegment segment();

    /**
     * Copy bytes of the host to this memory. They are there when it returns.
     *
     * @param offset where they go to
     */
    void copyFromHost(MemorySegment source, long offset);

    /**
     * Copy bytes of this memory to the host. They are there when it returns.
     *
     * @param offset where they are
     * @param target filled
     */
    void copyToHost(long offset, MemorySegment target);

    /**
     * Copy bytes of this memory to other memory of the same provider, on the same or another
     * device. They are there when it returns.
     */
    void copyTo(long offset, DeviceMemory target, long targetOffset, long bytes);
}
