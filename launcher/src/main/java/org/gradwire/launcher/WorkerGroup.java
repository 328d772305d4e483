package org.gradwire.launcher;

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
 * The workers of one run, from their start to the end of the last.
 *
 * <p>{@link #run} starts them and waits. When one fails, when the time is over or when {@link
 * #stop} is called, the others are asked to end, and killed when they do not within the grace
 * period.
 */
final class WorkerGroup {
    // A daemon that a worker started may keep the worker's output open for ever.
    private static final Duration OUTPUT_PATIENCE = Duration.ofSeconds(1);
    private static final Duration SIGNAL_PATIENCE = Duration.ofMillis(200);

    private final GroupPlan plan;
    private final Console console;
    private final BlockingQueue<Event> events = new LinkedBlockingQueue<>();
    private final List<WorkerProcess> workers = new ArrayList<>();

    private sealed interface Event {
        record Ended(WorkerProcess worker) implements Event {}

        record Stop(GroupEnd reason) implements Event {}
    }

    WorkerGroup(GroupPlan plan, Console console) {
        this.plan = plan;
        this.console = console;
        var _ = console.broken().thenRun(() -> stop(new GroupEnd.OutputClosed()));
    }

    /** Let {@link #run} end the group. For any thread; the first reason counts. */
    void stop(GroupEnd reason) {
        events.add(new Event.Stop(reason));
    }

    /** {@return the workers that were started, in the order of their ranks} */
    List<WorkerProcess> workers() {
        return List.copyOf(workers);
    }

    /** Start the workers and return when all of them have ended. */
    GroupEnd run() throws InterruptedException {
        // The token goes first, while the watch still deletes it if the launcher is killed.
        try (RunDirectory directory = RunDirectory.create(System.getenv());
                LauncherWatch watch = LauncherWatch.start(plan.runId(), directory.path());
                TokenFile token = TokenFile.provide(plan.token(), directory)) {
            GroupEnd end = start(watch, meeting(directory, token));
            if (end instanceof GroupEnd.Finished) {
                end = supervise(watch);
            }
            endAll(end);
            return end;
        } catch (IOException e) {
            return new GroupEnd.NotStarted(String.valueOf(e.getMessage()));
        }
    }

    /** Wait until everything that the workers printed is on the console. */
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

    private GroupEnd start(LauncherWatch watch, Map<String, String> meeting) {
        try {
            for (int rank : plan.world().ranks()) {
                workers.add(
                        WorkerProcess.start(
                                plan,
                                rank,
                                meeting,
                                console,
                                ended -> events.add(new Event.Ended(ended))));
                watch.tell(running());
            }
            return new GroupEnd.Finished();
        } catch (IOException e) {
            return new GroupEnd.NotStarted(String.valueOf(e.getMessage()));
        }
    }

    private List<WorkerProcess> running() {
        return workers.stream().filter(WorkerProcess::running).toList();
    }

    private GroupEnd supervise(LauncherWatch watch) throws InterruptedException {
        long startNanos = System.nanoTime();
        int running = workers.size();
        while (running > 0) {
            switch (nextEvent(startNanos)) {
                case Event.Stop(GroupEnd reason) -> {
                    return reason;
                }
                case Event.Ended(WorkerProcess worker) when !worker.status().success() -> {
                    return failure(worker);
                }
                case Event.Ended _ -> {
                    running--;
                    watch.tell(running());
                }
            }
        }
        return new GroupEnd.Finished();
    }

    /** Tell a failure from a Ctrl-C, which reaches the workers as well and may end them first. */
    private GroupEnd failure(WorkerProcess worker) throws InterruptedException {
        if (worker.status().byUserSignal()) {
            long deadlineNanos = System.nanoTime() + SIGNAL_PATIENCE.toNanos();
            Event event;
            while ((event = pollUntil(deadlineNanos)) != null) {
                if (event instanceof Event.Stop(GroupEnd reason)) {
                    return reason;
                }
            }
        }
        return new GroupEnd.WorkerFailed(worker);
    }

    private Event nextEvent(long startNanos) throws InterruptedException {
        if (plan.timeout().isEmpty()) {
            return events.take();
        }
        var limit = plan.timeout().get();
        Event event = pollUntil(startNanos + limit.toNanos());
        return event == null ? new Event.Stop(new GroupEnd.TimedOut(limit)) : event;
    }

    private @Nullable Event pollUntil(long deadlineNanos) throws InterruptedException {
        return events.poll(deadlineNanos - System.nanoTime(), TimeUnit.NANOSECONDS);
    }

    private void endAll(GroupEnd end) throws InterruptedException {
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
