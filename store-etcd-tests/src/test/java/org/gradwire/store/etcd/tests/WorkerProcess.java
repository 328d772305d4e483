package org.gradwire.store.etcd.tests;

import static org.junit.jupiter.api.Assertions.fail;

import org.gradwire.conformance.harness.JavaCommand;
import org.gradwire.conformance.harness.ProcessHost;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;

/** A process of {@link SteppingWorker}, and the lines that it prints. */
final class WorkerProcess implements AutoCloseable {
    private final String name;
    private final Process process;
    private final List<Line> lines = new CopyOnWriteArrayList<>();

    /**
     * A line.
     *
     * @param nanos when it was printed, or the step began, by the clock of the machine
     * @param text what follows the time
     */
    record Line(long nanos, String text) {}

    private WorkerProcess(String name, Process process) {
        this.name = name;
        this.process = process;
        Thread.ofVirtual().start(this::read);
    }

    /**
     * Start a worker on a host.
     *
     * @param flags system properties of the JVM, each {@code -Dkey=value}
     */
    static WorkerProcess start(ProcessHost host, int rank, List<String> flags) throws IOException {
        List<String> all = new ArrayList<>(flags);
        all.addAll(List.of("-Xmx128m", "-Dgradwire.rank=" + rank));
        List<String> command = host.enter(JavaCommand.of(all, SteppingWorker.class));
        var process = new ProcessBuilder(command).redirectErrorStream(true).start();
        return new WorkerProcess("worker" + rank, process);
    }

    private void read() {
        try (BufferedReader reader = process.inputReader()) {
            reader.lines().forEach(line -> lines.add(parse(line)));
        } catch (IOException | UncheckedIOException e) {
            lines.add(new Line(0, "the output ends: " + e));
        }
    }

    private static Line parse(String line) {
        int space = line.indexOf(' ');
        return space > 0 && line.chars().limit(space).allMatch(Character::isDigit)
                ? new Line(Long.parseLong(line.substring(0, space)), line.substring(space + 1))
                : new Line(0, line);
    }

    /** Wait for a line after some time. */
    Line await(long since, String text) {
        return await(line -> line.nanos >= since && line.text.startsWith(text), text);
    }

    private Line await(Predicate<Line> wanted, String what) {
        EtcdCluster.await(
                "%s prints '%s'; it printed %s".formatted(name, what, lines),
                () -> lines.stream().anyMatch(wanted));
        return lines.stream().filter(wanted).findFirst().orElseThrow();
    }

    /** {@return the beginning of its last step} */
    long lastStep() {
        return lines.stream()
                .filter(line -> line.text.startsWith("step"))
                .mapToLong(Line::nanos)
                .max()
                .orElseThrow();
    }

    /** {@return the number of times it recovered after a time} */
    long views(long since) {
        return lines.stream()
                .filter(line -> line.nanos >= since && line.text.startsWith("view"))
                .count();
    }

    void signal(String signal) throws IOException, InterruptedException {
        long pid = process.pid(); // nsenter has become the JVM
        new ProcessBuilder("kill", "-" + signal, Long.toString(pid)).inheritIO().start().waitFor();
    }

    /**
     * End the input of the worker, which then leaves its group, and wait for the end of its
     * process.
     */
    void leave() throws IOException {
        process.outputWriter().close();
        EtcdCluster.await(name + " ends", () -> !process.isAlive());
        if (process.exitValue() != 0) {
            fail("%s ended with %d: %s".formatted(name, process.exitValue(), lines));
        }
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }

    @Override
    public String toString() {
        return name + " " + lines;
    }
}
