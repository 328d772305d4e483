package org.gradwire.backend.tensorpipe;

import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** Whether there is room in memory for a driver's files and logs, and what to do when not. */
final class SharedMemory {
    private static final long MIB = 1024 * 1024;
    private static final long DRIVER_BYTES = 12 * MIB;
    private static final long LOG_META_BYTES = 4096;
    private static final int TERMS = 3;
    private static final long LEAST_DEFAULT_TERM = MIB;

    private SharedMemory() {}

    /**
     * {@return why the default place cannot take a driver and one pair of workers, if it cannot}
     */
    static Optional<String> obstacle() {
        Path place = OperatingSystem.current().sharedMemory();
        if (!Files.isDirectory(place) || !Files.isWritable(place)) {
            return Optional.of(
                    "%s is missing or not writable, and Aeron keeps its logs there; mount a tmpfs on it, or name another directory with %s"
                            .formatted(place, Keys.DIRECTORY));
        }
        long needed = DRIVER_BYTES + 2 * logBytes(LEAST_DEFAULT_TERM);
        long room = room(place);
        return room >= needed ? Optional.empty() : Optional.of(tooLittle(place, room, needed));
    }

    /** {@return the bytes of a log with such terms} */
    static long logBytes(long termLength) {
        return TERMS * termLength + LOG_META_BYTES;
    }

    /** {@return the text that says that a log does not fit} */
    static String noRoomForLog(Path place, long termLength, String key) {
        return tooLittle(place, room(place), logBytes(termLength))
                + " or a smaller "
                + key
                + " (now "
                + termLength
                + ")";
    }

    private static String tooLittle(Path place, long room, long needed) {
        return "%s has %.1f MiB left, and %.1f MiB are needed; %s, or name another directory with %s"
                .formatted(
                        place,
                        (double) room / MIB,
                        (double) needed / MIB,
                        OperatingSystem.current().adviceForRoom(),
                        Keys.DIRECTORY);
    }

    private static long room(Path place) {
        try {
            FileStore store = Files.getFileStore(place);
            return store.getUsableSpace();
        } catch (IOException _) {
            return Long.MAX_VALUE; // not known; the driver will say
        }
    }

    /** {@return the bytes that the file system of a place has in all} */
    static long total(Path place) {
        try {
            return Files.getFileStore(place).getTotalSpace();
        } catch (IOException _) {
            return Long.MAX_VALUE; // not known; the driver will say
        }
    }
}
