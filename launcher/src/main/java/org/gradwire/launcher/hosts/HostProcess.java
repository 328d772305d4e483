package org.gradwire.launcher.hosts;

import org.gradwire.launcher.console.Console;
import org.gradwire.launcher.console.ExitStatus;
import org.gradwire.launcher.console.LastLines;
import org.gradwire.launcher.console.LinePrefix;
import org.gradwire.launcher.console.OutputPump;
import org.gradwire.launcher.console.WorkerOutput;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * The {@code ssh} that runs the launcher of a host. Confined to the run's thread, except for its
 * events and its end.
 */
final class HostProcess {
    private static final int SSH_FAILED = 255;
    // A process that a worker started as a daemon may keep the output open without a limit.
    private static final Duration OUTPUT_PATIENCE = Duration.ofSeconds(1);

    private final String name;
    private final String mark;
    private final Process process;
    private final OutputStream input;
    private final HostErrors errors;
    private final List<OutputPump> pumps;
    private boolean begun;
    private boolean asked;
    private boolean abandoned;

    private HostProcess(
            String name,
            String mark,
            Process process,
            Console console,
            BiConsumer<HostProcess, String> events) {
        this.name = name;
        this.mark = mark;
        this.process = process;
        input = process.getOutputStream();
        var out =
                new WorkerOutput(
                        console,
                        console.out(),
                        LinePrefix.none(),
                        new LastLines(),
                        System::nanoTime);
        errors = new HostErrors(name, mark, console, event -> events.accept(this, event));
        pumps =
                List.of(
                        OutputPump.start(process.getInputStream(), out, name + "-out"),
                        OutputPump.start(process.getErrorStream(), errors, name + "-err"));
    }

    /**
     * Start the launcher of a host.
     *
     * @param events receives the events of the launcher
     * @param ended called once, after the last event
     */
    static HostProcess start(
            HostsPlan plan,
            int index,
            Console console,
            BiConsumer<HostProcess, String> events,
            Consumer<HostProcess> ended)
            throws IOException {
        var builder = new ProcessBuilder(plan.command(index));
        Secrets.removeFrom(builder.environment());
        var host =
                new HostProcess(
                        plan.hosts().get(index).address(),
                        Secrets.random(),
                        builder.start(),
                        console,
                        events);
        var _ =
                host.process
                        .onExit()
                        .thenRunAsync(() -> {
                            host.awaitOutput();
                            ended.accept(host);
                        });
        return host;
    }

    String name() {
        return name;
    }

    /**
     * Make the launcher start its workers.
     *
     * @param kind of the secret: {@code token}, {@code join} or {@code none}
     */
    void begin(String kind, String secret, int port) {
        begun = true;
        try {
            input.write(
                    "%s %s %s %d\n"
                            .formatted(mark, kind, secret, port)
                            .getBytes(StandardCharsets.US_ASCII));
            input.flush();
        } catch (IOException _) {
            // ssh has ended, or soon will
        }
    }

    /** {@return whether the launcher may start its workers} */
    boolean begun() {
        return begun;
    }

    boolean running() {
        return process.isAlive();
    }

    /** {@return the exit code of the launcher, or of {@code ssh}; only after its end} */
    ExitStatus status() {
        return new ExitStatus(process.exitValue());
    }

    /** {@return whether {@code ssh} failed, and not what it ran; only after its end} */
    boolean lost() {
        return process.exitValue() == SSH_FAILED;
    }

    /** {@return whether the launcher had started} */
    boolean started() {
        return errors.ready();
    }

    /** {@return the last lines of {@code ssh} and of the remote shell before the start} */
    List<String> beforeStart() {
        return errors.beforeStart();
    }

    /** End the launcher and its workers, by the end of its input. */
    void askToEnd() {
        if (process.isAlive()) {
            asked = true;
        }
        try {
            input.close();
        } catch (IOException _) {
            // ssh has ended
        }
        if (!started()) {
            process.toHandle().destroy(); // it may still wait for a connection
        }
    }

    /** Wait for the end, and end {@code ssh} itself at the deadline. */
    void awaitEnd(long deadlineNanos) throws InterruptedException {
        long remaining = Math.max(0, deadlineNanos - System.nanoTime());
        if (!process.waitFor(remaining, TimeUnit.NANOSECONDS)) {
            abandoned = true;
            process.destroyForcibly();
            process.waitFor();
        }
        awaitOutput();
    }

    private void awaitOutput() {
        long deadlineNanos = System.nanoTime() + OUTPUT_PATIENCE.toNanos();
        try {
            for (OutputPump pump : pumps) {
                pump.await(deadlineNanos);
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    /** {@return a description of its end} */
    String fate() {
        if (abandoned) {
            return "did not end when asked, so its connection was closed";
        }
        if (asked) {
            return "ended when asked (" + status().code() + ")";
        }
        return status().success() ? "had finished" : "failed too: " + status().description();
    }
}
