package org.gradwire.conformance.rules;

import static org.gradwire.conformance.rules.Checks.answer;
import static org.gradwire.conformance.rules.Checks.check;
import static org.gradwire.conformance.rules.Checks.eventually;
import static org.gradwire.conformance.rules.Checks.join;
import static org.gradwire.conformance.rules.Checks.number;
import static org.gradwire.conformance.rules.Checks.reply;
import static org.gradwire.conformance.rules.Checks.request;

import org.gradwire.conformance.harness.Capabilities;
import org.gradwire.spi.Message;
import org.gradwire.spi.MessageTypes;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;

/** Rules about requests and replies. */
final class SendRules {
    static final String EVERY_REQUEST_ENDS = "SEND-1";
    private static final int CALLS = 200;
    private static final int MANY_CALLS = 5_000;
    private static final int ORDERED_CALLS = 1_000;
    private static final int AT_A_TIME = 500;
    private static final int THREADS = 8;

    static final List<Rule> ALL =
            List.of(
                    Rule.of(
                            EVERY_REQUEST_ENDS,
                            "MUST end every request exactly once, with its reply or with a failure.",
                            "a path that drops a reply, or that completes a call both by its reply and by its deadline",
                            2,
                            SendRules::endsEveryRequestOnce),
                    Rule.of(
                            "SEND-3",
                            "MUST match each reply to its request, whatever the order of the replies.",
                            "replies that are matched by position instead of by id",
                            2,
                            SendRules::matchesReplies),
                    Rule.of(
                            "SEND-4",
                            "MUST name the true sender of a request.",
                            "sessions that are mapped to the wrong worker, ids that are taken from the message instead of the connection",
                            3,
                            SendRules::namesTheSender),
                    Rule.of(
                            "SEND-7",
                            "MUST refuse to send anything but a request, with an IllegalArgumentException.",
                            "a missing check at the entry of send",
                            2,
                            SendRules::refusesReplies),
                    Rule.of(
                            "SEND-8",
                            "MUST accept requests from many threads concurrently.",
                            "a field, a buffer or a counter that send uses without a lock",
                            2,
                            SendRules::takesManyThreads),
                    Rule.of(
                                    "ORDER-1",
                                    "MUST, if it declares order, deliver the requests of one worker to another in the order they were sent.",
                                    "several delivering threads, small messages that overtake large ones",
                                    2,
                                    SendRules::keepsTheOrder)
                            .where("order", Capabilities::ordered));

    private SendRules() {}

    private static void endsEveryRequestOnce(AgentWorld world) {
        for (List<Integer> ends : List.of(List.of(0, 1), List.of(1, 0), List.of(0, 0))) {
            endsEveryRequestOnce(world, ends.getFirst(), ends.getLast());
        }
    }

    private static void endsEveryRequestOnce(AgentWorld world, int from, int to) {
        List<Outcome> outcomes = new ArrayList<>();
        for (int i = 0; i < MANY_CALLS; i++) {
            MemorySegment[] buffers = new MemorySegment[i % 50 == 0 ? 1 : 0];
            Arrays.fill(buffers, MemorySegment.ofArray(new byte[i]));
            outcomes.add(world.agent(from).send(to, request(request(i).payload(), buffers), 0));
            if (i % AT_A_TIME == AT_A_TIME - 1) {
                outcomes.getLast().await(world.patienceMillis());
            }
        }
        for (int i = 0; i < MANY_CALLS; i++) {
            Outcome outcome = outcomes.get(i);
            check(outcome.await(world.patienceMillis()), "request %d never ended", i);
            check(outcome.failure() == null, "request %d failed: %s", i, outcome.failure());
        }
        // A second end would come with, or soon after, a later exchange.
        check(
                world.agent(from)
                        .send(to, request(new byte[1]), world.patienceMillis())
                        .await(world.patienceMillis()),
                "a further request never ended");
        for (int i = 0; i < MANY_CALLS; i++) {
            check(
                    outcomes.get(i).times() == 1,
                    "request %d ended %d times",
                    i,
                    outcomes.get(i).times());
        }
    }

    private static void matchesReplies(AgentWorld world) {
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

    private static void namesTheSender(AgentWorld world) {
        world.agent(1)
                .behave((from, _, replies) ->
                        replies.reply(
                                new Message(
                                        MessageTypes.UDF_RET,
                                        new byte[] {(byte) from},
                                        List.of())));
        for (int round = 0; round < 20; round++) {
            for (int sender : List.of(0, 2, 1)) {
                Outcome outcome =
                        world.agent(sender).send(1, request(new byte[0]), world.patienceMillis());
                Message reply = outcome.await(world.patienceMillis()) ? outcome.reply() : null;
                check(
                        reply != null && reply.payload()[0] == sender,
                        "a request of worker %d arrived as a request of another worker",
                        sender);
            }
        }
    }

    private static void refusesReplies(AgentWorld world) {
        try {
            world.agent(0)
                    .send(
                            1,
                            new Message(MessageTypes.UDF_RET, new byte[0], List.of()),
                            world.patienceMillis());
        } catch (IllegalArgumentException expected) {
            return;
        }
        throw new AssertionError("send accepted a reply");
    }

    private static void takesManyThreads(AgentWorld world) {
        List<Outcome> outcomes = new CopyOnWriteArrayList<>();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            int first = i * CALLS;
            threads.add(
                    Thread.ofPlatform()
                            .daemon()
                            .start(() -> {
                                for (int n = first; n < first + CALLS; n++) {
                                    outcomes.add(
                                            world.agent(0)
                                                    .send(
                                                            1,
                                                            request(n),
                                                            2 * world.patienceMillis()));
                                }
                            }));
        }
        for (Thread thread : threads) {
            check(join(thread, world.patienceMillis()), "a thread was stuck in send");
        }
        for (Outcome outcome : outcomes) {
            if (!outcome.await(world.patienceMillis()) || outcome.reply() == null) {
                throw new UnansweredError(
                        "of %d requests by %d threads, one ended with %s"
                                .formatted(
                                        outcomes.size(),
                                        THREADS,
                                        outcome.times() == 0 ? "nothing" : outcome.failure()));
            }
        }
        int[] answers =
                outcomes.stream()
                        .mapToInt(outcome -> number(answer(world, outcome, "one of many requests")))
                        .sorted()
                        .toArray();
        check(
                Arrays.equals(answers, IntStream.range(0, THREADS * CALLS).toArray()),
                "%d threads sent %d requests each, and the replies do not match",
                THREADS,
                CALLS);
    }

    /** Only the arrival order of requests matters, not whether they are answered. */
    private static void keepsTheOrder(AgentWorld world) {
        List<Integer> arrived = Collections.synchronizedList(new ArrayList<>());
        world.agent(1).behave((_, request, _) -> arrived.add(number(request)));
        for (int i = 0; i < ORDERED_CALLS; i++) {
            MemorySegment[] buffers = new MemorySegment[i % 7 == 0 ? 1 : 0];
            Arrays.fill(buffers, MemorySegment.ofArray(new byte[i % 3 * 40_000]));
            world.agent(0).send(1, request(request(i).payload(), buffers), 0);
        }
        boolean allArrived = eventually(world, () -> arrived.size() >= ORDERED_CALLS);
        List<Integer> seen = List.copyOf(arrived);
        for (int i = 1; i < seen.size(); i++) {
            check(
                    seen.get(i) > seen.get(i - 1),
                    "request %d arrived after request %d",
                    seen.get(i - 1),
                    seen.get(i));
        }
        if (!allArrived) {
            throw new UnansweredError(
                    "%d of %d requests arrived".formatted(seen.size(), ORDERED_CALLS));
        }
    }
}
