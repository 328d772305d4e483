package org.gradwire.conformance.rules;

import static org.gradwire.conformance.rules.Checks.SLACK_MILLIS;
import static org.gradwire.conformance.rules.Checks.await;
import static org.gradwire.conformance.rules.Checks.check;
import static org.gradwire.conformance.rules.Checks.eventually;
import static org.gradwire.conformance.rules.Checks.present;
import static org.gradwire.conformance.rules.Checks.request;

import org.gradwire.conformance.harness.BackendUnderTest;
import org.gradwire.rpc.RpcErrorKind;
import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.RpcTimeoutException;
import org.gradwire.spi.Message;
import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;

/** Checks of deadlines, of the loss of peers and of the end. */
final class LifeChecks {

    private LifeChecks() {}

    static void keepsDeadlines(AgentWorld world) {
        world.agent(1).behave((_, _, _) -> {}); // never answers
        Outcome unlimited = world.agent(0).send(1, request(new byte[1]), 0);
        for (long millis : List.of(1L, 50L, 300L)) {
            long start = System.nanoTime();
            Outcome outcome = world.agent(0).send(1, request(new byte[1]), millis);
            check(
                    outcome.await(millis + SLACK_MILLIS),
                    "a request with %d ms to live was still under way %d ms after its end",
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

    static void dropsLateReplies(AgentWorld world) {
        var late = new AtomicReference<@Nullable Runnable>();
        world.agent(1)
                .behave((from, request, replies) ->
                        late.set(() -> TestAgent.echo(from, request, replies)));
        Outcome first = world.agent(0).send(1, request(new byte[] {1}), 50);
        check(
                first.await(SLACK_MILLIS) && first.failure() instanceof RpcTimeoutException,
                "the request did not time out");
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

    static void failsCallsToTheLost(AgentWorld world, BackendUnderTest backend) {
        world.agent(1).behave((_, _, _) -> {});
        Outcome pending = world.agent(0).send(1, request(new byte[1]), 0);
        check(eventually(world, () -> world.agent(1).requests() == 1), "the request never arrived");
        world.agent(1).close();
        long limit = backend.livenessTime().plus(Duration.ofMillis(SLACK_MILLIS)).toMillis();
        check(
                pending.await(limit),
                "a request to a peer that is gone was still under way after %d ms",
                limit);
        check(
                isConnectionFailure(pending.failure()),
                "a request to a peer that is gone failed with %s",
                pending.failure());
        check(
                eventually(world, () -> world.agent(0).lostPeers().equals(List.of(1))),
                "the listener heard of the loss of %s, not of [1]",
                world.agent(0).lostPeers());
        Outcome further = world.agent(0).send(1, request(new byte[1]), world.patienceMillis());
        check(
                further.await(SLACK_MILLIS) && isConnectionFailure(further.failure()),
                "a further request to a lost peer did not fail at once: %s",
                further.failure());
        check(
                world.agent(0)
                        .send(2, request(new byte[1]), world.patienceMillis())
                        .await(world.patienceMillis()),
                "a request to a third worker got no reply after the loss");
    }

    static void forgetsWhoLeft(AgentWorld world) {
        world.agent(1).behave((_, _, _) -> {});
        Outcome pending = world.agent(0).send(1, request(new byte[1]), 0);
        check(eventually(world, () -> world.agent(1).requests() == 1), "the request never arrived");
        world.agent(0).agent().disconnect(1);
        check(
                world.agent(0).lostPeers().equals(List.of(1)),
                "when disconnect(1) returned, the listener had heard of the loss of %s, not of [1]",
                world.agent(0).lostPeers());
        check(
                pending.await(SLACK_MILLIS) && isConnectionFailure(pending.failure()),
                "a request to a member that has left did not fail at once: %s",
                pending.failure());
        world.agent(0).agent().disconnect(1);
        world.agent(0).agent().disconnect(99);
        Outcome further = world.agent(0).send(1, request(new byte[1]), world.patienceMillis());
        check(
                further.await(SLACK_MILLIS) && isConnectionFailure(further.failure()),
                "a further request to a member that has left did not fail at once: %s",
                further.failure());
        check(
                world.agent(0)
                        .send(2, request(new byte[1]), world.patienceMillis())
                        .await(world.patienceMillis()),
                "a request to a third worker got no reply after the disconnection");
        check(
                world.agent(0).lostPeers().equals(List.of(1)),
                "the listener heard of %s, not once of the one that left",
                world.agent(0).lostPeers());
    }

    static void connectsToANewHolderOfAnId(AgentWorld world) {
        for (int round = 1; round <= 3; round++) {
            world.agent(0).agent().disconnect(1);
            world.agent(2).agent().disconnect(1);
            world.replace(1);
            for (int from : List.of(0, 2)) {
                checkAnswered(world, from, 1);
                checkAnswered(world, 1, from);
                check(
                        world.agent(from).lostPeers().size() == round,
                        "after %d disconnections, the listener heard of the loss of %s",
                        round,
                        world.agent(from).lostPeers());
            }
        }
    }

    private static void checkAnswered(AgentWorld world, int from, int to) {
        Outcome outcome = world.agent(from).send(to, request(new byte[1]), world.patienceMillis());
        check(
                outcome.await(world.patienceMillis()) && outcome.reply() != null,
                "a request from worker %d to worker %d, of which one is new, failed: %s",
                from,
                to,
                outcome.failure());
    }

    private static boolean isConnectionFailure(@Nullable RuntimeException failure) {
        return failure instanceof RpcException e && e.kind() == RpcErrorKind.CONNECTION;
    }

    static void closesInTime(AgentWorld world) {
        world.agent(1).behave((_, _, _) -> {});
        Outcome pending = world.agent(0).send(1, request(new byte[1]), 0);
        for (int i = 0; i < 2; i++) {
            var closed = new CountDownLatch(1);
            Thread closing =
                    Thread.ofPlatform()
                            .start(() -> {
                                world.agent(0).close();
                                closed.countDown();
                            });
            boolean inTime = await(world, closed);
            closing.interrupt();
            check(inTime, "close was still under way after %d ms", world.patienceMillis());
        }
        check(
                pending.await(SLACK_MILLIS) && pending.failure() != null,
                "a request under way did not fail when its agent was closed");
    }

    static void staysClosed(AgentWorld world) {
        check(
                world.agent(0)
                        .send(1, request(new byte[1]), world.patienceMillis())
                        .await(world.patienceMillis()),
                "a request got no reply");
        world.agent(1).close();
        int before = world.agent(1).requests();
        Outcome toClosed = world.agent(0).send(1, request(new byte[1]), SLACK_MILLIS);
        check(
                toClosed.await(2 * SLACK_MILLIS) && toClosed.failure() != null,
                "a request to a closed agent was answered");
        check(world.agent(1).requests() == before, "a closed agent handed a request in");
        Outcome fromClosed = world.agent(1).send(0, request(new byte[1]), world.patienceMillis());
        check(
                fromClosed.await(SLACK_MILLIS) && fromClosed.failure() != null,
                "a closed agent sent a request");
    }
}
