package org.gradwire.spi;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The user as whom this process makes files. */
public final class ProcessUser {
    private static final Path STATUS = Path.of("/proc/self/status");
    private static final String USERS = "Uid:"; // real, effective, saved, of file access

    private ProcessUser() {}

    /**
     * {@return the number of the effective user, as Linux says in {@code /proc}; elsewhere the
     * owner of a file that is made for it, and deleted}
     *
     * @throws IOException when there is neither
     * @throws UnsupportedOperationException on a system whose files have no such owner
     */
    public static int id() throws IOException {
        return OsNative.hasProc() ? inProc() : ownerOfNewFile();
    }

    /** The owner of {@code /proc/self} is another one where the process must not be traced. */
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
