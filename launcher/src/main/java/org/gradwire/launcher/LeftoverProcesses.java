package org.gradwire.launcher;

import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;

/** Ends the processes that workers started and did not end. */
final class LeftoverProcesses {
    // What a worker started may be about to end, now that the worker has.
    private static final Duration PATIENCE = Duration.ofSeconds(1);
    private static final Duration GRACE = Duration.ofSeconds(2);
    private static final Duration INTERVAL = Duration.ofMillis(20);

    private LeftoverProcesses() {}

    /** End those that belong to a run; wait until they are gone. */
    static void end(String runId, Console console) throws InterruptedException {
        List<ProcessHandle> left = awaitEnd(runId, PATIENCE);
        if (left.isEmpty()) {
            return;
        }
        console.message("gradwire: ending what workers left running: " + describe(left));
        left.forEach(ProcessHandle::destroy);
        awaitEnd(runId, GRACE).forEach(ProcessHandle::destroyForcibly);
        awaitEnd(runId, GRACE);
    }

    /** {@return those that are still there when they are all gone or the time is over} */
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
