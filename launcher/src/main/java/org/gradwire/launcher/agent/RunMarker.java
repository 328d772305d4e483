package org.gradwire.launcher.agent;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * Tells which processes belong to a run: those that carry the run's id in their environment, which
 * a process hands down to all that it starts.
 *
 * <p>A process that is meant to outlive the run, as a media driver that several runs share, is
 * started without this variable. Environments are read from {@code /proc}; where there is none, no
 * process is known to belong to a run but the workers themselves.
 */
public final class RunMarker {
    /** The environment variable that holds the run's id. */
    public static final String VARIABLE = "_GRADWIRE_RUN";

    private static final Path PROC = Path.of("/proc");

    private RunMarker() {}

    /** {@return the living processes that carry the id, without the caller's own} */
    public static List<ProcessHandle> processes(String runId) {
        long self = ProcessHandle.current().pid();
        try (Stream<ProcessHandle> all = ProcessHandle.allProcesses()) {
            return all.filter(process -> process.pid() != self)
                    .filter(process -> carries(process, runId))
                    .toList();
        }
    }

    /** {@return whether a process carries the id} */
    public static boolean carries(ProcessHandle process, String runId) {
        Path environment = PROC.resolve(Long.toString(process.pid())).resolve("environ");
        try {
            // ISO-8859-1 keeps each byte, so an odd value elsewhere does no harm.
            String text = Files.readString(environment, StandardCharsets.ISO_8859_1);
            return ("\0" + text).contains("\0" + VARIABLE + "=" + runId + "\0");
        } catch (IOException _) {
            return false; // ended meanwhile, or another user's
        }
    }
}
