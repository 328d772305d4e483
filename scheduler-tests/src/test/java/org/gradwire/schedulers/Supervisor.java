package org.gradwire.schedulers;

import static org.junit.jupiter.api.Assertions.fail;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Starts the workers of a dynamic group, and starts each again at once when its process fails, as a
 * scheduler does. Each process has a file for its output.
 */
final class Supervisor implements AutoCloseable {
    private final Path folder;
    private final int workers;
    private final Map<String, String> environment;
    private final List<String> command;
    private final Process[] processes;
    private final int[] restarts;
    private final CountDownLatch running;
    private boolean isClosed;

    /**
     * Create a supervisor that has started nothing.
     *
     * @param rendezvous of the group
     */
    Supervisor(
            Path folder,
            int workers,
            String rendezvous,
            Map<String, String> settings,
            List<String> command) {
        this.folder = folder;
        this.workers = workers;
        this.command = command;
        processes = new Process[workers];
        restarts = new int[workers];
        running = new CountDownLatch(workers);
        environment = new HashMap<>(settings);
        environment.put("GRADWIRE_GROUP", "dynamic");
        environment.put("GRADWIRE_QUORUM", Integer.toString(workers));
        environment.put("GRADWIRE_RENDEZVOUS", rendezvous);
    }

    synchronized void start() throws IOException {
        Files.createDirectories(folder);
        for (int rank = 0; rank < workers; rank++) {
            start(rank);
        }
    }

    private void start(int rank) throws IOException {
        Path output = folder.resolve("worker%d-%d.log".formatted(rank, restarts[rank]));
        var builder = new ProcessBuilder(command).directory(folder.toFile());
        builder.redirectErrorStream(true).redirectOutput(output.toFile());
        builder.environment().keySet().removeIf(name -> name.startsWith("GRADWIRE_"));
        builder.environment().putAll(environment);
        builder.environment().put("GRADWIRE_RANK", Integer.toString(rank));
        builder.environment().put("GRADWIRE_RESTART", Integer.toString(restarts[rank]));
        Process process = builder.start();
        process.getOutputStream().close();
        processes[rank] = process;
        var _ = process.onExit().thenAccept(ended -> onExit(rank, ended.exitValue()));
    }

    private synchronized void onExit(int rank, int status) {
        if (isClosed) {
            return;
        }
        if (status == 0) {
            running.countDown();
            return;
        }
        restarts[rank]++;
        try {
            start(rank);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** {@return the number of processes that were started again} */
    synchronized int restarts() {
        int all = 0;
        for (int one : restarts) {
            all += one;
        }
        return all;
    }

    /** Send a signal to the present process of a worker; {@return whether it was running} */
    synchronized boolean signal(int rank, String name) {
        return processes[rank].isAlive() && signal(processes[rank].toHandle(), name);
    }

    static boolean signal(ProcessHandle process, String name) {
        try {
            var kill = new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()));
            return kill.start().waitFor() == 0;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** {@return the present process of a worker} */
    synchronized ProcessHandle process(int rank) {
        return processes[rank].toHandle();
    }

    /** {@return whether all workers have ended with success} */
    boolean hasEnded() {
        return running.getCount() == 0;
    }

    /** Wait until all workers have ended with success. */
    void awaitEnd(Duration limit) throws InterruptedException {
        if (!running.await(limit.toMillis(), TimeUnit.MILLISECONDS)) {
            fail("%d workers run after %s; see %s".formatted(running.getCount(), limit, folder));
        }
    }

    @Override
    public void close() {
        synchronized (this) {
            isClosed = true;
        }
        for (Process process : processes) {
            if (process != null) {
                process.destroyForcibly();
            }
        }
    }
}
