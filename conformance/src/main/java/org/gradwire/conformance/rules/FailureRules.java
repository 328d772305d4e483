package org.gradwire.conformance.rules;

import static org.gradwire.conformance.rules.Checks.SLACK_MILLIS;
import static org.gradwire.conformance.rules.Checks.check;
import static org.gradwire.conformance.rules.Checks.checkAnswered;
import static org.gradwire.conformance.rules.Checks.eventually;
import static org.gradwire.conformance.rules.Checks.isConnectionFailure;
import static org.gradwire.conformance.rules.Checks.isOfKind;
import static org.gradwire.conformance.rules.Checks.present;
import static org.gradwire.conformance.rules.Checks.request;

import org.gradwire.conformance.harness.BackendUnderTest;
import org.gradwire.rpc.RpcErrorKind;
import org.gradwire.spi.BackendProvider;
import org.gradwire.spi.Message;
import org.gradwire.spi.MessageTypes;
import org.gradwire.spi.ReplySink;
import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/** Rules about the loss of a peer. */
final class FailureRules {
    /** A number that no message contains accidentally; the worker's name contains it too. */
    private static final int DISTINCT_ID = 7359;

    static final List<Rule> ALL =
            List.of(
                    Rule.of(
                            "FAIL-1",
                            "MUST fail requests to a lost peer with an RpcConnectionException and notify the listener once, within the liveness time; calls among the others continue.",
                            "a missing heartbeat, pending calls that are not failed when a peer is lost",
                            3,
                            FailureRules::failsCallsToTheLost),
                    Rule.of(
                            "FAIL-2",
                            "MUST fail a request to an id that is not a member at once, through its handler, with an RpcConnectionException or an RpcException of kind REFUSED.",
                            "a failure that is only logged, or thrown at the caller of send; an RpcException that merely has kind CONNECTION",
                            2,
                            FailureRules::failsCallsToNobody),
                    Rule.of(
                            "FAIL-3",
                            "MUST drop and release a reply to a lost caller, without an exception.",
                            "a reply sink that throws, or that keeps the reply",
                            3,
                            FailureRules::dropsRepliesToTheLost),
                    Rule.of(
                            "FAIL-4",
                            "SHOULD report that a peer has closed in less than half the liveness time.",
                            "a peer that closes without a message, a loss that only missing heartbeats reveal",
                            2,
                            FailureRules::noticesAClosedPeerSoon),
                    Rule.of(
                            "FAIL-5",
                            "SHOULD name the peer, by name or id, in the failure of a request to a lost peer.",
                            "a system error message that is passed on unchanged",
                            FailureRules::namesTheLost));

    private FailureRules() {}

    private static void failsCallsToTheLost(AgentWorld world) {
        world.agent(1).behave((_, _, _) -> {});
        Outcome pending = world.agent(0).send(1, request(new byte[1]), 0);
        check(eventually(world, () -> world.agent(1).requests() == 1), "the request never arrived");
        world.agent(1).close();
        long limit =
                world.backend().livenessTime().plus(Duration.ofMillis(SLACK_MILLIS)).toMillis();
        check(
                pending.await(limit),
                "a request to a lost peer was still pending after %d ms",
                limit);
        check(
                isConnectionFailure(pending),
                "a request to a lost peer failed with %s, not with an RpcConnectionException",
                pending.failure());
        check(
                eventually(world, () -> world.agent(0).lostPeers().equals(List.of(1))),
                "the listener was notified of the loss of %s, not of [1]",
                world.agent(0).lostPeers());
        Outcome further = world.agent(0).send(1, request(new byte[1]), world.patienceMillis());
        check(
                further.await(SLACK_MILLIS) && isConnectionFailure(further),
                "a further request to a lost peer did not fail at once: %s",
                further.failure());
        checkAnswered(world, 0, 2, "after the loss of a third worker");
        for (int id : List.of(0, 2)) {
            check(
                    eventually(world, () -> !world.agent(id).lostPeers().isEmpty())
                            && world.agent(id).lostPeers().equals(List.of(1)),
                    "worker %d was notified of the loss of %s, not once of 1",
                    id,
                    world.agent(id).lostPeers());
        }
    }

    private static void failsCallsToNobody(AgentWorld world) {
        List<Integer> nobodies = new ArrayList<>(List.of(77, 32_000, -1));
        nobodies.addAll(IdRules.strangersLike(1));
        for (int nobody : nobodies) {
            Outcome outcome =
                    world.agent(0).send(nobody, request(new byte[1]), world.patienceMillis());
            check(
                    outcome.await(SLACK_MILLIS),
                    "a request to worker %d, which does not exist, did not end at once",
                    nobody);
            check(
                    isConnectionFailure(outcome)
                            || isOfKind(RpcErrorKind.REFUSED, outcome.failure()),
                    "a request to worker %d, which does not exist, ended with %s, not with an RpcConnectionException or a failure of kind REFUSED",
                    nobody,
                    outcome.failure());
        }
        checkAnswered(world, 0, 1, "after a request to an unknown id");
    }

    private static void dropsRepliesToTheLost(AgentWorld world) {
        var sink = new AtomicReference<@Nullable ReplySink>();
        world.agent(1)
                .behave((from, request, replies) -> {
                    if (from == 0) {
                        sink.set(replies);
                    } else {
                        TestAgent.echo(from, request, replies);
                    }
                });
        world.agent(0).send(1, request(new byte[1]), 0);
        check(eventually(world, () -> sink.get() != null), "the request never arrived");
        world.agent(0).close();
        check(
                eventually(world, () -> world.agent(1).lostPeers().equals(List.of(0))),
                "the listener was notified of the loss of %s, not of [0]",
                world.agent(1).lostPeers());
        var releases = new AtomicInteger();
        var late =
                new Message(
                        MessageTypes.UDF_RET, new byte[8], List.of(), releases::incrementAndGet);
        try {
            present(sink.get(), "the way back").reply(late);
        } catch (RuntimeException e) {
            throw new AssertionError("a reply to a lost caller threw " + e, e);
        }
        check(
                eventually(world, () -> releases.get() == 1),
                "a reply to a lost caller was released %d times",
                releases.get());
        checkAnswered(world, 2, 1, "after a reply to a lost caller");
    }

    private static void noticesAClosedPeerSoon(AgentWorld world) {
        checkAnswered(world, 0, 1, "before its end");
        long limit = world.backend().livenessTime().toMillis() / 2;
        long before = System.nanoTime();
        world.agent(1).close();
        check(
                eventually(world, () -> !world.agent(0).lostPeers().isEmpty()),
                "the loss of a peer was not reported");
        long millis = (System.nanoTime() - before) / 1_000_000;
        check(
                millis < limit,
                "the close of a peer was reported after %d ms, not within %d",
                millis,
                limit);
    }

    private static void namesTheLost(BackendProvider provider, BackendUnderTest backend) {
        try (var world = new AgentWorld(provider, backend)) {
            world.add(0);
            world.add(DISTINCT_ID).behave((_, _, _) -> {});
            world.connectAll();
            Outcome pending = world.agent(0).send(DISTINCT_ID, request(new byte[1]), 0);
            check(
                    eventually(world, () -> world.agent(DISTINCT_ID).requests() == 1),
                    "the request never arrived");
            world.agent(DISTINCT_ID).close();
            checkNamed(world, pending, "a pending request");
            Outcome further = world.agent(0).send(DISTINCT_ID, request(new byte[1]), 0);
            checkNamed(world, further, "a later request");
        }
    }

    private static void checkNamed(AgentWorld world, Outcome outcome, String what) {
        check(outcome.await(world.patienceMillis()), "%s never ended", what);
        RuntimeException failure = present(outcome.failure(), "the failure of " + what);
        check(
                String.valueOf(failure.getMessage()).contains(Integer.toString(DISTINCT_ID)),
                "%s to worker%d failed without naming it: %s",
                what,
                DISTINCT_ID,
                failure);
    }
}
