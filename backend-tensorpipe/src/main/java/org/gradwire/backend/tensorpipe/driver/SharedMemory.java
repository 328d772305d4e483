package org.gradwire.backend.tensorpipe.driver;

import org.gradwire.backend.tensorpipe.config.SettingKeys;
import org.gradwire.backend.tensorpipe.config.TensorPipeOptions;
import org.gradwire.backend.tensorpipe.os.OperatingSystem;

import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** Checks the free space for a driver's files and logs, with advice if there is too little. */
public final class SharedMemory {
    private static final long MIB = 1024 * 1024;
    private static final long DRIVER_BYTES = 12 * MIB;
    private static final long LEAST_DEFAULT_TERM = MIB;

    private SharedMemory() {}

    /**
     * {@return the reason why the default directory has no room for a driver and one pair of
     * workers; empty if it has}
     */
    public static Optional<String> obstacle() {
        Path place = OperatingSystem.current().sharedMemory();
        if (!Files.isDirectory(place) || !Files.isWritable(place)) {
            return Optional.of(
                    "%s is missing or not writable, and Aeron keeps its logs there; mount a tmpfs on it, or name another directory with %s"
                            .formatted(place, SettingKeys.DIRECTORY));
        }
        long needed = DRIVER_BYTES + 2 * TensorPipeOptions.logBytes(LEAST_DEFAULT_TERM);
        long room = room(place);
        return room >= needed ? Optional.empty() : Optional.of(tooLittle(place, room, needed));
    }

    /** {@return the error text for a log that does not fit} */
    public static String noRoomForLog(Path place, long termLength, String key) {
        return tooLittle(place, room(place), TensorPipeOptions.logBytes(termLength))
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
                        SettingKeys.DIRECTORY);
    }

    private static long room(Path place) {
        try {
            FileStore store = Files.getFileStore(place);
            return store.getUsableSpace();
        } catch (IOException _) {
            return Long.MAX_VALUE; // unknown; the driver reports it
        }
    }

    /** {@return the size in bytes of the file system of a directory} */
    public static long total(Path place) {
        try {
            return Files.getFileStore(place).getTotalSpace();
        } catch (IOException _) {
            return Long.MAX_VALUE; // unknown; the driver reports it
        }
    }
}
