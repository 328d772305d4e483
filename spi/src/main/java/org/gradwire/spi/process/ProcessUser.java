package org.gradwire.spi.process;

import org.gradwire.spi.OsNative;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The user that owns the files which this process creates. */
public final class ProcessUser {
    private static final Path STATUS = Path.of("/proc/self/status");
    private static final String USERS = "Uid:"; // real, effective, saved, of file access

    private ProcessUser() {}

    /**
     * {@return the id of the effective user: from {@code /proc} on Linux, elsewhere the owner of a
     * temporary file}
     *
     * @throws IOException if neither can be read
     * @throws UnsupportedOperationException on a system whose files have no numeric owner
     */
    public static int id() throws IOException {
        return OsNative.hasProc() ? inProc() : ownerOfNewFile();
    }

    /**
     * Reads the status file, since the owner of {@code /proc/self} differs for a process that must
     * not be traced.
     */
    private static int inProc() throws IOException {
        for (String line : Files.readAllLines(STATUS)) {
            if (line.startsWith(USERS)) {
                return Integer.parseUnsignedInt(
                        line.substring(USERS.length()).strip().split("\\s+", -1)[1]);
            }
        }
        throw new IOException(STATUS + " names no user");
    }

    private static int ownerOfNewFile() throws IOException {
        Path file = Files.createTempFile("gradwire-user-", "");
        try {
            return (int) Files.getAttribute(file, "unix:uid");
        } finally {
            Files.deleteIfExists(file);
        }
    }
}
