package org.gradwire.bench.recovery;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A supervisor with its workers, each of which can be killed. */
final class ElasticGroup implements AutoCloseable {
    private static final Pattern FIRST = Pattern.compile("first (\\d+) (\\d+) (\\d+)");
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private final Thread cleanUp = new Thread(this::destroyAll, "bench-group-end");
    private final Process supervisor;
    private final int workers;
    private final Path stop;
    private final BlockingQueue<First> firsts = new LinkedBlockingQueue<>();
    private final Map<Integer, First> last = new HashMap<>(); // by rank
    private final Map<Long, Long> begun = new HashMap<>(); // the first step, by process id

    /** A first step of a process. */
    private record First(int rank, long pid, long micros) {}

    /**
     * Start a group and wait until all have done a step.
     *
     * @param command of the supervisor
     * @param environment added variables
     * @param stop the file that ends the workers
     * @param log receives what they print
     */
    ElasticGroup(
            int workers, List<String> command, Map<String, String> environment, Path stop, Path log)
            throws IOException {
        this.workers = workers;
        this.stop = stop;
        var builder = new ProcessBuilder(command);
        builder.environment().keySet().removeIf(name -> name.startsWith("GRADWIRE_"));
        builder.environment().putAll(environment);
        builder.redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()));
        supervisor = builder.start();
        Runtime.getRuntime().addShutdownHook(cleanUp); // as when a user interrupts the bench
        Thread.ofPlatform()
                .daemon()
                .name("bench-group-output")
                .start(() -> read(supervisor.inputReader(StandardCharsets.UTF_8), log));
        try {
            awaitAll(0);
        } catch (IOException e) {
            close();
            throw e;
        }
    }

    private void read(BufferedReader lines, Path log) {
        try (lines;
                var writer =
                        Files.newBufferedWriter(log.resolveSibling(log.getFileName() + ".out"))) {
            for (String line; (line = lines.readLine()) != null; ) {
                writer.write(line + "\n");
                Matcher first = FIRST.matcher(line);
                if (first.find()) {
                    firsts.add(
                            new First(
                                    Integer.parseInt(first.group(1)),
                                    Long.parseLong(first.group(2)),
                                    Long.parseLong(first.group(3))));
                }
            }
        } catch (IOException e) {
            System.err.println("cannot read what the workers print: " + e.getMessage());
        }
    }

    /**
     * Wait until all workers have done a first step after a time; {@return the time of the first of
     * these steps}
     */
    private long awaitAll(long sinceMicros) throws IOException {
        Map<Integer, First> found = new HashMap<>();
        long deadlineNanos = System.nanoTime() + PATIENCE.toNanos();
        while (found.size() < workers) {
            First first = poll(deadlineNanos);
            begun.putIfAbsent(first.pid, first.micros);
            if (first.micros > sinceMicros) {
                found.put(first.rank, first);
            }
        }
        last.putAll(found);
        return found.values().stream().mapToLong(First::micros).min().orElseThrow();
    }

    private First poll(long deadlineNanos) throws IOException {
        try {
            while (System.nanoTime() < deadlineNanos) {
                First first = firsts.poll(100, TimeUnit.MILLISECONDS);
                if (first != null) {
                    return first;
                }
                if (!supervisor.isAlive() && firsts.isEmpty()) {
                    throw new IOException("the group ended with code " + supervisor.exitValue());
                }
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
        throw new IOException("no step of all workers in " + PATIENCE);
    }

    /** {@return the time since the first step of the process of a worker} */
    Duration age(int rank) {
        long begin = begun.getOrDefault(process(rank).pid, now());
        return Duration.of(now() - begin, ChronoUnit.MICROS);
    }

    private First process(int rank) {
        First process = last.get(rank);
        if (process == null) {
            throw new IllegalArgumentException("no worker " + rank);
        }
        return process;
    }

    private static long now() {
        return ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
    }

    /** Kill a worker; {@return the time until the first step of all after that} */
    Duration kill(int rank) throws IOException {
        ProcessHandle victim =
                ProcessHandle.of(process(rank).pid)
                        .orElseThrow(() -> new IOException("worker " + rank + " has ended"));
        long killed = now();
        if (!victim.destroyForcibly()) {
            throw new IOException("worker " + rank + " cannot be killed");
        }
        return Duration.of(awaitAll(killed) - killed, ChronoUnit.MICROS);
    }

    /** End the workers by the file; {@return the exit code of the supervisor} */
    int end() throws IOException {
        Files.createFile(stop);
        long deadlineNanos = System.nanoTime() + PATIENCE.toNanos();
        while (supervisor.isAlive() && System.nanoTime() < deadlineNanos) {
            LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
        }
        if (supervisor.isAlive()) {
            throw new IOException("the group has not ended in " + PATIENCE);
        }
        Files.delete(stop);
        return supervisor.exitValue();
    }

    @Override
    public void close() {
        destroyAll();
        try {
            Runtime.getRuntime().removeShutdownHook(cleanUp);
        } catch (IllegalStateException _) {
            // this JVM is shutting down, and the hook runs
        }
    }

    private void destroyAll() {
        supervisor.descendants().forEach(ProcessHandle::destroyForcibly);
        supervisor.destroyForcibly();
    }
}
