package org.gradwire.launcher;

import static org.junit.jupiter.api.Assertions.fail;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** Queries of processes that are not children of the test. */
final class Processes {
    private static final Duration INTERVAL = Duration.ofMillis(10);

    private Processes() {}

    /** Wait until all have ended; fail when that takes longer than allowed. */
    static void awaitEnd(List<ProcessHandle> processes, Duration limit)
            throws InterruptedException {
        long deadlineNanos = System.nanoTime() + limit.toNanos();
        while (processes.stream().anyMatch(Processes::runs)) {
            if (System.nanoTime() > deadlineNanos) {
                fail(processes.stream().filter(Processes::runs).toList() + " after " + limit);
            }
            Thread.sleep(INTERVAL);
        }
    }

    /** {@return whether a process runs; a zombie does not} */
    static boolean runs(ProcessHandle process) {
        try {
            String stat = Files.readString(Path.of("/proc/" + process.pid() + "/stat"));
            return stat.charAt(stat.lastIndexOf(')') + 2) != 'Z';
        } catch (IOException _) {
            return false;
        }
    }
}
