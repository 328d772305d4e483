package org.gradwire.backend.tensorpipe.address;

import org.gradwire.backend.tensorpipe.frame.FrameHeader;
import org.gradwire.backend.tensorpipe.os.HostIdentity;
import org.gradwire.backend.tensorpipe.os.ProcessIdentity;
import org.gradwire.spi.DecodingException;
import org.gradwire.spi.UntrustedText;

/**
 * The address of a worker, published in the store. Peers under other media drivers need its {@link
 * NetworkAddress} too.
 *
 * @param incarnation random; distinguishes a worker from an earlier one with the same id
 * @param host identity of the worker's host
 * @param driver its media driver: directory and start time
 * @param process process id and start time, in the host's pid namespace
 * @param hasBell whether a doorbell in the driver's directory wakes its poller
 * @param hasSharedMemory whether it uses shared memory with peers under the same driver
 * @param ipcStream stream of its subscription in shared memory
 */
public record WorkerAddress(
        long incarnation,
        HostIdentity host,
        String driver,
        ProcessIdentity process,
        boolean hasBell,
        boolean hasSharedMemory,
        int ipcStream) {

    private static final String WHAT = "an address";
    private static final String PROTOCOL = "protocol";
    private static final int HEXADECIMAL = 16;

    public byte[] encode() {
        return KeyValueLines.of(WHAT)
                .with(PROTOCOL, FrameHeader.VERSION)
                .with("incarnation", Long.toHexString(incarnation))
                .with("host", host.text())
                .with("driver", driver)
                .with("pid", process.pid())
                .with("process-start", process.startTicks())
                .with("bell", hasBell)
                .with("shared-memory", hasSharedMemory)
                .with("ipc-stream", ipcStream)
                .encode();
    }

    /**
     * Decode an address.
     *
     * @throws DecodingException if it is invalid, or of another protocol version
     */
    public static WorkerAddress decode(byte[] bytes) {
        KeyValueLines lines = KeyValueLines.decode(WHAT, bytes);
        String version = lines.text(PROTOCOL);
        if (!version.equals(Integer.toString(FrameHeader.VERSION))) {
            throw new DecodingException(
                    "it speaks version %s of the protocol, this worker version %d; use the same version of Gradwire on all workers"
                            .formatted(UntrustedText.quote(version), FrameHeader.VERSION));
        }
        try {
            return decode(lines);
        } catch (NumberFormatException e) {
            throw KeyValueLines.wrongNumber(WHAT, e);
        }
    }

    private static WorkerAddress decode(KeyValueLines lines) {
        return new WorkerAddress(
                Long.parseUnsignedLong(lines.text("incarnation"), HEXADECIMAL),
                new HostIdentity(lines.text("host")),
                lines.text("driver"),
                new ProcessIdentity(
                        Long.parseLong(lines.text("pid")),
                        Long.parseLong(lines.text("process-start"))),
                Boolean.parseBoolean(lines.text("bell")),
                Boolean.parseBoolean(lines.text("shared-memory")),
                lines.number("ipc-stream"));
    }

    /** {@return whether the two workers reach each other through shared memory; symmetric} */
    public boolean sharesMemoryWith(WorkerAddress other) {
        return hasSharedMemory
                && other.hasSharedMemory
                && host.equals(other.host)
                && driver.equals(other.driver);
    }
}
