package org.gradwire.conformance.rules;

import static org.gradwire.conformance.rules.Checks.answer;
import static org.gradwire.conformance.rules.Checks.bytes;
import static org.gradwire.conformance.rules.Checks.check;
import static org.gradwire.conformance.rules.Checks.checkEqual;
import static org.gradwire.conformance.rules.Checks.floats;
import static org.gradwire.conformance.rules.Checks.reply;
import static org.gradwire.conformance.rules.Checks.request;

import org.gradwire.conformance.harness.BackendUnderTest;
import org.gradwire.conformance.harness.Capabilities.Bound;
import org.gradwire.rpc.RpcErrorKind;
import org.gradwire.spi.BackendProvider;
import org.gradwire.spi.Message;
import org.gradwire.spi.MessageTypes;
import org.jspecify.annotations.Nullable;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;

/** Rules about message sizes. */
final class SizeRules {
    private static final long HEADROOM = 1024;

    /** Minimum rate, 32 MiB/s: a slow network or a busy machine is not a broken backend. */
    private static final long LEAST_BYTES_PER_MILLI = 32 << 10;

    static final List<Rule> ALL =
            List.of(
                    Rule.of(
                            "SEND-2",
                            "MUST deliver payload and buffers of any size, including 0, byte for byte.",
                            "chunking and reassembly, offsets of buffers after an odd-sized one, empty buffers",
                            2,
                            SizeRules::deliversUnchanged),
                    Rule.of(
                            "SIZE-1",
                            "MUST deliver messages of a thousand buffers, and messages of the declared size up to 2 GiB, as request and as reply.",
                            "a size in an int, a buffer count in a byte, a limit below the declared one",
                            2,
                            SizeRules::deliversTheLargest),
                    Rule.of(
                                    "SIZE-2",
                                    "MUST refuse a message above its limit at once, with a failure of kind REFUSED, as request and as reply.",
                                    "a limit that only the receiver checks, a reply that is dropped instead of refused",
                                    SizeRules::refusesTheOversized)
                            .where(
                                    "a largest message",
                                    capabilities -> capabilities.messageSize().isPresent()));

    private SizeRules() {}

    private static void deliversUnchanged(AgentWorld world) {
        var random = new Random(Seed.get());
        List<Integer> sizes = List.of(0, 1, 7, 100, 4_095, 65_537, 1 << 20, 5_000_001);
        for (int size : sizes) {
            if (size > world.backend().maxMessageBytes() / 4) {
                continue;
            }
            Message sent =
                    new Message(
                            MessageTypes.UDF_CALL,
                            bytes(random, Math.min(size, 100_000)),
                            List.of(
                                    floats(random, size / 4),
                                    MemorySegment.ofArray(bytes(random, size)),
                                    MemorySegment.ofArray(new byte[0])));
            Message expected = TestAgent.copyOf(sent);
            var received = new AtomicReference<@Nullable Message>();
            world.agent(1)
                    .behave((from, request, replies) -> {
                        received.set(TestAgent.copyOf(request));
                        TestAgent.echo(from, request, replies);
                    });
            Outcome outcome = world.agent(0).send(1, sent, world.patienceMillis());
            var _ = answer(world, outcome, "a message with buffers of %d bytes".formatted(size));
            checkEqual(expected, received.get(), "request of size " + size);
            checkEqual(expected, outcome.reply(), "reply of size " + size);
        }
    }

    private static void deliversTheLargest(AgentWorld world) {
        var random = new Random(Seed.get());
        MemorySegment[] many =
                IntStream.range(0, 1000)
                        .mapToObj(i -> MemorySegment.ofArray(bytes(random, i % 17)))
                        .toArray(MemorySegment[]::new);
        Message sent = request(new byte[0], many);
        Outcome outcome = world.agent(0).send(1, sent, world.patienceMillis());
        checkEqual(
                sent, answer(world, outcome, "a request of 1000 buffers"), "reply of 1000 buffers");

        long bytes = world.backend().maxMessageBytes() - HEADROOM;
        // Garbage-collected, since an agent may still read it after the check.
        MemorySegment large = Arena.ofAuto().allocate(bytes, Long.BYTES);
        for (long at = 0; at + Long.BYTES <= bytes; at += Long.BYTES) {
            large.set(ValueLayout.JAVA_LONG, at, at * 0x9E3779B97F4A7C15L);
        }
        checkSame(large, requestArrives(world, large), "request");
        checkSame(large, replyArrives(world, large), "reply");
    }

    private static MemorySegment requestArrives(AgentWorld world, MemorySegment large) {
        var arrived = new AtomicReference<@Nullable Message>();
        world.agent(1)
                .behave((_, request, replies) -> {
                    arrived.set(request);
                    replies.reply(reply(new byte[0]));
                });
        Outcome outcome = world.agent(0).send(1, request(new byte[1], large), 0);
        String what = "a request of %d bytes".formatted(large.byteSize());
        answer(outcome, what, limitMillis(world, large));
        return onlyBuffer(arrived.getAndSet(null));
    }

    private static MemorySegment replyArrives(AgentWorld world, MemorySegment large) {
        world.agent(1).behave((_, _, replies) -> replies.reply(reply(new byte[1], large)));
        Outcome outcome = world.agent(0).send(1, request(new byte[1]), 0);
        String what = "a request whose reply has %d bytes".formatted(large.byteSize());
        return onlyBuffer(answer(outcome, what, limitMillis(world, large)));
    }

    private static long limitMillis(AgentWorld world, MemorySegment large) {
        return world.patienceMillis() + large.byteSize() / LEAST_BYTES_PER_MILLI;
    }

    private static MemorySegment onlyBuffer(@Nullable Message message) {
        Message arrived = Checks.present(message, "the large message");
        check(arrived.buffers().size() == 1, "%s arrived instead of one buffer", arrived);
        return arrived.buffers().getFirst();
    }

    private static void checkSame(MemorySegment sent, MemorySegment arrived, String what) {
        check(
                sent.byteSize() == arrived.byteSize(),
                "%d of the %d bytes of a %s arrived",
                arrived.byteSize(),
                sent.byteSize(),
                what);
        long at = sent.mismatch(arrived);
        check(at < 0, "a %s of %d bytes differs at byte %d", what, sent.byteSize(), at);
    }

    private static void refusesTheOversized(BackendProvider provider, BackendUnderTest backend) {
        Bound most = backend.capabilities().messageSize().orElseThrow();
        try (AgentWorld world =
                AgentWorld.connected(provider, backend.withSettings(most.settings()), 2)) {
            Outcome request = world.agent(0).send(1, oversized(true, most.value()), 0);
            checkRefused(world, request, "a request above the limit of " + most.value());
            check(world.agent(1).requests() == 0, "a request above the limit was delivered");
            world.agent(1).behave((_, _, replies) -> replies.reply(oversized(false, most.value())));
            Outcome reply = world.agent(0).send(1, request(new byte[1]), 0);
            checkRefused(
                    world, reply, "a request whose reply was above the limit of " + most.value());
            world.agent(1).behave(TestAgent::echo);
            Checks.checkAnswered(world, 0, 1, "after a larger one was refused");
        }
    }

    /** A message above a limit that repeats one small buffer. */
    private static Message oversized(boolean isRequest, long limit) {
        MemorySegment part = MemorySegment.ofArray(new byte[(int) Math.min(limit, 1 << 20)]);
        MemorySegment[] parts = new MemorySegment[Math.toIntExact(limit / part.byteSize() + 1)];
        Arrays.fill(parts, part);
        return isRequest ? request(new byte[1], parts) : reply(new byte[1], parts);
    }

    private static void checkRefused(AgentWorld world, Outcome outcome, String what) {
        check(outcome.await(world.patienceMillis()), "%s never ended", what);
        check(
                Checks.isOfKind(RpcErrorKind.REFUSED, outcome.failure()),
                "%s was not refused: %s",
                what,
                outcome.reply() == null ? outcome.failure() : "it succeeded");
    }
}
