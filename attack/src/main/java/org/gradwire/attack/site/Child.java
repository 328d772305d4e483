package org.gradwire.attack.site;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** A child process with a line protocol; its standard error goes to a file. */
final class Child implements AutoCloseable {
    private static final String END = "\0end";
    private static final long BETWEEN_LOOKS_NANOS = 200_000_000;

    private final Process process;
    private final Writer input;
    private final LinkedBlockingQueue<String> lines = new LinkedBlockingQueue<>();
    private final Path log;

    Child(List<String> command, Map<String, String> environment, Path log) throws IOException {
        this.log = log;
        var builder = new ProcessBuilder(command).redirectError(log.toFile());
        builder.environment().keySet().removeIf(name -> name.startsWith("GRADWIRE_"));
        builder.environment().putAll(environment);
        process = builder.start();
        input = process.outputWriter(StandardCharsets.UTF_8);
        Thread.ofVirtual().start(this::read);
    }

    private void read() {
        try (BufferedReader reader = process.inputReader(StandardCharsets.UTF_8)) {
            reader.lines().forEach(lines::add);
        } catch (IOException | UncheckedIOException _) {
            // the process has ended; reported below
        }
        lines.add(END);
    }

    Process process() {
        return process;
    }

    Path log() {
        return log;
    }

    boolean isAlive() {
        return process.isAlive();
    }

    void say(String line) throws IOException {
        input.write(line + "\n");
        input.flush();
    }

    /**
     * Wait for a line with a prefix; {@return the rest of the line}
     *
     * @throws IOException when the process ends, or does not print it in time
     */
    String await(String prefix, Duration time) throws IOException {
        long deadline = System.nanoTime() + time.toNanos();
        try {
            while (true) {
                String line = lines.poll(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
                if (line == null || line.equals(END)) {
                    throw new IOException(
                            "%s without a line '%s'; see %s"
                                    .formatted(line == null ? time : "it ended", prefix, log));
                }
                if (line.startsWith(prefix)) {
                    return line.substring(prefix.length());
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    /**
     * Wait until the log has a text.
     *
     * @throws IOException when it has not in time
     */
    void awaitLogged(String text, Duration time) throws IOException {
        long start = System.nanoTime();
        while (!Files.readString(log).contains(text)) {
            if (System.nanoTime() - start > time.toNanos()) {
                throw new IOException("no '%s' in %s in %s".formatted(text, log, time));
            }
            LockSupport.parkNanos(BETWEEN_LOOKS_NANOS);
        }
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
