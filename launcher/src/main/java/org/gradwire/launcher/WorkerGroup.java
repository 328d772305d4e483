package org.gradwire.launcher;

import org.gradwire.launcher.console.Console;
import org.gradwire.launcher.restart.RestartDecision;
import org.gradwire.launcher.restart.RestartPlanner;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * The workers of one run.
 *
 * <p>{@link #run} starts them and waits. When one fails that is not restarted, at the timeout or at
 * a call of {@link #stop}, the others receive SIGTERM, and are killed after the grace period.
 */
final class WorkerGroup {
    // A daemon that a worker started may keep the worker's output open without a limit.
    private static final Duration OUTPUT_PATIENCE = Duration.ofSeconds(1);
    private static final Duration SIGNAL_PATIENCE = Duration.ofMillis(200);
    // Standbys leave the processors to a worker that starts.
    private static final Duration STANDBY_DELAY = Duration.ofSeconds(2);

    private final GroupPlan plan;
    private final Console console;
    private final BlockingQueue<Event> events = new LinkedBlockingQueue<>();
    private final RestartPlanner planner;
    private final SortedMap<Integer, WorkerProcess> workers = new TreeMap<>(); // latest, by rank
    private final Set<Integer> unfinished = new TreeSet<>(); // ranks that run or will run again
    private int generation; // number of earlier groups
    private @Nullable Thread joining; // waits for another launcher; guarded by this

    private sealed interface Event {
        record Ended(WorkerProcess worker) implements Event {}

        record Stop(GroupOutcome reason) implements Event {}

        /** A worker, or all, are due to be started again. */
        record Restart(int rank) implements Event {}

        /** The workers have started, so that standbys may. */
        record StartStandbys() implements Event {}
    }

    WorkerGroup(GroupPlan plan, Console console) {
        this.plan = plan;
        this.console = console;
        planner = new RestartPlanner(plan.restarts());
        var _ = console.broken().thenRun(() -> stop(new GroupOutcome.OutputClosed()));
    }

    /** Make {@link #run} end the group. For any thread; the first reason counts. */
    synchronized void stop(GroupOutcome reason) {
        events.add(new Event.Stop(reason));
        if (joining != null) {
            joining.interrupt();
        }
    }

    /** {@return the latest process of each started worker, by rank} */
    List<WorkerProcess> workers() {
        return List.copyOf(workers.values());
    }

    /** {@return the number of restarts} */
    int restarts() {
        return planner.restarts();
    }

    /** Start the workers and wait until all have ended; {@return the outcome} */
    GroupOutcome run() throws InterruptedException {
        // The token is deleted first, while the watchdog still deletes it if the launcher is
        // killed.
        try (RunDirectory directory = RunDirectory.create(System.getenv());
                LauncherWatchdog watch = LauncherWatchdog.start(plan.runId(), directory.path());
                SecureStart secure = startSecure(directory);
                TokenFile token = TokenFile.provide(secure.token(), directory);
                WorkerStarter starter =
                        new WorkerStarter(
                                plan,
                                directory,
                                token.environment(),
                                secure.certificates(),
                                console,
                                ended -> events.add(new Event.Ended(ended)))) {
            GroupOutcome end = startAll(starter, watch);
            if (end instanceof GroupOutcome.Finished) {
                end = supervise(starter, watch);
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
        for (WorkerProcess worker : workers.values()) {
            worker.awaitOutput(deadlineNanos);
        }
    }

    private GroupOutcome startAll(WorkerStarter starter, LauncherWatchdog watch) {
        for (int rank : plan.world().ranks()) {
            GroupOutcome outcome = start(rank, starter, watch);
            if (!(outcome instanceof GroupOutcome.Finished)) {
                return outcome;
            }
        }
        return new GroupOutcome.Finished();
    }

    /** Start the next process of a worker; {@return why this was not possible} */
    private GroupOutcome start(int rank, WorkerStarter starter, LauncherWatchdog watch) {
        WorkerProcess earlier = workers.get(rank);
        int restart = earlier == null ? 0 : earlier.restart() + 1;
        try {
            workers.put(rank, starter.start(rank, restart, generation));
            unfinished.add(rank);
            update(watch, starter);
            scheduleStandbys();
            return new GroupOutcome.Finished();
        } catch (IOException e) {
            return new GroupOutcome.NotStarted(String.valueOf(e.getMessage()));
        }
    }

    private void scheduleStandbys() {
        if (plan.restarts().standbys() > 0) {
            schedule(new Event.StartStandbys(), STANDBY_DELAY);
        }
    }

    private GroupOutcome startStandbys(WorkerStarter starter, LauncherWatchdog watch) {
        try {
            starter.startStandbys();
        } catch (IOException e) {
            console.message("gradwire: no standby: " + e.getMessage());
        }
        update(watch, starter);
        return new GroupOutcome.Finished();
    }

    private void update(LauncherWatchdog watch, WorkerStarter starter) {
        Stream<Long> workerIds = running().stream().map(WorkerProcess::pid);
        watch.update(Stream.concat(workerIds, starter.standbys().stream()).toList());
    }

    private List<WorkerProcess> running() {
        return workers.values().stream().filter(WorkerProcess::running).toList();
    }

    private GroupOutcome supervise(WorkerStarter starter, LauncherWatchdog watch)
            throws InterruptedException {
        long startNanos = System.nanoTime();
        GroupOutcome outcome = new GroupOutcome.Finished();
        while (outcome instanceof GroupOutcome.Finished && !unfinished.isEmpty()) {
            outcome =
                    switch (nextEvent(startNanos)) {
                        case Event.Stop(GroupOutcome reason) -> reason;
                        case Event.Ended(WorkerProcess worker) -> onEnded(worker, starter, watch);
                        case Event.Restart(int rank) -> restart(rank, starter, watch);
                        case Event.StartStandbys() -> startStandbys(starter, watch);
                    };
        }
        return outcome;
    }

    /** Handle the end of a process; {@return the end of the run, or Finished if it continues} */
    private GroupOutcome onEnded(
            WorkerProcess worker, WorkerStarter starter, LauncherWatchdog watch)
            throws InterruptedException {
        update(watch, starter);
        if (workers.get(worker.rank()) != worker || worker.wasAsked()) {
            return new GroupOutcome.Finished(); // of an earlier group
        }
        if (worker.status().success()) {
            unfinished.remove(worker.rank());
            return new GroupOutcome.Finished();
        }
        GroupOutcome signalled = signalled(worker);
        return signalled == null ? onFailure(worker) : signalled;
    }

    private GroupOutcome onFailure(WorkerProcess worker) {
        var failure =
                new RestartPlanner.Failure(
                        worker.rank(), worker.restart(), worker.membership(), worker.age());
        return switch (planner.decide(failure, unfinished.size() - 1, System.nanoTime())) {
            case RestartDecision.End(String reason) -> {
                console.event("failed " + worker.name() + " " + worker.status().code());
                yield new GroupOutcome.WorkerFailed(worker, reason);
            }
            case RestartDecision.Continue(String reason) -> {
                unfinished.remove(worker.rank());
                console.message(GroupReport.continues(worker, reason, unfinished.size()));
                yield new GroupOutcome.Finished();
            }
            case RestartDecision.Restart restart -> {
                console.message(GroupReport.restart(worker, plan.restarts(), restart));
                schedule(new Event.Restart(worker.rank()), restart.delay());
                yield new GroupOutcome.Finished();
            }
        };
    }

    private void schedule(Event event, Duration delay) {
        if (delay.isZero()) {
            events.add(event);
        } else {
            CompletableFuture.delayedExecutor(delay.toMillis(), TimeUnit.MILLISECONDS)
                    .execute(() -> events.add(event));
        }
    }

    /** Start a worker again, or all workers as a new group. */
    private GroupOutcome restart(int rank, WorkerStarter starter, LauncherWatchdog watch)
            throws InterruptedException {
        if (plan.restarts().isElastic()) {
            return start(rank, starter, watch);
        }
        endRunning();
        workers.forEach((_, worker) -> worker.setAsked());
        generation++;
        return startAll(starter, watch);
    }

    /**
     * {@return the reason to stop if the user has ended the run by a signal, which also reaches the
     * workers and may end them first; else null}
     */
    private @Nullable GroupOutcome signalled(WorkerProcess worker) throws InterruptedException {
        if (!worker.status().byUserSignal()) {
            return null;
        }
        List<Event> others = new ArrayList<>();
        long deadlineNanos = System.nanoTime() + SIGNAL_PATIENCE.toNanos();
        Event event;
        while ((event = pollUntil(deadlineNanos)) != null) {
            if (event instanceof Event.Stop(GroupOutcome reason)) {
                return reason;
            }
            others.add(event);
        }
        events.addAll(others);
        return null;
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
        if (!running.isEmpty()) {
            GroupReport.announcement(end, running.size()).ifPresent(console::message);
            endRunning();
        }
    }

    private void endRunning() throws InterruptedException {
        List<WorkerProcess> running = running();
        running.forEach(WorkerProcess::askToEnd);
        long deadlineNanos = System.nanoTime() + plan.grace().toNanos();
        for (WorkerProcess worker : running) {
            worker.awaitEnd(deadlineNanos);
        }
    }
}
