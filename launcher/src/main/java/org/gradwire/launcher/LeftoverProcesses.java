package org.gradwire.launcher;

import org.gradwire.launcher.console.Console;

import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;

/** Kills the processes that workers left running. */
final class LeftoverProcesses {
    // A process may end shortly after the worker that started it.
    private static final Duration PATIENCE = Duration.ofSeconds(1);
    private static final Duration GRACE = Duration.ofSeconds(2);
    private static final Duration INTERVAL = Duration.ofMillis(20);

    private LeftoverProcesses() {}

    /** End the processes of a run and wait for their end. */
    static void end(String runId, Console console) throws InterruptedException {
        List<ProcessHandle> left = awaitEnd(runId, PATIENCE);
        if (left.isEmpty()) {
            return;
        }
        console.message("gradwire: ending processes that workers left running: " + describe(left));
        left.forEach(ProcessHandle::destroy);
        awaitEnd(runId, GRACE).forEach(ProcessHandle::destroyForcibly);
        awaitEnd(runId, GRACE);
    }

    /** {@return the remaining processes, when all have ended or after the time limit} */
    private static List<ProcessHandle> awaitEnd(String runId, Duration patience)
            throws InterruptedException {
        long deadlineNanos = System.nanoTime() + patience.toNanos();
        List<ProcessHandle> left = RunMarker.processes(runId);
        while (!left.isEmpty() && System.nanoTime() < deadlineNanos) {
            Thread.sleep(INTERVAL);
            left = RunMarker.processes(runId);
        }
        return left;
    }

    private static String describe(List<ProcessHandle> processes) {
        return processes.stream()
                .map(process ->
                        process.pid() + process.info().command().map(c -> " " + c).orElse(""))
                .collect(Collectors.joining(", "));
    }
}
