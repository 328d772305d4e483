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
 * <p>A process that leads a session of its own, as a daemon does, is none of them: it is meant to
 * outlive the run, like a media driver that several runs share. What is known of other processes
 * comes from {@code /proc}; where there is none, only the workers themselves belong to a run.
 */
public final class RunMarker {
    /** The environment variable that holds the run's id. */
    public static final String VARIABLE = "_GRADWIRE_RUN";

    private static final Path PROC = Path.of("/proc");
    private static final int SESSION = 3; // of the fields after the command in /proc/PID/stat

    private RunMarker() {}

    /** {@return the living processes that belong to a run, without the caller's own} */
    public static List<ProcessHandle> processes(String runId) {
        long self = ProcessHandle.current().pid();
        try (Stream<ProcessHandle> all = ProcessHandle.allProcesses()) {
            return all.filter(process -> process.pid() != self)
                    .filter(process -> belongs(process, runId))
                    .toList();
        }
    }

    /** {@return whether a process belongs to a run} */
    public static boolean belongs(ProcessHandle process, String runId) {
        try {
            String marker = "\0" + VARIABLE + "=" + runId + "\0";
            return ("\0" + read(process, "environ")).contains(marker) && !leadsSession(process);
        } catch (IOException _) {
            return false; // ended meanwhile, or another user's
        }
    }

    private static boolean leadsSession(ProcessHandle process) throws IOException {
        String stat = read(process, "stat");
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
        return fields[SESSION].equals(Long.toString(process.pid()));
    }

    private static String read(ProcessHandle process, String file) throws IOException {
        // ISO-8859-1 keeps each byte, so an odd value does no harm.
        return Files.readString(
                PROC.resolve(Long.toString(process.pid())).resolve(file),
                StandardCharsets.ISO_8859_1);
    }
}
