package org.gradwire.backend.tensorpipe;

import org.gradwire.spi.DecodingException;

/**
 * Where and what a worker is, as it stands in the store for its peers. A peer that does not share
 * its media driver needs its {@link NetworkAddress} too.
 *
 * @param incarnation random; tells a worker from an earlier one with the same id
 * @param host where it runs
 * @param driver the media driver it uses: its directory and when it started
 * @param process number and start, in the host's pid namespace
 * @param hasBell whether there is a bell in the driver's directory that wakes its poller
 * @param hasSharedMemory whether it uses shared memory with peers under the same driver
 * @param ipcStream on which it listens in shared memory
 */
record Address(
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

    byte[] encode() {
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
     * Read an address.
     *
     * @throws DecodingException when it is none, or of another version of the protocol
     */
    static Address decode(byte[] bytes) {
        KeyValueLines lines = KeyValueLines.decode(WHAT, bytes);
        String version = lines.text(PROTOCOL);
        if (!version.equals(Integer.toString(FrameHeader.VERSION))) {
            throw new DecodingException(
                    "it speaks version %s of the protocol, this worker version %d; use the same Gradwire on all workers"
                            .formatted(version, FrameHeader.VERSION));
        }
        try {
            return decode(lines);
        } catch (NumberFormatException e) {
            throw new DecodingException("an address with a wrong number: " + e.getMessage(), e);
        }
    }

    private static Address decode(KeyValueLines lines) {
        return new Address(
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

    /**
     * {@return whether the workers at the two addresses reach each other through shared memory;
     * both of them say the same}
     */
    boolean sharesMemoryWith(Address other) {
        return hasSharedMemory
                && other.hasSharedMemory
                && host.equals(other.host)
                && driver.equals(other.driver);
    }
}
