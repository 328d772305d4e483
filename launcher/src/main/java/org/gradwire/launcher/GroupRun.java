package org.gradwire.launcher;

import org.gradwire.launcher.console.Console;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * A run of a group, with signal handling before and during it, and the report and the clean-up
 * after it.
 *
 * <p>SIGINT, SIGTERM and SIGHUP make the JVM run its shutdown hooks. The hook here ends the group
 * and keeps the JVM alive until the clean-up is done; the JVM's exit code is then 128 + the
 * signal's number.
 */
final class GroupRun {
    // A driver ends within seconds after its last worker; it detects a killed one later.
    private static final Duration SHARED_MEMORY_PATIENCE = Duration.ofSeconds(12);
    // Longer than the clean-up may take.
    private static final Duration HOOK_PATIENCE = Duration.ofSeconds(30);

    private final GroupPlan plan;
    private final Console console;
    private final Optional<InputStream> input;
    private final CountDownLatch done = new CountDownLatch(1);

    /**
     * Create a run.
     *
     * @param input with which the run ends; empty if it does not matter
     */
    GroupRun(GroupPlan plan, Optional<InputStream> input, Console console) {
        this.plan = plan;
        this.input = input;
        this.console = console;
    }

    /** Run the group; {@return the launcher's exit code} */
    int run() throws InterruptedException {
        var group = new WorkerGroup(plan, console);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> endOnSignal(group)));
        input.ifPresent(stream ->
                Thread.ofPlatform()
                        .daemon()
                        .name("gradwire-input")
                        .start(() -> endAfter(stream, group)));
        try {
            SharedMemory sharedMemory = SharedMemory.beforeRun();
            GroupOutcome end = group.run();
            LeftoverProcesses.end(plan.runId(), console);
            group.awaitOutput();
            GroupReport.lines(end, group.workers()).forEach(console::message);
            GroupReport.success(end, group.restarts()).ifPresent(console::message);
            sharedMemory.awaitClean(SHARED_MEMORY_PATIENCE, console);
            return end.status();
        } finally {
            done.countDown();
        }
    }

    private static void endAfter(InputStream stream, WorkerGroup group) {
        try {
            stream.transferTo(OutputStream.nullOutputStream());
        } catch (IOException _) {
            // its end
        }
        group.stop(new GroupOutcome.InputEnded());
    }

    private void endOnSignal(WorkerGroup group) {
        group.stop(new GroupOutcome.Signalled());
        Duration patience = plan.grace().plus(HOOK_PATIENCE);
        try {
            boolean _ = done.await(patience.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }
}
