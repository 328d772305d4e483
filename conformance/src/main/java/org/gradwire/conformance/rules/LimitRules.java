package org.gradwire.conformance.rules;

import static org.gradwire.conformance.rules.Checks.await;
import static org.gradwire.conformance.rules.Checks.check;
import static org.gradwire.conformance.rules.Checks.checkAnswered;
import static org.gradwire.conformance.rules.Checks.eventually;
import static org.gradwire.conformance.rules.Checks.isOfKind;
import static org.gradwire.conformance.rules.Checks.reply;
import static org.gradwire.conformance.rules.Checks.request;

import org.gradwire.conformance.harness.BackendUnderTest;
import org.gradwire.conformance.harness.Capabilities;
import org.gradwire.conformance.harness.Capabilities.Bound;
import org.gradwire.conformance.harness.MemoryStore;
import org.gradwire.rpc.RpcErrorKind;
import org.gradwire.rpc.RpcException;
import org.gradwire.spi.BackendProvider;
import org.gradwire.spi.Store;

import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;

/** What a backend does when it gets too much, or rubbish. */
final class LimitRules {
    private static final int PART_BYTES = 1 << 20;

    static final List<Rule> ALL =
            List.of(
                    Rule.of(
                                    "FLOW-1",
                                    "MUST bound what waits to be sent to one peer; it refuses what is beyond with a failure of kind REFUSED, and answers what it took.",
                                    "a queue without an end, a bound that is counted in messages",
                                    LimitRules::boundsItsQueue)
                            .where(
                                    "a bound of its queue",
                                    capabilities -> capabilities.sendQueue().isPresent()),
                    Rule.of(
                                    "RUBBISH-1",
                                    "MUST fail connect with an RpcException when the address of a member is rubbish, and serve the others.",
                                    "an exception of a parser that gets out, memory taken for a length that nobody checked",
                                    LimitRules::survivesRubbishAddresses)
                            .where("the survival of rubbish", Capabilities::survivesRubbish));

    private LimitRules() {}

    private static void boundsItsQueue(BackendProvider provider, BackendUnderTest backend) {
        Bound bound = backend.capabilities().sendQueue().orElseThrow();
        try (AgentWorld world =
                AgentWorld.connected(provider, backend.withSettings(bound.settings()), 2)) {
            var goOn = new CountDownLatch(1);
            world.agent(1)
                    .behave((_, _, replies) -> {
                        await(world, goOn); // against the rules: so does a process that is stopped
                        replies.reply(reply(new byte[0]));
                    });
            List<Outcome> outcomes;
            try {
                outcomes = flood(world, bound.value());
                check(
                        eventually(world, () -> outcomes.stream().anyMatch(LimitRules::isRefused)),
                        "%d bytes wait for one peer, and none were refused; declared is a bound of %d",
                        (long) outcomes.size() * PART_BYTES,
                        bound.value());
            } finally {
                goOn.countDown();
            }
            for (Outcome outcome : outcomes) {
                check(outcome.await(2 * world.patienceMillis()), "a request never ended");
                check(
                        outcome.reply() != null || isRefused(outcome),
                        "a request was neither answered nor refused: %s",
                        outcome.failure());
            }
            world.agent(1).behave(TestAgent::echo);
            checkAnswered(world, 0, 1, "after its queue was full");
        }
    }

    /** Send to a peer that does not read, four times as much as may wait. */
    private static List<Outcome> flood(AgentWorld world, long bound) {
        MemorySegment part = MemorySegment.ofArray(new byte[PART_BYTES]);
        List<Outcome> outcomes = new ArrayList<>();
        for (long sent = 0; sent < 4 * bound + 16L * PART_BYTES; sent += PART_BYTES) {
            outcomes.add(world.agent(0).send(1, request(new byte[1], part), 0));
        }
        return outcomes;
    }

    private static boolean isRefused(Outcome outcome) {
        return isOfKind(RpcErrorKind.REFUSED, outcome.failure());
    }

    private static void survivesRubbishAddresses(
            BackendProvider provider, BackendUnderTest backend) {
        List<byte[]> rubbish =
                List.of(
                        new byte[0],
                        new byte[] {0},
                        "x=y\nz".getBytes(StandardCharsets.UTF_8),
                        Checks.bytes(new java.util.Random(Rules.seed()), 300),
                        new byte[1 << 20]);
        for (byte[] bytes : rubbish) {
            try (AgentWorld world = AgentWorld.connected(provider, backend, 2)) {
                TestAgent strange = world.add(2, new RubbishStore(world.store(), bytes));
                CompletableFuture<Void> connecting =
                        AgentWorld.connect(
                                world.agent(0), List.of(world.agent(0).self(), strange.self()));
                check(
                        eventually(world, connecting::isDone),
                        "connect to an address of %d bytes of rubbish did not end",
                        bytes.length);
                check(
                        connecting.isCompletedExceptionally()
                                && connecting.exceptionNow() instanceof RpcException,
                        "connect to an address of %d bytes of rubbish ended with %s",
                        bytes.length,
                        connecting.isCompletedExceptionally()
                                ? connecting.exceptionNow()
                                : "success");
                checkAnswered(world, 0, 1, "after rubbish in the store");
            }
        }
    }

    /** What is written through it arrives as rubbish. */
    private record RubbishStore(MemoryStore store, byte[] rubbish) implements Store {
        @Override
        public void set(String key, byte[] value) {
            store.set(key, rubbish);
        }

        @Override
        public byte[] get(String key, Duration timeout) {
            return store.get(key, timeout);
        }

        @Override
        public long add(String key, long amount) {
            return store.add(key, amount);
        }

        @Override
        public void close() {}
    }
}
