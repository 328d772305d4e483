package org.gradwire.launcher;

import org.gradwire.launcher.console.Console;
import org.gradwire.launcher.console.ExitStatus;
import org.gradwire.launcher.console.LastLines;
import org.gradwire.launcher.console.LinePrefix;
import org.gradwire.launcher.console.OutputPump;
import org.gradwire.launcher.console.WorkerOutput;
import org.gradwire.launcher.restart.Membership;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** The process of one worker. Confined to the group's thread, except for its end. */
final class WorkerProcess {
    private final String name;
    private final int rank;
    private final int restart;
    private final Path readyFile;
    private final Process process;
    private final long startNanos = System.nanoTime();
    private final LastLines errors = new LastLines();
    private final LastLines output = new LastLines();
    private final List<OutputPump> pumps;
    private volatile long endNanos;
    private boolean asked;
    private boolean killed;

    private WorkerProcess(GroupPlan plan, Start start, Console console) {
        this.rank = start.rank;
        this.restart = start.restart;
        this.readyFile = start.readyFile;
        this.name = plan.world().name(rank);
        this.process = start.process;
        LinePrefix linePrefix = plan.prefix(rank);
        var out = new WorkerOutput(console, console.out(), linePrefix, output, System::nanoTime);
        var err = new WorkerOutput(console, console.err(), linePrefix, errors, System::nanoTime);
        this.pumps =
                List.of(
                        OutputPump.start(process.getInputStream(), out, name + "-out"),
                        OutputPump.start(process.getErrorStream(), err, name + "-err"));
    }

    /**
     * A process that has begun to be a worker.
     *
     * @param restart number of earlier processes of the worker
     * @param readyFile created by the worker when it has joined its group
     */
    record Start(int rank, int restart, Process process, Path readyFile) {}

    /**
     * Show the output of a worker, and wait for its end.
     *
     * @param ended called once when the process has ended, on a thread of the JDK
     */
    static WorkerProcess of(
            GroupPlan plan, Start start, Console console, Consumer<WorkerProcess> ended) {
        var worker = new WorkerProcess(plan, start, console);
        var _ =
                worker.process
                        .onExit()
                        .thenRun(() -> {
                            worker.endNanos = System.nanoTime();
                            ended.accept(worker);
                        });
        return worker;
    }

    String name() {
        return name;
    }

    int rank() {
        return rank;
    }

    /** {@return the number of earlier processes of the worker} */
    int restart() {
        return restart;
    }

    /** {@return the membership of the worker, by the file that it creates and renames} */
    Membership membership() {
        if (Files.exists(RunDirectory.leftFile(readyFile))) {
            return Membership.LEFT;
        }
        return Files.exists(readyFile) ? Membership.MEMBER : Membership.NOT_YET;
    }

    long pid() {
        return process.pid();
    }

    boolean running() {
        return process.isAlive();
    }

    /** {@return the exit status; only for a worker that has ended} */
    ExitStatus status() {
        return new ExitStatus(process.exitValue());
    }

    /** {@return the run time; only for a worker that has ended} */
    Duration age() {
        return Duration.ofNanos(endNanos - startNanos);
    }

    /** {@return its last lines on standard output} */
    List<String> lastOutput() {
        return output.lines();
    }

    /** {@return its last lines on standard error} */
    List<String> lastErrors() {
        return errors.lines();
    }

    /** {@return whether the launcher has ended it} */
    boolean wasAsked() {
        return asked;
    }

    /** Note that the launcher has ended its group, so that its end does not count as a failure. */
    void setAsked() {
        asked = true;
    }

    /** Send SIGTERM. */
    void askToEnd() {
        if (process.isAlive()) {
            asked = true;
            // Not Process.destroy, which would also close the streams with its last lines.
            process.toHandle().destroy();
        }
    }

    /** Wait for the worker's end, and kill it at the deadline. */
    void awaitEnd(long deadlineNanos) throws InterruptedException {
        long remaining = Math.max(0, deadlineNanos - System.nanoTime());
        if (!process.waitFor(remaining, TimeUnit.NANOSECONDS)) {
            killed = true;
            process.destroyForcibly();
            process.waitFor();
        }
    }

    /** Wait until the worker's output is on the console, or for the deadline. */
    void awaitOutput(long deadlineNanos) throws InterruptedException {
        for (OutputPump pump : pumps) {
            pump.await(deadlineNanos);
        }
    }

    /** {@return a description of the worker's end} */
    String fate() {
        if (killed) {
            return "was killed, since it did not end when asked";
        }
        if (asked) {
            return "ended when asked (" + status().code() + ")";
        }
        if (status().success()) {
            return "had finished";
        }
        return (status().byUserSignal() ? "" : "failed too: ") + status().description();
    }
}
