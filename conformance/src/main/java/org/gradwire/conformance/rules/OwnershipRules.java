package org.gradwire.conformance.rules;

import static org.gradwire.conformance.rules.Checks.answer;
import static org.gradwire.conformance.rules.Checks.bytes;
import static org.gradwire.conformance.rules.Checks.check;
import static org.gradwire.conformance.rules.Checks.checkEqual;
import static org.gradwire.conformance.rules.Checks.eventually;
import static org.gradwire.conformance.rules.Checks.number;
import static org.gradwire.conformance.rules.Checks.reply;
import static org.gradwire.conformance.rules.Checks.request;

import org.gradwire.spi.Message;
import org.gradwire.spi.MessageTypes;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;

/** Rules about the memory of sent messages. */
final class OwnershipRules {
    private static final byte SCRIBBLE = 0x5A;
    private static final int MESSAGES = 50;

    static final List<Rule> ALL =
            List.of(
                    Rule.of(
                            "OWN-1",
                            "MUST release every request exactly once, after its last read, also if sending fails.",
                            "failure paths without a release",
                            2,
                            OwnershipRules::releasesRequests),
                    Rule.of(
                            "OWN-2",
                            "MUST NOT read the buffers of a request after releasing it.",
                            "a release when the message is queued instead of when it is written",
                            2,
                            OwnershipRules::readsNothingAfterTheRelease),
                    Rule.of(
                            "OWN-3",
                            "MUST treat a reply like a request: release it once, and not read it afterwards.",
                            "a reply path without the releases of the request path",
                            2,
                            OwnershipRules::releasesReplies));

    private OwnershipRules() {}

    private static void releasesRequests(AgentWorld world) {
        List<AtomicInteger> releases = new ArrayList<>();
        List<Outcome> outcomes = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            var count = new AtomicInteger();
            releases.add(count);
            var message =
                    new Message(
                            MessageTypes.UDF_CALL,
                            new byte[8],
                            List.of(MemorySegment.ofArray(new float[i * 1000])),
                            count::incrementAndGet);
            outcomes.add(world.agent(0).send(i % 2, message, world.patienceMillis()));
        }
        for (Outcome outcome : outcomes) {
            check(outcome.await(world.patienceMillis()), "a request never ended");
        }
        var refused = new AtomicInteger();
        Outcome toNobody =
                world.agent(0)
                        .send(
                                77,
                                new Message(
                                        MessageTypes.UDF_CALL,
                                        new byte[8],
                                        List.of(),
                                        refused::incrementAndGet),
                                world.patienceMillis());
        check(
                toNobody.await(world.patienceMillis()) && toNobody.failure() != null,
                "a request to a worker that does not exist did not fail");
        releases.add(refused);
        for (int i = 0; i < releases.size(); i++) {
            int index = i;
            check(
                    eventually(world, () -> releases.get(index).get() == 1),
                    "message %d was released %d times",
                    i,
                    releases.get(i).get());
        }
    }

    private static void readsNothingAfterTheRelease(AgentWorld world) {
        var random = new Random(Seed.get());
        List<Message> arrived = Collections.synchronizedList(new ArrayList<>());
        world.agent(1)
                .behave((_, request, replies) -> {
                    arrived.add(request);
                    replies.reply(reply(new byte[0]));
                });
        List<Message> expected = new ArrayList<>();
        List<Outcome> outcomes = new ArrayList<>();
        var releases = new AtomicInteger();
        for (int i = 0; i < MESSAGES; i++) {
            MemorySegment[] buffers = buffers(random, i);
            Message sent =
                    new Message(
                            MessageTypes.UDF_CALL,
                            request(i).payload(),
                            List.of(buffers),
                            () -> scribble(buffers, releases));
            expected.add(TestAgent.copyOf(sent));
            outcomes.add(world.agent(0).send(1, sent, 2 * world.patienceMillis()));
        }
        outcomes.forEach(outcome -> answer(world, outcome, "one of the released requests"));
        check(
                eventually(world, () -> releases.get() == MESSAGES),
                "%d of %d requests were released",
                releases.get(),
                MESSAGES);
        for (Message message : List.copyOf(arrived)) {
            int i = number(message);
            checkEqual(expected.get(i), message, "request %d after its release".formatted(i));
        }
    }

    private static void releasesReplies(AgentWorld world) {
        var random = new Random(Seed.get());
        List<Message> expected = new ArrayList<>();
        var releases = new AtomicInteger();
        List<Message> replies = new ArrayList<>();
        for (int i = 0; i < MESSAGES; i++) {
            MemorySegment[] buffers = buffers(random, i);
            Message reply =
                    new Message(
                            MessageTypes.UDF_RET,
                            request(i).payload(),
                            List.of(buffers),
                            () -> scribble(buffers, releases));
            replies.add(reply);
            expected.add(TestAgent.copyOf(reply));
        }
        world.agent(1).behave((_, request, sink) -> sink.reply(replies.get(number(request))));
        List<Outcome> outcomes = new ArrayList<>();
        for (int i = 0; i < MESSAGES; i++) {
            outcomes.add(world.agent(0).send(1, request(i), 2 * world.patienceMillis()));
        }
        List<Message> arrived = new ArrayList<>();
        outcomes.forEach(
                outcome -> arrived.add(answer(world, outcome, "a request with a large reply")));
        check(
                eventually(world, () -> releases.get() == MESSAGES),
                "%d of %d replies were released",
                releases.get(),
                MESSAGES);
        for (int i = 0; i < MESSAGES; i++) {
            checkEqual(expected.get(i), arrived.get(i), "reply %d after its release".formatted(i));
        }
    }

    /** Small and large buffers, in arrays and in native memory, which backends send differently. */
    private static MemorySegment[] buffers(Random random, int i) {
        int size = i % 10 == 0 ? 1_500_000 : 40_000 * (i % 3) + 16;
        byte[] bytes = bytes(random, size);
        MemorySegment outside = Arena.ofAuto().allocate(size, Long.BYTES);
        return new MemorySegment[] {
            MemorySegment.ofArray(bytes), outside.copyFrom(MemorySegment.ofArray(bytes))
        };
    }

    private static void scribble(MemorySegment[] buffers, AtomicInteger releases) {
        for (MemorySegment buffer : buffers) {
            buffer.fill(SCRIBBLE);
        }
        releases.incrementAndGet();
    }
}
