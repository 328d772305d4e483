package org.gradwire.launcher;

import java.util.List;
import java.util.Optional;

/**
 * Identifies the processes of a run: they inherit the run's id in their environment.
 *
 * <p>A process that leads a session, as a daemon does, is excluded: it should outlive the run, like
 * a media driver that several runs share. On systems without {@code /proc} only the workers belong
 * to a run.
 */
final class RunMarker {
    /** The environment variable that holds the run's id. */
    static final String VARIABLE = "_GRADWIRE_RUN";

    private RunMarker() {}

    /** {@return the living processes of a run, without the current one} */
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
