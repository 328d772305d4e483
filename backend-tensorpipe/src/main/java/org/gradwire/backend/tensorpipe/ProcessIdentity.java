package org.gradwire.backend.tensorpipe;

import java.io.FileInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * One process of this host, not to be mistaken for a later one with the same number.
 *
 * <p>An error is no proof of an end: a process counts as ended only when the system says that there
 * is none of its number, that it is a zombie, or that its number is another process's by now. With
 * no file descriptor left, or where {@code /proc} hides other users' processes, its status is
 * unknown.
 *
 * @param pid its number in this process's pid namespace
 * @param startTicks when it started, in clock ticks since the host's boot
 */
record ProcessIdentity(long pid, long startTicks) {
    private static final int MOST_BYTES = 2048; // of 52 numbers and a name of 64 letters at most
    private static final int FIELDS_FROM_STATE_TO_START_TIME = 19;

    /** The state of a process, as far as the system tells it. */
    enum Status {
        RUNNING,
        /** By a signal, or by a debugger. */
        STOPPED,
        ENDED,
        /** An error prevents an answer. */
        UNKNOWN
    }

    /**
     * The process of a number, whichever it is.
     *
     * @param startTicks 0 unless it runs or is stopped
     */
    private record Snapshot(Status status, long startTicks) {
        boolean isLiving() {
            return status == Status.RUNNING || status == Status.STOPPED;
        }
    }

    /** {@return this process} */
    static ProcessIdentity self() {
        return ofLiving(ProcessHandle.current().pid())
                .orElseThrow(() -> new IllegalStateException("/proc/self/stat cannot be read"));
    }

    /** {@return the living process of that number; empty also when its status is unknown} */
    static Optional<ProcessIdentity> ofLiving(long pid) {
        Snapshot found = take(pid);
        return found.isLiving()
                ? Optional.of(new ProcessIdentity(pid, found.startTicks))
                : Optional.empty();
    }

    /** {@return whether there is no living process of that number, for certain} */
    static boolean isNone(long pid) {
        return take(pid).status == Status.ENDED;
    }

    Status status() {
        Snapshot found = take(pid);
        return found.isLiving() && found.startTicks != startTicks ? Status.ENDED : found.status;
    }

    /** {@return whether it has ended, for certain} */
    boolean hasEnded() {
        return status() == Status.ENDED;
    }

    private static Snapshot take(long pid) {
        // Each worker looks at all others of its host, so this takes no more than it must.
        try (var file = new FileInputStream("/proc/" + pid + "/stat")) {
            byte[] bytes = new byte[MOST_BYTES];
            int length = file.readNBytes(bytes, 0, MOST_BYTES);
            return parse(new String(bytes, 0, length, StandardCharsets.ISO_8859_1));
        } catch (IOException _) {
            return new Snapshot(isAbsent(pid) ? Status.ENDED : Status.UNKNOWN, 0);
        }
    }

    // The command's name, in parentheses, may hold anything; the fields after it are numbers.
    private static Snapshot parse(String stat) {
        int field = stat.lastIndexOf(')') + 2;
        Status status =
                switch (stat.charAt(field)) {
                    case 'Z', 'X' -> Status.ENDED;
                    case 'T', 't' -> Status.STOPPED;
                    default -> Status.RUNNING;
                };
        if (status == Status.ENDED) {
            return new Snapshot(status, 0);
        }
        for (int i = 0; i < FIELDS_FROM_STATE_TO_START_TIME; i++) {
            field = stat.indexOf(' ', field) + 1;
        }
        return new Snapshot(status, Long.parseLong(stat, field, stat.indexOf(' ', field), 10));
    }

    /** Neither question takes a file descriptor. */
    private static boolean isAbsent(long pid) {
        return LibC.isAvailable()
                ? LibC.isNoProcess(pid)
                : Files.notExists(Path.of("/proc/" + pid));
    }
}
