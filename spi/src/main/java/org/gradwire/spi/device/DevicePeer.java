package org.gradwire.spi.device;

/**
 * What this process has opened of another process's devices; see {@link DeviceSharing}. What the
 * other one sent is checked.
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
     * @return the answer to the exporter
     */
    byte[] copyFrom(byte[] exported, DeviceMemory target);

    /**
     * Take the answer of the importer: what changes the memory or reuses it afterwards waits for
     * the copy, on the device.
     *
     * @throws IllegalArgumentException when the answer is malformed
     */
    void copied(DeviceMemory memory, byte[] answer);

    /** Close all that was opened, after the work that uses it. */
    @Override
    void close();
}
