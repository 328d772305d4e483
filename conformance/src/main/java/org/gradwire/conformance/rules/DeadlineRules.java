package org.gradwire.conformance.rules;

import static org.gradwire.conformance.rules.Checks.SLACK_MILLIS;
import static org.gradwire.conformance.rules.Checks.answer;
import static org.gradwire.conformance.rules.Checks.check;
import static org.gradwire.conformance.rules.Checks.eventually;
import static org.gradwire.conformance.rules.Checks.present;
import static org.gradwire.conformance.rules.Checks.reply;
import static org.gradwire.conformance.rules.Checks.request;

import org.gradwire.conformance.harness.BackendUnderTest;
import org.gradwire.rpc.RpcTimeoutException;
import org.gradwire.spi.BackendProvider;
import org.gradwire.spi.Message;
import org.jspecify.annotations.Nullable;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;

/** Rules about deadlines. */
final class DeadlineRules {
    static final String DEADLINES_END = "TIME-1";
    private static final long SHORT_MILLIS = 50;
    private static final byte LONG = 1;
    private static final int MANY = 60;
    private static final int LARGE = 5_000;

    static final List<Rule> ALL =
            List.of(
                    Rule.of(
                            DEADLINES_END,
                            "MUST fail a request with RpcTimeoutException soon after its deadline, never before; never if the time is 0.",
                            "deadlines that no thread checks, or that are checked only when something else happens",
                            2,
                            DeadlineRules::keepsDeadlines),
                    Rule.of(
                            "TIME-2",
                            "MUST drop a reply that arrives after the deadline.",
                            "a reused id, a late reply that completes another call",
                            2,
                            DeadlineRules::dropsLateReplies),
                    Rule.of(
                            "TIME-3",
                            "MUST accept any time up to Long.MAX_VALUE nanoseconds.",
                            "a deadline that overflows when the time is added to the clock",
                            2,
                            DeadlineRules::takesLongTimes),
                    Rule.of(
                            "TIME-4",
                            "MUST keep the deadlines of many concurrent requests of any size, to oneself, to others and to a peer that does not read.",
                            "deadlines that are checked on arrivals, that are kept in order of creation, or that start when the request is written",
                            3,
                            DeadlineRules::keepsManyDeadlines));

    private DeadlineRules() {}

    /** Check that a request times out, in a check of another rule. */
    static void checkTimedOut(Outcome outcome, long millis, String what) {
        if (!outcome.await(millis + SLACK_MILLIS)) {
            throw new OverdueError(
                    "%s with %d ms to live was still pending %d ms after its deadline"
                            .formatted(what, millis, SLACK_MILLIS));
        }
        check(
                outcome.failure() instanceof RpcTimeoutException,
                "%s with %d ms to live ended with %s",
                what,
                millis,
                outcome.failure());
    }

    /**
     * {@return the finding that a plain request does not time out, in a new group; null if it does}
     */
    static @Nullable String firstOverdue(BackendProvider provider, BackendUnderTest backend) {
        try (AgentWorld world = AgentWorld.connected(provider, backend, 2)) {
            world.agent(1).behave((_, _, _) -> {});
            checkTimedOut(
                    world.agent(0).send(1, request(new byte[1]), SHORT_MILLIS),
                    SHORT_MILLIS,
                    "a request");
            return null;
        } catch (OverdueError e) {
            return e.getMessage();
        } catch (AssertionError | RuntimeException e) {
            return null; // no group could be created, which proves nothing about deadlines
        }
    }

    private static void keepsDeadlines(AgentWorld world) {
        world.agent(1).behave((_, _, _) -> {}); // never answers
        Outcome unlimited = world.agent(0).send(1, request(new byte[1]), 0);
        for (long millis : List.of(1L, 30L, 150L)) {
            long start = System.nanoTime();
            Outcome outcome = world.agent(0).send(1, request(new byte[1]), millis);
            check(
                    outcome.await(millis + SLACK_MILLIS),
                    "a request with %d ms to live was still pending %d ms after its deadline",
                    millis,
                    SLACK_MILLIS);
            long took = (outcome.endedNanos() - start) / 1_000_000;
            check(took >= millis, "a request with %d ms to live failed after %d ms", millis, took);
            check(
                    outcome.failure() instanceof RpcTimeoutException,
                    "a request that ran out of time failed with %s",
                    outcome.failure());
        }
        check(
                unlimited.times() == 0,
                "a request without a deadline ended: %s",
                unlimited.failure());
    }

    private static void keepsManyDeadlines(AgentWorld world) {
        var goOn = new CountDownLatch(1);
        for (int id : List.of(0, 1)) {
            world.agent(id).behave((_, _, _) -> {}); // never answers
        }
        // A callback that blocks violates the SPI, but a suspended process behaves so.
        world.agent(2).behave((_, _, _) -> Checks.await(world, goOn));
        try {
            var random = new Random(Seed.get());
            List<Timed> sent = new ArrayList<>();
            for (int i = 0; i < MANY; i++) {
                sent.add(Timed.send(world, i % 3, random.nextInt(1, 300), LARGE * (i % 5)));
            }
            // Later requests have earlier deadlines than most of the previous ones.
            for (int i = 0; i < MANY; i++) {
                sent.add(Timed.send(world, i % 3, random.nextInt(1, 30), 0));
            }
            for (Timed request : sent) {
                request.checkEnd();
            }
        } finally {
            goOn.countDown();
        }
    }

    /** An unanswered request and its start time. */
    private record Timed(int to, long millis, int bytes, long startNanos, Outcome outcome) {
        static Timed send(AgentWorld world, int to, long millis, int bytes) {
            Message message = request(new byte[1], MemorySegment.ofArray(new byte[bytes]));
            long start = System.nanoTime();
            return new Timed(to, millis, bytes, start, world.agent(0).send(to, message, millis));
        }

        void checkEnd() {
            String what =
                    "a request of %d bytes to worker %d with %d ms to live"
                            .formatted(bytes, to, millis);
            if (!outcome.await(millis + SLACK_MILLIS)) {
                throw new OverdueError(
                        "%s was still pending %d ms after its deadline"
                                .formatted(what, SLACK_MILLIS));
            }
            long took = (outcome.endedNanos() - startNanos) / 1_000_000;
            check(
                    outcome.failure() instanceof RpcTimeoutException,
                    "%s ended with %s",
                    what,
                    outcome.failure());
            check(
                    took >= millis && took <= millis + SLACK_MILLIS,
                    "%s failed after %d ms",
                    what,
                    took);
        }
    }

    private static void dropsLateReplies(AgentWorld world) {
        var late = new AtomicReference<@Nullable Runnable>();
        world.agent(1)
                .behave((from, request, replies) ->
                        late.set(() -> TestAgent.echo(from, request, replies)));
        Outcome first = world.agent(0).send(1, request(new byte[] {1}), 50);
        checkTimedOut(first, 50, "an unanswered request");
        Runnable answer = present(late.get(), "the request");
        world.agent(1)
                .behave((from, request, replies) -> {
                    answer.run();
                    TestAgent.echo(from, request, replies);
                });
        Outcome second = world.agent(0).send(1, request(new byte[] {2}), world.patienceMillis());
        Message reply = second.await(world.patienceMillis()) ? second.reply() : null;
        check(
                reply != null && reply.payload()[0] == 2,
                "the request after the late reply got the wrong answer, or none");
        check(first.times() == 1, "the request that had timed out ended %d times", first.times());
    }

    private static void takesLongTimes(AgentWorld world) {
        var held = new AtomicReference<@Nullable Runnable>();
        for (long nanos : List.of(Long.MAX_VALUE, Long.MAX_VALUE / 2 + 1, Long.MAX_VALUE - 1_000)) {
            world.agent(1)
                    .behave((from, request, replies) -> {
                        if (request.payload()[0] == LONG) {
                            held.set(() -> TestAgent.echo(from, request, replies));
                        }
                    });
            var outcome = new Outcome();
            world.agent(0).agent().send(1, request(new byte[] {LONG}), nanos, outcome);
            // A deadline in the past would expire no later than this one.
            Outcome shorter = world.agent(0).send(1, request(new byte[1]), SHORT_MILLIS);
            checkTimedOut(shorter, SHORT_MILLIS, "a short request");
            check(
                    eventually(world, () -> held.get() != null || outcome.times() > 0),
                    "a request with %d ns to live did not arrive",
                    nanos);
            present(held.getAndSet(null), "a request with %d ns to live".formatted(nanos)).run();
            answer(world, outcome, "a request with %d ns to live".formatted(nanos));
        }
    }
}
