package org.gradwire.launcher;

import java.util.List;
import java.util.Optional;

/**
 * Tells which processes belong to a run: those that carry the run's id in their environment, which
 * a process hands down to all that it starts.
 *
 * <p>A process that leads a session of its own, as a daemon does, is none of them: it is meant to
 * outlive the run, like a media driver that several runs share. Where there is no {@code /proc} to
 * look at, only the workers themselves belong to a run.
 */
final class RunMarker {
    /** The environment variable that holds the run's id. */
    static final String VARIABLE = "_GRADWIRE_RUN";

    private RunMarker() {}

    /** {@return the living processes that belong to a run, without the caller's own} */
    static List<ProcessHandle> processes(String runId) {
        ProcessFiles files = ProcessFiles.ofSystem();
        long self = ProcessHandle.current().pid();
        return files.pids().stream()
                .flatMap(List::stream)
                .filter(pid -> pid != self && belongs(files, pid, runId))
                .map(ProcessHandle::of)
                .flatMap(Optional::stream)
                .toList();
    }

    private static boolean belongs(ProcessFiles files, long pid, String runId) {
        return files.environmentHas(pid, VARIABLE, runId) && !files.mayLeadSession(pid);
    }
}
