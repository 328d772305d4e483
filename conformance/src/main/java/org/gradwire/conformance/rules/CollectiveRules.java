package org.gradwire.conformance.rules;

import static org.gradwire.conformance.rules.Checks.SLACK_MILLIS;
import static org.gradwire.conformance.rules.Checks.answer;
import static org.gradwire.conformance.rules.Checks.bytes;
import static org.gradwire.conformance.rules.Checks.check;
import static org.gradwire.conformance.rules.Checks.checkAnswered;
import static org.gradwire.conformance.rules.Checks.checkEqual;
import static org.gradwire.conformance.rules.Checks.eventually;
import static org.gradwire.conformance.rules.Checks.isConnectionFailure;
import static org.gradwire.conformance.rules.Checks.number;
import static org.gradwire.conformance.rules.Checks.present;
import static org.gradwire.conformance.rules.Checks.reply;
import static org.gradwire.conformance.rules.Checks.request;

import org.gradwire.spi.Message;
import org.jspecify.annotations.Nullable;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Rules about messages as collective operations send them: all members to all at the same time,
 * from the program's memory, and answered when the receiver takes part.
 */
final class CollectiveRules {
    private static final List<Integer> MEMBERS = List.of(0, 1, 2);
    private static final int ROUNDS = 5;
    private static final int LARGE_BYTES = 1 << 20;
    private static final int MEDIUM_BYTES = 40_000;

    // A member may be 128 operations ahead, and an operation has up to two parts.
    private static final int EARLY = 256;
    private static final int EARLY_BYTES = 3_000;

    // How many large requests may be answered while a small one waits.
    private static final int MOST_LARGE = 300;

    static final List<Rule> ALL =
            List.of(
                    Rule.of(
                            "COLL-1",
                            "MUST deliver large requests that all members send each other at the same time.",
                            "a poller that receives only after its own messages are written, a buffer that both directions share",
                            MEMBERS.size(),
                            CollectiveRules::deliversCrossingRequests),
                    Rule.of(
                            "COLL-2",
                            "MUST deliver and keep 256 unanswered requests of each peer, which any thread may answer later in any order.",
                            "a window of unanswered requests, replies that must be in order, a sink that is confined to a thread",
                            MEMBERS.size(),
                            CollectiveRules::keepsEarlyRequests),
                    Rule.of(
                            "COLL-3",
                            "MUST deliver small requests while a worker and its peer send each other large ones without a pause.",
                            "a queue that large messages always leave first, a poller that copies as long as there is something to copy",
                            2,
                            CollectiveRules::deliversSmallRequestsAmongLarge),
                    Rule.of(
                            "COLL-4",
                            "MUST NOT read the buffers of a request after delivering its reply: what was received does not change with the sender's memory.",
                            "a receiver that maps the memory of its sender, a message that is sent again from the program's memory",
                            2,
                            CollectiveRules::hasCopiedWhatIsAnswered),
                    Rule.of(
                            "COLL-5",
                            "MUST send requests to the remaining members from within onPeerLost.",
                            "a lock that is held during the notification, a loop that skips sends while it removes a peer",
                            MEMBERS.size() + 1,
                            CollectiveRules::sendsWhileALossIsReported));

    private CollectiveRules() {}

    /** Each member answers the requests of a round when it has those of all. */
    private static void deliversCrossingRequests(AgentWorld world) {
        var random = new Random(Seed.get());
        Queue<String> findings = new ConcurrentLinkedQueue<>();
        Map<Integer, Message> expected = new ConcurrentHashMap<>();
        for (int id : MEMBERS) {
            Queue<Runnable> answers = new ConcurrentLinkedQueue<>();
            world.agent(id)
                    .behave((from, request, replies) -> {
                        findingOf(expected.get(number(request)), request, from)
                                .ifPresent(findings::add);
                        answers.add(() -> replies.reply(reply(request.payload())));
                        if (answers.size() == MEMBERS.size() - 1) {
                            runAll(answers);
                        }
                    });
        }
        for (int round = 0; round < ROUNDS; round++) {
            exchangeLarge(world, random, expected);
        }
        check(findings.isEmpty(), "%s", findings);
    }

    private static void runAll(Queue<Runnable> actions) {
        for (Runnable next; (next = actions.poll()) != null; ) {
            next.run();
        }
    }

    private static void exchangeLarge(
            AgentWorld world, Random random, Map<Integer, Message> expected) {
        List<Outcome> outcomes = new ArrayList<>();
        for (int from : MEMBERS) {
            for (int to : MEMBERS) {
                if (from != to) {
                    Message message = numbered(expected.size(), bytes(random, LARGE_BYTES));
                    expected.put(expected.size(), message);
                    outcomes.add(world.agent(from).send(to, message, 0));
                }
            }
        }
        outcomes.forEach(
                outcome -> answer(world, outcome, "a request that crosses those of its receiver"));
    }

    private static Optional<String> findingOf(
            @Nullable Message expected, Message arrived, int from) {
        try {
            checkEqual(
                    present(expected, "the number of a request"),
                    arrived,
                    "request %d from worker %d".formatted(number(arrived), from));
            return Optional.empty();
        } catch (AssertionError e) {
            return Optional.of(String.valueOf(e.getMessage()));
        }
    }

    private static Message numbered(int number, byte[] buffer) {
        return request(request(number).payload(), MemorySegment.ofArray(buffer));
    }

    private static void keepsEarlyRequests(AgentWorld world) {
        var random = new Random(Seed.get());
        List<Runnable> answers = Collections.synchronizedList(new ArrayList<>());
        world.agent(0)
                .behave((from, request, replies) ->
                        answers.add(() -> TestAgent.echo(from, request, replies)));
        List<Message> sent = new ArrayList<>();
        List<Outcome> outcomes = new ArrayList<>();
        for (int i = 0; i < EARLY * (MEMBERS.size() - 1); i++) {
            sent.add(numbered(i, bytes(random, EARLY_BYTES)));
            outcomes.add(world.agent(1 + i % (MEMBERS.size() - 1)).send(0, sent.get(i), 0));
        }
        check(
                eventually(world, () -> answers.size() == sent.size()),
                "%d of %d requests of %d peers were delivered while none was answered",
                answers.size(),
                sent.size(),
                MEMBERS.size() - 1);
        world.agent(0).behave(TestAgent::echo);
        for (int peer = 1; peer < MEMBERS.size(); peer++) {
            checkAnswered(world, peer, 0, "after many that are unanswered");
            checkAnswered(world, 0, peer, "before it answers many others");
        }
        Collections.shuffle(answers, random);
        answers.forEach(Runnable::run);
        for (int i = 0; i < sent.size(); i++) {
            Message reply = answer(world, outcomes.get(i), "early request %d".formatted(i));
            checkEqual(sent.get(i), reply, "early request %d".formatted(i));
        }
    }

    private static void deliversSmallRequestsAmongLarge(AgentWorld world) {
        for (int id : List.of(0, 1)) {
            world.agent(id)
                    .behave((_, request, replies) -> replies.reply(reply(request.payload())));
        }
        for (int round = 0; round < 2 * ROUNDS; round++) {
            int from = round % 2;
            var budget = new AtomicInteger(MOST_LARGE);
            var streams = new CountDownLatch(4);
            for (int i = 0; i < 4; i++) {
                sendLarge(world.agent(i % 2), 1 - i % 2, budget, streams);
            }
            var left = new AtomicInteger();
            var small = new Outcome(_ -> left.set(budget.getAndSet(0)));
            world.agent(from).agent().send(1 - from, request(round), 0, small);
            answer(world, small, "a small request among large ones");
            check(Checks.await(world, streams), "a large request among others was not answered");
            check(
                    left.get() > 0,
                    "a small request was not answered while %d large ones were",
                    MOST_LARGE);
        }
    }

    /** Send large requests, each when the one before is answered, until the budget is used up. */
    private static void sendLarge(
            TestAgent agent, int to, AtomicInteger budget, CountDownLatch streams) {
        Message large = request(new byte[1], MemorySegment.ofArray(new byte[LARGE_BYTES]));
        agent.agent()
                .send(
                        to,
                        large,
                        0,
                        new Outcome(_ -> {
                            if (budget.getAndUpdate(n -> Math.max(0, n - 1)) > 0) {
                                sendLarge(agent, to, budget, streams);
                            } else {
                                streams.countDown();
                            }
                        }));
    }

    private static void hasCopiedWhatIsAnswered(AgentWorld world) {
        var random = new Random(Seed.get());
        List<Message> received = Collections.synchronizedList(new ArrayList<>());
        world.agent(1)
                .behave((_, request, replies) -> {
                    received.add(request);
                    replies.reply(reply(request.payload()));
                });
        List<Message> copies = new ArrayList<>();
        for (int size : List.of(16, MEDIUM_BYTES, LARGE_BYTES)) {
            for (MemorySegment buffer : inArrayAndNative(bytes(random, size))) {
                Message sent = request(request(copies.size()).payload(), buffer);
                copies.add(TestAgent.copyOf(sent));
                Outcome outcome = world.agent(0).send(1, sent, 0);
                answer(world, outcome, "a request of %d bytes".formatted(size));
                buffer.fill((byte) 0x5A);
            }
        }
        for (int i = 0; i < 100; i++) { // they may reuse memory
            answer(world, world.agent(0).send(1, request(i), 0), "a later request");
        }
        for (int i = 0; i < copies.size(); i++) {
            checkEqual(
                    copies.get(i),
                    received.get(i),
                    "answered request %d, whose sender has changed its memory,".formatted(i));
        }
    }

    private static List<MemorySegment> inArrayAndNative(byte[] content) {
        MemorySegment array = MemorySegment.ofArray(content);
        return List.of(array, Arena.ofAuto().allocate(content.length, Long.BYTES).copyFrom(array));
    }

    private static void sendsWhileALossIsReported(AgentWorld world) {
        int lost = MEMBERS.size();
        TestAgent agent = world.agent(0);
        world.agent(lost).behave((_, _, _) -> {});
        Outcome pending = agent.send(lost, request(new byte[1]), 0);
        check(
                eventually(world, () -> world.agent(lost).requests() == 1),
                "the request never arrived");
        var notices = new AtomicReference<@Nullable List<Outcome>>();
        agent.onNextLoss(() -> {
            List<Outcome> sent = new ArrayList<>();
            for (int id = 1; id <= lost; id++) {
                sent.add(agent.send(id, request(id), 0));
            }
            notices.set(sent);
        });
        world.agent(lost).close();
        check(
                eventually(world, () -> notices.get() != null),
                "the loss of a peer was not reported");
        List<Outcome> sent = present(notices.get(), "the outcomes");
        for (int id = 1; id < lost; id++) {
            Message reply =
                    answer(
                            world,
                            sent.get(id - 1),
                            "a request to worker %d from within onPeerLost".formatted(id));
            check(number(reply) == id, "the reply contains %d instead of %d", number(reply), id);
        }
        for (Outcome failed : List.of(pending, sent.getLast())) {
            check(
                    failed.await(SLACK_MILLIS) && isConnectionFailure(failed),
                    "a request to the lost worker ended with %s, not with an RpcConnectionException",
                    failed.failure());
        }
    }
}
