package org.gradwire.conformance.rules;

import static org.gradwire.conformance.rules.Checks.await;
import static org.gradwire.conformance.rules.Checks.check;
import static org.gradwire.conformance.rules.Checks.checkAnswered;
import static org.gradwire.conformance.rules.Checks.eventually;
import static org.gradwire.conformance.rules.Checks.isConnectionFailure;
import static org.gradwire.conformance.rules.Checks.isOfKind;
import static org.gradwire.conformance.rules.Checks.join;
import static org.gradwire.conformance.rules.Checks.reply;
import static org.gradwire.conformance.rules.Checks.request;

import org.gradwire.conformance.harness.BackendUnderTest;
import org.gradwire.conformance.harness.Capabilities.Bound;
import org.gradwire.rpc.RpcErrorKind;
import org.gradwire.spi.BackendProvider;
import org.gradwire.spi.ReplySink;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;

/** Rule about a peer that calls and does not read the replies. */
final class UnreadReplyRules {
    private static final int PART_BYTES = 1 << 20;

    static final List<Rule> ALL =
            List.of(
                    Rule.of(
                                    "TRUST-8",
                                    "MUST bound the data kept for a peer that calls and does not read replies: it refuses the excess, so that the call fails with kind REFUSED, or drops the peer.",
                                    "a bound that counts requests only, a reply that waits in another queue",
                                    UnreadReplyRules::boundsUnreadReplies)
                            .where(
                                    "a bound of its queue",
                                    capabilities -> capabilities.sendQueue().isPresent()));

    private UnreadReplyRules() {}

    private static void boundsUnreadReplies(BackendProvider provider, BackendUnderTest backend) {
        Bound bound = backend.capabilities().sendQueue().orElseThrow();
        try (AgentWorld world =
                AgentWorld.connected(provider, backend.withSettings(bound.settings()), 2)) {
            Queue<ReplySink> unanswered = new ConcurrentLinkedQueue<>();
            world.agent(1).behave((_, _, replies) -> unanswered.add(replies));
            int calls = (int) (4 * bound.value() / PART_BYTES) + 16;
            List<Outcome> outcomes = new ArrayList<>();
            for (int i = 0; i < calls; i++) {
                outcomes.add(world.agent(0).send(1, request(i), 0));
            }
            check(eventually(world, () -> unanswered.size() == calls), "requests did not arrive");
            var goOn = new CountDownLatch(1);
            try {
                stopReading(world, goOn);
                answer(world, unanswered);
            } finally {
                goOn.countDown();
            }
            checkEnds(world, outcomes, bound.value());
            world.agent(0).behave(TestAgent::echo);
            world.agent(1).behave(TestAgent::echo);
            // A call may end before the callback that reports the loss of its callee.
            boolean isDropped = outcomes.stream().anyMatch(UnreadReplyRules::isLost);
            if (!isDropped && world.agent(1).lostPeers().isEmpty()) {
                checkAnswered(world, 0, 1, "after replies were not read");
            }
        }
    }

    private static boolean isLost(Outcome outcome) {
        return outcome.reply() == null && isConnectionFailure(outcome);
    }

    /** Block worker 0 in a callback. This violates the SPI, but a suspended process behaves so. */
    private static void stopReading(AgentWorld world, CountDownLatch goOn) {
        var hasStopped = new CountDownLatch(1);
        world.agent(0)
                .behave((_, _, _) -> {
                    hasStopped.countDown();
                    await(world, goOn);
                });
        world.agent(1).send(0, request(0), 0);
        check(await(world, hasStopped), "a request was not delivered");
    }

    /** Answer all calls, on a thread that may block. */
    private static void answer(AgentWorld world, Queue<ReplySink> unanswered) {
        MemorySegment part = MemorySegment.ofArray(new byte[PART_BYTES]);
        Thread replying =
                Thread.ofPlatform()
                        .daemon()
                        .name("replying")
                        .start(() ->
                                unanswered.forEach(sink -> sink.reply(reply(new byte[1], part))));
        check(
                join(replying, world.patienceMillis()),
                "a thread was stuck in reply to a peer that does not read");
    }

    private static void checkEnds(AgentWorld world, List<Outcome> outcomes, long bound) {
        int failed = 0;
        for (Outcome outcome : outcomes) {
            check(
                    outcome.await(2 * world.patienceMillis()),
                    "a call whose reply was not read never ended");
            if (outcome.reply() == null) {
                failed++;
                check(
                        isOfKind(RpcErrorKind.REFUSED, outcome.failure())
                                || isConnectionFailure(outcome),
                        "a call whose reply was not read failed with %s, not with an RpcConnectionException or a failure of kind REFUSED",
                        outcome.failure());
            }
        }
        check(
                failed > 0,
                "%d bytes of replies were kept for a peer that read none; the declared bound is %d",
                (long) outcomes.size() * PART_BYTES,
                bound);
    }
}
