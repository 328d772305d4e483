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

/** Rules about queue bounds and malformed addresses. */
final class LimitRules {
    private static final int PART_BYTES = 1 << 20;

    static final List<Rule> ALL =
            List.of(
                    Rule.of(
                                    "FLOW-1",
                                    "MUST bound the data queued for one peer: it refuses the excess with a failure of kind REFUSED, and answers what it accepted.",
                                    "an unbounded queue, a bound that counts messages",
                                    LimitRules::boundsItsQueue)
                            .where(
                                    "a bound of its queue",
                                    capabilities -> capabilities.sendQueue().isPresent()),
                    Rule.of(
                                    "RUBBISH-1",
                                    "MUST fail connect with an RpcException if the address of a member is malformed, and serve the others.",
                                    "an uncaught exception of a parser, memory that is allocated for an unchecked length",
                                    LimitRules::survivesRubbishAddresses)
                            .where("survival of malformed bytes", Capabilities::survivesRubbish));

    private LimitRules() {}

    private static void boundsItsQueue(BackendProvider provider, BackendUnderTest backend) {
        Bound bound = backend.capabilities().sendQueue().orElseThrow();
        try (AgentWorld world =
                AgentWorld.connected(provider, backend.withSettings(bound.settings()), 2)) {
            var goOn = new CountDownLatch(1);
            world.agent(1)
                    .behave((_, _, replies) -> {
                        await(
                                world,
                                goOn); // a callback that blocks violates the SPI, but a suspended
                        // process behaves so
                        replies.reply(reply(new byte[0]));
                    });
            List<Outcome> outcomes;
            try {
                outcomes = flood(world, bound.value());
                check(
                        eventually(world, () -> outcomes.stream().anyMatch(LimitRules::isRefused)),
                        "%d bytes are queued for one peer, and none were refused; the declared bound is %d",
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

    /** Send four times the declared bound to a peer that does not read. */
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
                        Checks.bytes(new java.util.Random(Seed.get()), 300),
                        new byte[1 << 20]);
        for (byte[] bytes : rubbish) {
            try (AgentWorld world = AgentWorld.connected(provider, backend, 2)) {
                TestAgent strange = world.add(2, new RubbishStore(world.store(), bytes));
                CompletableFuture<Void> connecting =
                        AgentWorld.connect(
                                world.agent(0), List.of(world.agent(0).self(), strange.self()));
                check(
                        eventually(world, connecting::isDone),
                        "connect to an address of %d random bytes did not end",
                        bytes.length);
                check(
                        connecting.isCompletedExceptionally()
                                && connecting.exceptionNow() instanceof RpcException,
                        "connect to an address of %d random bytes ended with %s",
                        bytes.length,
                        connecting.isCompletedExceptionally()
                                ? connecting.exceptionNow()
                                : "success");
                checkAnswered(world, 0, 1, "after random bytes in the store");
            }
        }
    }

    /** Replaces written values with random bytes. */
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
