package org.gradwire.launcher;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A launcher that a test started, with its output so far. */
final class LaunchedProcess implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final Process process;
    private final Lines out;
    private final Lines err;

    private LaunchedProcess(Process process) {
        this.process = process;
        this.out = new Lines(process.getInputStream());
        this.err = new Lines(process.getErrorStream());
    }

    static LaunchedProcess start(ProcessBuilder builder) throws IOException {
        return new LaunchedProcess(builder.start());
    }

    /** Lines of a stream, collected by their own thread. */
    private static final class Lines {
        private final List<String> lines = new ArrayList<>();
        private final Thread thread;
        private boolean ended; // guarded by this

        Lines(InputStream stream) {
            thread = Thread.ofPlatform().daemon().start(() -> collect(stream));
        }

        private void collect(InputStream stream) {
            try (var reader =
                    new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8))) {
                for (String line; (line = reader.readLine()) != null; ) {
                    add(line);
                }
            } catch (IOException _) {
                // closed by the test
            }
            end();
        }

        private synchronized void end() {
            ended = true;
            notifyAll();
        }

        private synchronized void add(String line) {
            lines.add(line);
            notifyAll();
        }

        synchronized List<String> copy() {
            return List.copyOf(lines);
        }

        /** {@return the matches of a pattern, once there are enough, or all at the end} */
        synchronized List<Matcher> await(Pattern pattern, int count) throws InterruptedException {
            long deadlineNanos = System.nanoTime() + PATIENCE.toNanos();
            while (true) {
                List<Matcher> found =
                        lines.stream().map(pattern::matcher).filter(Matcher::find).toList();
                long remaining = deadlineNanos - System.nanoTime();
                if (found.size() >= count || ended || remaining <= 0) {
                    return found;
                }
                TimeUnit.NANOSECONDS.timedWait(this, remaining);
            }
        }
    }

    /** Wait until enough lines on standard output match; {@return the first group of each} */
    List<String> awaitOut(String pattern, int count) throws InterruptedException {
        return await(out, pattern, count).stream().map(m -> m.group(1)).toList();
    }

    private List<Matcher> await(Lines lines, String pattern, int count)
            throws InterruptedException {
        List<Matcher> found = lines.await(Pattern.compile(pattern), count);
        if (found.size() < count) {
            fail(
                    "wanted %d lines like %s; the launcher, %s, printed %s and %s"
                            .formatted(
                                    count,
                                    pattern,
                                    process.isAlive() ? "running" : "ended",
                                    out.copy(),
                                    err.copy()));
        }
        return found;
    }

    /** Wait until a line on standard error has a match. */
    void awaitErr(String pattern) throws InterruptedException {
        await(err, pattern, 1);
    }

    /** Wait for the process ids that workers print; {@return the processes} */
    List<ProcessHandle> awaitProcesses(String word, int count) throws InterruptedException {
        return awaitOut(word + " (\\d+)$", count).stream()
                .map(pid -> ProcessHandle.of(Long.parseLong(pid)).orElseThrow())
                .toList();
    }

    ProcessHandle handle() {
        return process.toHandle();
    }

    void signal(String name) throws IOException, InterruptedException {
        kill(name, Long.toString(process.pid()));
    }

    /** Send a signal to its process group, as a terminal does. */
    void signalGroup(String name) throws IOException, InterruptedException {
        kill(name, "-" + process.pid());
    }

    private static void kill(String name, String target) throws IOException, InterruptedException {
        int status =
                new ProcessBuilder("bash", "-c", "kill -" + name + " -- " + target)
                        .start()
                        .waitFor();
        assertTrue(status == 0, "kill -" + name);
    }

    void closeInput() throws IOException {
        process.getOutputStream().close();
    }

    /** Wait for its end; {@return the exit code} */
    int status() throws InterruptedException {
        if (!process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
            fail("still running; printed " + out.copy() + " and " + err.copy());
        }
        out.thread.join();
        err.thread.join();
        return process.exitValue();
    }

    /** {@return standard output, complete after {@link #status}} */
    List<String> out() {
        return out.copy();
    }

    /** {@return standard error, complete after {@link #status}} */
    List<String> err() {
        return err.copy();
    }

    String errText() {
        return String.join("\n", err.copy());
    }

    @Override
    public void close() {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
    }
}
