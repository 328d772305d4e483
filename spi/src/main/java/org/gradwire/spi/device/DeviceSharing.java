package org.gradwire.spi.device;

import java.util.List;

/**
 * Copies between the devices of two processes of one machine, without the host's memory. The
 * exporter describes memory in bytes, which a message carries; the importer copies from there and
 * replies with bytes. Neither waits: the devices order the work.
 *
 * <p>Thread-safe.
 */
public interface DeviceSharing {

    /** The most bytes of a description or of a reply. */
    int MOST_BYTES = 256;

    /** {@return the identity of the machine, equal in processes that can share memory} */
    String machine();

    /** {@return the identities of this process's devices, equal in all processes} */
    List<String> devices();

    /**
     * Describe a part of some memory. Until the importer has replied or was lost, the memory must
     * not be released.
     *
     * @return at most {@link #MOST_BYTES} bytes
     */
    byte[] exported(DeviceMemory memory, long offset, long bytes);

    /** {@return a place for the memory that this process opens of another one} */
    DevicePeer peer();
}
