package org.gradwire.spi.device;

/**
 * Memory of another process's devices that this process has opened; see {@link DeviceSharing}. All
 * that the other one sent is checked. After {@link #close} all methods but that throw {@link
 * IllegalStateException}.
 *
 * <p>Thread-safe.
 */
public interface DevicePeer extends AutoCloseable {

    /**
     * Check a description, and open the memory.
     *
     * @param bytes that it must have
     * @throws DeviceException when the driver does not open the memory
     * @throws IllegalArgumentException when the description is malformed, or names other memory
     */
    void check(byte[] exported, long bytes);

    /**
     * Copy from the other process, after all its work on the memory before the export. May return
     * before the copy is done; what uses the target afterwards waits for it, on the device.
     *
     * @param exported the description, for as many bytes as the target has
     * @return the reply to the exporter
     */
    byte[] copyFrom(byte[] exported, DeviceMemory target);

    /**
     * Take the importer's reply: work that changes the memory or reuses it afterwards waits for the
     * copy, on the device.
     *
     * @throws IllegalArgumentException when the reply is malformed
     */
    void copied(DeviceMemory memory, byte[] reply);

    /** Close all that was opened, after the work that uses it. */
    @Override
    void close();
}
