package org.gradwire.spark;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Passes the output of a worker on to the log of the executor, and keeps its end.
 *
 * <p>The launcher begins its own lines on standard error with a mark.
 */
final class WorkerLog {
    private static final Logger LOGGER = LoggerFactory.getLogger("org.gradwire.spark.worker");
    private static final int KEPT_LINES = 20;
    private static final int MAX_LINE = 1 << 16;
    private static final String PORT = "port ";
    private static final String MESSAGE = "message ";

    private final String mark;
    private final CompletableFuture<Integer> port = new CompletableFuture<>();
    private final String prefix;
    private final Deque<String> lastLines = new ArrayDeque<>();
    private final Deque<String> lastMessages = new ArrayDeque<>();
    private final List<Thread> pumps;

    private WorkerLog(Process process, String mark, int rank) {
        this.mark = mark + " ";
        prefix = "worker" + rank + " | ";
        pumps =
                List.of(
                        pump(process.getInputStream(), this::output, "worker" + rank + "-out"),
                        pump(process.getErrorStream(), this::error, "worker" + rank + "-err"));
    }

    /**
     * Start to pass lines on.
     *
     * @param mark begins each line of the launcher itself
     */
    static WorkerLog start(Process process, String mark, int rank) {
        var log = new WorkerLog(process, mark, rank);
        log.pumps.forEach(Thread::start);
        return log;
    }

    private static Thread pump(InputStream stream, Consumer<String> sink, String name) {
        var thread = new Thread(() -> pass(stream, sink), "gradwire-" + name);
        thread.setDaemon(true);
        return thread;
    }

    private static void pass(InputStream stream, Consumer<String> sink) {
        var line = new StringBuilder();
        try (Reader reader =
                new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8))) {
            int next;
            while ((next = reader.read()) >= 0) {
                boolean ends = next == '\n';
                if (ends || line.length() == MAX_LINE) {
                    sink.accept(line.toString());
                    line.setLength(0);
                }
                if (!ends) {
                    line.append((char) next);
                }
            }
        } catch (IOException e) {
            LOGGER.debug("the output of a worker has ended", e);
        }
        if (line.length() > 0) {
            sink.accept(line.toString());
        }
    }

    private void output(String line) {
        keep(line.startsWith(prefix) ? line.substring(prefix.length()) : line, lastLines);
        LOGGER.info(line);
    }

    private void error(String line) {
        if (!line.startsWith(mark)) {
            output(line);
            return;
        }
        String event = line.substring(mark.length());
        if (event.startsWith(PORT)) {
            port.complete(Integer.valueOf(event.substring(PORT.length())));
        } else if (event.startsWith(MESSAGE)) {
            String message = event.substring(MESSAGE.length());
            keep(message, lastMessages);
            LOGGER.warn(message);
        }
    }

    private synchronized void keep(String line, Deque<String> last) {
        last.addLast(line);
        if (last.size() > KEPT_LINES) {
            last.removeFirst();
        }
    }

    /** {@return the port of the rendezvous, once the launcher has chosen it} */
    CompletableFuture<Integer> port() {
        return port;
    }

    /** {@return the last lines of the worker, both streams together; of the launcher if none} */
    synchronized List<String> lastLines() {
        return List.copyOf(lastLines.isEmpty() ? lastMessages : lastLines);
    }

    /** Wait for the end of the output. */
    void await(Duration patience) throws InterruptedException {
        long deadlineNanos = System.nanoTime() + patience.toNanos();
        for (Thread pump : pumps) {
            long remaining = TimeUnit.NANOSECONDS.toMillis(deadlineNanos - System.nanoTime());
            pump.join(Math.max(1, remaining));
        }
    }
}
