package org.gradwire.conformance.rules;

import static org.gradwire.conformance.rules.Checks.SEED;
import static org.gradwire.conformance.rules.Checks.bytes;
import static org.gradwire.conformance.rules.Checks.check;
import static org.gradwire.conformance.rules.Checks.checkEqual;
import static org.gradwire.conformance.rules.Checks.eventually;
import static org.gradwire.conformance.rules.Checks.floats;
import static org.gradwire.conformance.rules.Checks.request;

import org.gradwire.conformance.harness.BackendUnderTest;
import org.gradwire.spi.Message;
import org.gradwire.spi.MessageTypes;
import org.jspecify.annotations.Nullable;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/** Checks of what happens to messages. */
final class SendChecks {
    private static final int CALLS = 200;

    private SendChecks() {}

    static void endsEveryRequestOnce(AgentWorld world) {
        List<Outcome> outcomes = new ArrayList<>();
        for (int i = 0; i < CALLS; i++) {
            outcomes.add(
                    world.agent(0)
                            .send(1, request(new byte[] {(byte) i}), world.patienceMillis() / 2));
        }
        for (int i = 0; i < CALLS; i++) {
            Outcome outcome = outcomes.get(i);
            check(outcome.await(world.patienceMillis()), "request %d never ended", i);
            check(outcome.failure() == null, "request %d failed: %s", i, outcome.failure());
        }
        // A second end would come with, or soon after, a later exchange.
        check(
                world.agent(0)
                        .send(1, request(new byte[1]), world.patienceMillis())
                        .await(world.patienceMillis()),
                "a further request never ended");
        for (int i = 0; i < CALLS; i++) {
            check(
                    outcomes.get(i).times() == 1,
                    "request %d ended %d times",
                    i,
                    outcomes.get(i).times());
        }
    }

    static void deliversUnchanged(AgentWorld world, BackendUnderTest backend) {
        var random = new Random(SEED);
        List<Integer> sizes = List.of(0, 1, 7, 100, 4_095, 65_537, 1 << 20, 5_000_001);
        for (int size : sizes) {
            if (size > backend.maxMessageBytes() / 4) {
                continue;
            }
            Message sent =
                    new Message(
                            MessageTypes.PYTHON_CALL,
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
            check(
                    outcome.await(world.patienceMillis()) && outcome.reply() != null,
                    "a message with buffers of %d bytes got no reply: %s (seed %d)",
                    size,
                    outcome.failure(),
                    SEED);
            checkEqual(expected, received.get(), "request of size " + size);
            checkEqual(expected, outcome.reply(), "reply of size " + size);
        }
    }

    static void matchesReplies(AgentWorld world) {
        List<Runnable> answers = new ArrayList<>();
        world.agent(1)
                .behave((from, request, replies) -> {
                    Runnable answer = () -> TestAgent.echo(from, request, replies);
                    synchronized (answers) {
                        answers.add(answer);
                        if (answers.size() == 10) {
                            answers.reversed().forEach(Runnable::run);
                            answers.clear();
                        }
                    }
                });
        List<Outcome> outcomes = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            outcomes.add(
                    world.agent(0).send(1, request(new byte[] {(byte) i}), world.patienceMillis()));
        }
        for (int i = 0; i < outcomes.size(); i++) {
            Outcome outcome = outcomes.get(i);
            Message reply = outcome.await(world.patienceMillis()) ? outcome.reply() : null;
            check(
                    reply != null && reply.payload().length == 1 && reply.payload()[0] == (byte) i,
                    "request %d got the reply of another one, or none",
                    i);
        }
    }

    static void namesTheSender(AgentWorld world) {
        world.agent(1)
                .behave((from, _, replies) ->
                        replies.reply(
                                new Message(
                                        MessageTypes.PYTHON_RET,
                                        new byte[] {(byte) from},
                                        List.of())));
        for (int round = 0; round < 20; round++) {
            for (int sender : List.of(0, 2, 1)) {
                Outcome outcome =
                        world.agent(sender).send(1, request(new byte[0]), world.patienceMillis());
                Message reply = outcome.await(world.patienceMillis()) ? outcome.reply() : null;
                check(
                        reply != null && reply.payload()[0] == sender,
                        "a request of worker %d arrived as one of another worker",
                        sender);
            }
        }
    }

    static void leavesReceivedMessagesAlone(AgentWorld world) {
        var random = new Random(SEED);
        List<Message> received = new ArrayList<>();
        List<Message> copies = new ArrayList<>();
        world.agent(1)
                .behave((from, request, replies) -> {
                    synchronized (received) {
                        received.add(request);
                        copies.add(TestAgent.copyOf(request));
                    }
                    TestAgent.echo(from, request, replies);
                });
        for (int i = 0; i < 50; i++) {
            Message sent =
                    new Message(
                            MessageTypes.PYTHON_CALL,
                            bytes(random, 64),
                            List.of(floats(random, i % 5 == 0 ? 40_000 : 16)));
            check(
                    world.agent(0)
                            .send(1, sent, world.patienceMillis())
                            .await(world.patienceMillis()),
                    "message %d got no reply",
                    i);
        }
        synchronized (received) {
            for (int i = 0; i < received.size(); i++) {
                checkEqual(
                        copies.get(i), received.get(i), "message " + i + " after later ones came");
            }
        }
    }

    static void copiesToItself(AgentWorld world) {
        float[] own = {1, 2, 3};
        var seen = new AtomicReference<@Nullable MemorySegment>();
        world.agent(0)
                .behave((from, request, replies) -> {
                    seen.set(request.buffers().getFirst());
                    TestAgent.echo(from, request, replies);
                });
        var message =
                new Message(
                        MessageTypes.PYTHON_CALL,
                        new byte[] {9},
                        List.of(MemorySegment.ofArray(own)));
        Outcome outcome = world.agent(0).send(0, message, world.patienceMillis());
        check(
                outcome.await(world.patienceMillis()) && outcome.reply() != null,
                "a request to oneself got no reply: %s",
                outcome.failure());
        own[0] = 99;
        MemorySegment arrived = seen.get();
        check(
                arrived != null && arrived.get(ValueLayout.JAVA_FLOAT_UNALIGNED, 0) == 1,
                "a change of the sender's array shows in the message that it sent to itself");
    }

    static void refusesReplies(AgentWorld world) {
        try {
            world.agent(0)
                    .send(
                            1,
                            new Message(MessageTypes.PYTHON_RET, new byte[0], List.of()),
                            world.patienceMillis());
        } catch (IllegalArgumentException expected) {
            return;
        }
        throw new AssertionError("send took a reply");
    }

    static void releasesOnce(AgentWorld world) {
        List<AtomicInteger> releases = new ArrayList<>();
        List<Outcome> outcomes = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            var count = new AtomicInteger();
            releases.add(count);
            var message =
                    new Message(
                            MessageTypes.PYTHON_CALL,
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
                                        MessageTypes.PYTHON_CALL,
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
}
