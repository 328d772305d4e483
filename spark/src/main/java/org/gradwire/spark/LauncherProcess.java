package org.gradwire.spark;

import org.apache.spark.BarrierTaskContext;
import org.apache.spark.SparkEnv;
import org.apache.spark.TaskKilledException;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * The launcher of a worker. It ends the worker when its standard input ends, so also when the
 * executor is killed. Confined to the thread of the task.
 */
final class LauncherProcess implements AutoCloseable {
    private static final long POLL_MILLIS = 100;
    // Longer than a launcher needs after the grace period.
    private static final Duration END_PATIENCE = Duration.ofSeconds(20);
    // A process that a worker started as a daemon may keep the output open without a limit.
    private static final Duration OUTPUT_PATIENCE = Duration.ofSeconds(1);

    private final Process process;
    private final int rank;
    private final Duration grace;
    private final String mark = Rendezvous.randomSecret();
    private final OutputStream input;
    private final WorkerLog log;
    private final long startNanos = System.nanoTime();

    private LauncherProcess(Process process, int rank, Duration grace) {
        this.process = process;
        this.rank = rank;
        this.grace = grace;
        input = process.getOutputStream();
        log = WorkerLog.start(process, mark, rank);
    }

    static LauncherProcess start(ProcessBuilder builder, int rank, Duration grace)
            throws IOException {
        return new LauncherProcess(builder.start(), rank, grace);
    }

    /** Make the launcher start its worker. */
    void begin(Rendezvous rendezvous) {
        String line = "%s token %s %d\n".formatted(mark, rendezvous.secret(), rendezvous.port());
        try {
            input.write(line.getBytes(StandardCharsets.US_ASCII));
            input.flush();
        } catch (IOException e) {
            // It has ended, which the wait for its end reports.
        }
    }

    /**
     * Wait for the port that the launcher has chosen.
     *
     * @throws SparkGroupException if the launcher ends before
     */
    int awaitPort(BarrierTaskContext context) throws InterruptedException {
        CompletableFuture<Integer> port = log.port();
        while (true) {
            try {
                return port.get(POLL_MILLIS, TimeUnit.MILLISECONDS);
            } catch (TimeoutException e) {
                if (!process.isAlive() && !port.isDone()) {
                    throw SparkGroupException.failed(awaitEnd(context));
                }
                endIfKilled(context);
            } catch (ExecutionException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    /** Wait for the end of the worker, or of the task; {@return the report of the worker} */
    WorkerReport awaitEnd(BarrierTaskContext context) throws InterruptedException {
        while (!process.waitFor(POLL_MILLIS, TimeUnit.MILLISECONDS)) {
            endIfKilled(context);
        }
        Duration time = Duration.ofNanos(System.nanoTime() - startNanos);
        log.await(OUTPUT_PATIENCE);
        return new WorkerReport(
                rank,
                SparkEnv.get().blockManager().blockManagerId().host(),
                SparkEnv.get().executorId(),
                process.exitValue(),
                time,
                0,
                log.lastLines());
    }

    private void endIfKilled(BarrierTaskContext context) {
        if (context.isInterrupted()) {
            throw new TaskKilledException("ending worker" + rank);
        }
    }

    /** End the worker and the launcher, and wait for their end. */
    @Override
    public void close() {
        try {
            input.close();
        } catch (IOException e) {
            // It has ended.
        }
        boolean interrupted = false;
        long deadlineNanos = System.nanoTime() + grace.plus(END_PATIENCE).toNanos();
        while (process.isAlive()) {
            try {
                long remaining = deadlineNanos - System.nanoTime();
                if (!process.waitFor(remaining, TimeUnit.NANOSECONDS)) {
                    process.descendants().forEach(ProcessHandle::destroyForcibly);
                    process.destroyForcibly();
                }
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
