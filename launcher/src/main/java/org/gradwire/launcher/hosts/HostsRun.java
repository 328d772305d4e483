package org.gradwire.launcher.hosts;

import org.gradwire.launcher.console.Console;
import org.gradwire.launcher.console.ExitStatus;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * A run of a group on several hosts.
 *
 * <p>All hosts start their launcher at once. That of the first host chooses the port, and with
 * certificates makes join tokens, each for one launcher; each other launcher waits for these. When
 * a worker or a host fails, at the timeout or at a signal, the input of all launchers ends, and
 * with it their workers.
 */
public final class HostsRun {
    // Longer than a launcher needs after the grace period.
    private static final Duration END_PATIENCE = Duration.ofSeconds(20);
    private static final Duration HOOK_PATIENCE = Duration.ofSeconds(10);

    private final HostsPlan plan;
    private final Console console;
    private final String token = Secrets.random();
    private final BlockingQueue<Event> events = new LinkedBlockingQueue<>();
    private final List<HostProcess> hosts = new ArrayList<>();
    private final CountDownLatch done = new CountDownLatch(1);
    private int port;

    private sealed interface Event {
        record Reported(HostProcess host, String text) implements Event {}

        record Ended(HostProcess host) implements Event {}

        record Stop(HostsOutcome reason) implements Event {}
    }

    /** Create a run. */
    public HostsRun(HostsPlan plan, Console console) {
        this.plan = plan;
        this.console = console;
        port = plan.port();
        var _ = console.broken().thenRun(() -> stop(new HostsOutcome.OutputClosed()));
    }

    private void stop(HostsOutcome reason) {
        events.add(new Event.Stop(reason));
    }

    /** Run the group; {@return the launcher's exit code} */
    public int run() throws InterruptedException {
        Runtime.getRuntime().addShutdownHook(new Thread(this::endOnSignal));
        try {
            HostsOutcome end = startAll();
            if (end instanceof HostsOutcome.Finished) {
                end = supervise();
            }
            endAll(end);
            HostsReport.report(end, hosts).ifPresent(console::message);
            return end.status();
        } finally {
            done.countDown();
        }
    }

    private void endOnSignal() {
        stop(new HostsOutcome.Signalled());
        Duration patience = plan.grace().plus(END_PATIENCE).plus(HOOK_PATIENCE);
        try {
            boolean _ = done.await(patience.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private HostsOutcome startAll() {
        try {
            for (int i = 0; i < plan.hosts().size(); i++) {
                hosts.add(
                        HostProcess.start(
                                plan,
                                i,
                                console,
                                (host, text) -> events.add(new Event.Reported(host, text)),
                                host -> events.add(new Event.Ended(host))));
            }
        } catch (IOException e) {
            return new HostsOutcome.NotStarted("cannot start ssh: " + e.getMessage());
        }
        begin(hosts.getFirst(), token);
        return new HostsOutcome.Finished();
    }

    /** Make a launcher start its workers. With certificates the first one has no secret yet. */
    private void begin(HostProcess host, String secret) {
        if (!plan.secure()) {
            host.begin("token", secret, port);
        } else if (host == hosts.getFirst()) {
            host.begin("none", "", port);
        } else {
            host.begin("join", secret, port);
        }
    }

    private HostsOutcome supervise() throws InterruptedException {
        long startNanos = System.nanoTime();
        int finished = 0;
        while (finished < hosts.size()) {
            switch (nextEvent(startNanos)) {
                case Event.Stop(HostsOutcome reason) -> {
                    return reason;
                }
                case Event.Ended(HostProcess host) when host.status().success() -> finished++;
                case Event.Ended(HostProcess host) -> {
                    return new HostsOutcome.HostFailed(host);
                }
                case Event.Reported(HostProcess host, String text) -> {
                    HostsOutcome outcome = onReport(host, text.split(" "));
                    if (!(outcome instanceof HostsOutcome.Finished)) {
                        return outcome;
                    }
                }
            }
        }
        return new HostsOutcome.Finished();
    }

    private Event nextEvent(long startNanos) throws InterruptedException {
        if (plan.timeout().isEmpty()) {
            return events.take();
        }
        Duration limit = plan.timeout().get();
        long remaining = startNanos + limit.toNanos() - System.nanoTime();
        Event event = events.poll(remaining, TimeUnit.NANOSECONDS);
        return event == null ? new Event.Stop(new HostsOutcome.TimedOut(limit)) : event;
    }

    /** Handle an event; {@return the end of the run, or Finished if it continues} */
    private HostsOutcome onReport(HostProcess host, String[] words) {
        switch (words[0]) {
            case "port" -> onPort(host, Integer.parseInt(words[1]));
            case "join" -> beginNext(words[1]);
            case "failed" -> {
                var status = new ExitStatus(Integer.parseInt(words[2]));
                return new HostsOutcome.WorkerFailed(host, words[1], status);
            }
            default -> throw new IllegalStateException("no event " + words[0]);
        }
        return new HostsOutcome.Finished();
    }

    private void onPort(HostProcess host, int chosen) {
        if (host == hosts.getFirst()) {
            port = chosen;
            if (!plan.secure()) {
                hosts.stream().skip(1).forEach(other -> begin(other, token));
            }
        }
    }

    private void beginNext(String joinToken) {
        hosts.stream()
                .filter(host -> !host.begun())
                .findFirst()
                .ifPresent(host -> begin(host, joinToken));
    }

    private void endAll(HostsOutcome end) throws InterruptedException {
        List<HostProcess> running = hosts.stream().filter(HostProcess::running).toList();
        HostsReport.announcement(end, running).ifPresent(console::message);
        hosts.forEach(HostProcess::askToEnd);
        long deadlineNanos = System.nanoTime() + plan.grace().plus(END_PATIENCE).toNanos();
        for (HostProcess host : hosts) {
            host.awaitEnd(deadlineNanos);
        }
    }
}
