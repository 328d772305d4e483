package org.gradwire.launcher;

import org.gradwire.launcher.secure.RunCertificates;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * The workers of one run.
 *
 * <p>{@link #run} starts them and waits. When one fails, at the timeout or at a call of {@link
 * #stop}, the others receive SIGTERM, and are killed after the grace period.
 */
final class WorkerGroup {
    // A daemon that a worker started may keep the worker's output open without a limit.
    private static final Duration OUTPUT_PATIENCE = Duration.ofSeconds(1);
    private static final Duration SIGNAL_PATIENCE = Duration.ofMillis(200);

    private final GroupPlan plan;
    private final Console console;
    private final BlockingQueue<Event> events = new LinkedBlockingQueue<>();
    private final List<WorkerProcess> workers = new ArrayList<>();
    private @Nullable Thread joining; // waits for another launcher; guarded by this

    private sealed interface Event {
        record Ended(WorkerProcess worker) implements Event {}

        record Stop(GroupOutcome reason) implements Event {}
    }

    WorkerGroup(GroupPlan plan, Console console) {
        this.plan = plan;
        this.console = console;
        var _ = console.broken().thenRun(() -> stop(new GroupOutcome.OutputClosed()));
    }

    /** Make {@link #run} end the group. For any thread; the first reason counts. */
    synchronized void stop(GroupOutcome reason) {
        events.add(new Event.Stop(reason));
        if (joining != null) {
            joining.interrupt();
        }
    }

    /** {@return the started workers, by rank} */
    List<WorkerProcess> workers() {
        return List.copyOf(workers);
    }

    /** Start the workers and wait until all have ended; {@return the outcome} */
    GroupOutcome run() throws InterruptedException {
        // The token is deleted first, while the watchdog still deletes it if the launcher is
        // killed.
        try (RunDirectory directory = RunDirectory.create(System.getenv());
                LauncherWatchdog watch = LauncherWatchdog.start(plan.runId(), directory.path());
                SecureStart secure = startSecure(directory);
                TokenFile token = TokenFile.provide(secure.token(), directory)) {
            GroupOutcome end = start(watch, meeting(directory, token), secure.certificates());
            if (end instanceof GroupOutcome.Finished) {
                end = supervise(watch);
            }
            endAll(end);
            return end;
        } catch (IOException e) {
            return new GroupOutcome.NotStarted(String.valueOf(e.getMessage()));
        }
    }

    /** Get the certificates; {@link #stop} ends the wait for another launcher. */
    private SecureStart startSecure(RunDirectory directory) throws IOException {
        setJoining(Thread.currentThread());
        try {
            return SecureStart.of(plan, directory, console);
        } finally {
            setJoining(null);
        }
    }

    private synchronized void setJoining(@Nullable Thread thread) {
        joining = thread;
        if (thread == null) {
            boolean _ = Thread.interrupted(); // by a stop that came when the wait was over
        }
    }

    /** Wait until the workers' output is on the console. */
    void awaitOutput() throws InterruptedException {
        long deadlineNanos = System.nanoTime() + OUTPUT_PATIENCE.toNanos();
        for (WorkerProcess worker : workers) {
            worker.awaitOutput(deadlineNanos);
        }
    }

    private Map<String, String> meeting(RunDirectory directory, TokenFile token) {
        Map<String, String> meeting = new HashMap<>(token.environment());
        meeting.put(
                "GRADWIRE_RENDEZVOUS", plan.world().rendezvous().orElseGet(directory::rendezvous));
        return meeting;
    }

    private GroupOutcome start(
            LauncherWatchdog watch, Map<String, String> meeting, RunCertificates certificates) {
        try {
            for (int rank : plan.world().ranks()) {
                Map<String, String> own = new HashMap<>(meeting);
                own.putAll(certificates.of(rank));
                workers.add(
                        WorkerProcess.start(
                                plan,
                                rank,
                                own,
                                console,
                                ended -> events.add(new Event.Ended(ended))));
                watch.update(running());
            }
            return new GroupOutcome.Finished();
        } catch (IOException e) {
            return new GroupOutcome.NotStarted(String.valueOf(e.getMessage()));
        }
    }

    private List<WorkerProcess> running() {
        return workers.stream().filter(WorkerProcess::running).toList();
    }

    private GroupOutcome supervise(LauncherWatchdog watch) throws InterruptedException {
        long startNanos = System.nanoTime();
        int running = workers.size();
        while (running > 0) {
            switch (nextEvent(startNanos)) {
                case Event.Stop(GroupOutcome reason) -> {
                    return reason;
                }
                case Event.Ended(WorkerProcess worker) when !worker.status().success() -> {
                    return failure(worker);
                }
                case Event.Ended _ -> {
                    running--;
                    watch.update(running());
                }
            }
        }
        return new GroupOutcome.Finished();
    }

    /**
     * Distinguish a failure from a Ctrl-C, which also reaches the workers and may end them first.
     */
    private GroupOutcome failure(WorkerProcess worker) throws InterruptedException {
        if (worker.status().byUserSignal()) {
            long deadlineNanos = System.nanoTime() + SIGNAL_PATIENCE.toNanos();
            Event event;
            while ((event = pollUntil(deadlineNanos)) != null) {
                if (event instanceof Event.Stop(GroupOutcome reason)) {
                    return reason;
                }
            }
        }
        return new GroupOutcome.WorkerFailed(worker);
    }

    private Event nextEvent(long startNanos) throws InterruptedException {
        if (plan.timeout().isEmpty()) {
            return events.take();
        }
        var limit = plan.timeout().get();
        Event event = pollUntil(startNanos + limit.toNanos());
        return event == null ? new Event.Stop(new GroupOutcome.TimedOut(limit)) : event;
    }

    private @Nullable Event pollUntil(long deadlineNanos) throws InterruptedException {
        return events.poll(deadlineNanos - System.nanoTime(), TimeUnit.NANOSECONDS);
    }

    private void endAll(GroupOutcome end) throws InterruptedException {
        List<WorkerProcess> running = running();
        if (running.isEmpty()) {
            return;
        }
        GroupReport.announcement(end, running.size()).ifPresent(console::message);
        running.forEach(WorkerProcess::askToEnd);
        long deadlineNanos = System.nanoTime() + plan.grace().toNanos();
        for (WorkerProcess worker : running) {
            worker.awaitEnd(deadlineNanos);
        }
    }
}
