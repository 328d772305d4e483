package org.gradwire.schedulers;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** A process that a test started, whose output goes to a file. */
final class Run implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(90);
    private static final long PAUSE_NANOS = 20_000_000;

    private final Process process;
    private final Path output;

    private Run(Process process, Path output) {
        this.process = process;
        this.output = output;
    }

    /** Start a command with more environment variables. */
    static Run start(Path folder, Map<String, String> environment, List<String> command)
            throws IOException {
        Path output = Files.createTempFile(folder, "output", ".txt");
        var builder = new ProcessBuilder(command).directory(folder.toFile());
        builder.redirectErrorStream(true).redirectOutput(output.toFile());
        builder.environment().keySet().removeIf(name -> name.startsWith("GRADWIRE_"));
        builder.environment().putAll(environment);
        Process process = builder.start();
        process.getOutputStream().close();
        return new Run(process, output);
    }

    /** Run a command to its end; {@return its output} */
    static String succeed(Path folder, Map<String, String> environment, String... command)
            throws IOException, InterruptedException {
        try (Run run = start(folder, environment, List.of(command))) {
            return run.succeed();
        }
    }

    /** Wait for the end, which must be a success; {@return the output} */
    String succeed() throws IOException, InterruptedException {
        assertTrue(awaitStatus() == 0, () -> "status " + process.exitValue() + ": " + output());
        return output();
    }

    /** Wait for the end; {@return the exit status} */
    int awaitStatus() throws InterruptedException {
        assertTrue(
                process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS),
                () -> "still running; printed " + output());
        return process.exitValue();
    }

    /** {@return the output so far} */
    String output() {
        try {
            return Files.readString(output);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /** {@return the process of a worker of a launcher, which must run} */
    ProcessHandle worker(int rank) {
        String variable = "GRADWIRE_RANK=" + rank;
        return process.children()
                .filter(child -> environment(child).contains(variable))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no worker " + rank + ": " + output()));
    }

    private static List<String> environment(ProcessHandle of) {
        try {
            return List.of(Files.readString(Path.of("/proc/" + of.pid() + "/environ")).split("\0"));
        } catch (IOException _) {
            return List.of(); // it has ended
        }
    }

    /** Send a signal to the process. */
    void signal(String name) throws IOException, InterruptedException {
        succeed(Path.of("/tmp"), Map.of(), "kill", "-" + name, "" + process.pid());
    }

    /** {@return whether a process is this one} */
    boolean isProcess(ProcessHandle other) {
        return other.pid() == process.pid();
    }

    /** {@return the child processes} */
    List<ProcessHandle> children() {
        return process.children().toList();
    }

    boolean isAlive() {
        return process.isAlive();
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

    @Override
    public void close() {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
        try {
            process.waitFor();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }
}
