package org.gradwire.spark.tests;

import static org.junit.jupiter.api.Assertions.fail;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/** The processes of this machine that belong to workers of the tests. */
final class Workers {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final long PAUSE_NANOS = 20_000_000;

    private Workers() {}

    /**
     * {@return the processes whose command line has a text, launchers and workers}
     *
     * @param text an argument of the workers of one test
     */
    static List<ProcessHandle> with(String text) {
        long self = ProcessHandle.current().pid();
        return ProcessHandle.allProcesses()
                .filter(process -> process.pid() != self && read(process, "cmdline").contains(text))
                .toList();
    }

    /** {@return the content of a file of a process; empty if it has ended} */
    static String read(ProcessHandle process, String file) {
        try {
            return Files.readString(
                    Path.of("/proc/" + process.pid(), file), StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            return "";
        }
    }

    /** Wait until workers have created their files in a folder. */
    static void awaitFiles(Path folder, int workers) {
        await(
                workers + " workers",
                () -> {
                    try (Stream<Path> files = Files.list(folder)) {
                        return files.count() == workers;
                    } catch (IOException e) {
                        throw new AssertionError(e);
                    }
                });
    }

    /** Wait until no process has a text in its command line. */
    static void awaitNone(String text) {
        await("end of the workers", () -> with(text).isEmpty());
    }

    /** Wait for a condition. */
    static void await(String what, BooleanSupplier condition) {
        long deadlineNanos = System.nanoTime() + PATIENCE.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - deadlineNanos > 0) {
                fail("no " + what + " in " + PATIENCE);
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }
}
