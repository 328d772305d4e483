package org.gradwire.conformance.rules;

import static org.gradwire.conformance.rules.Checks.answer;
import static org.gradwire.conformance.rules.Checks.check;
import static org.gradwire.conformance.rules.Checks.checkAnswered;
import static org.gradwire.conformance.rules.Checks.eventually;
import static org.gradwire.conformance.rules.Checks.join;
import static org.gradwire.conformance.rules.Checks.request;

import org.gradwire.rpc.RpcTimeoutException;
import org.gradwire.spi.Message;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.IntFunction;

/** Rules about leaks. */
final class LeakRules {
    private static final int CALLS = 300;
    private static final int MEMBERS = 4;
    private static final long LONG_MILLIS = 600_000;
    private static final byte ECHO = 0;
    private static final byte LATE = 1;

    static final List<Rule> ALL =
            List.of(
                    Rule.of(
                            "LEAK-1",
                            "MUST hold no more objects, direct buffers, threads and descriptors after many calls than before, however the calls ended.",
                            "an entry that only one way of ending removes, a timer that is not cancelled, an unbounded cache",
                            2,
                            LeakRules::holdsNothingOfCalls),
                    Rule.of(
                            "LEAK-2",
                            "MUST hold no more objects, direct buffers, threads and descriptors after many members have joined and left than before.",
                            "a static table of agents, a session that stays in a list, a socket or a thread of a lost peer",
                            2,
                            LeakRules::holdsNothingOfMembers));

    private LeakRules() {}

    private static void holdsNothingOfCalls(AgentWorld world) {
        Queue<Runnable> late = new ConcurrentLinkedQueue<>();
        for (int id : List.of(0, 1)) {
            world.agent(id)
                    .behave((from, request, replies) -> {
                        if (request.payload()[0] == LATE) {
                            late.add(() -> TestAgent.echo(from, request, replies));
                        } else {
                            TestAgent.echo(from, request, replies);
                        }
                    });
        }
        Footprint.checkFlat(
                world,
                () -> callInEveryWay(world, late),
                CALLS,
                "%d calls of each kind were made".formatted(CALLS));
    }

    private static void callInEveryWay(AgentWorld world, Queue<Runnable> late) {
        answered(world, _ -> world.agent(0).send(1, request(new byte[] {ECHO}), 0));
        answered(world, _ -> world.agent(1).send(0, request(new byte[40]), LONG_MILLIS));
        answered(world, _ -> world.agent(0).send(0, request(new byte[8], floats(30)), LONG_MILLIS));
        answered(
                world,
                i -> world.agent(0).send(1, request(new byte[] {ECHO}, floats(i), floats(9)), 0));
        byThreadsOfTheirOwn(world);
        for (int to : List.of(0, 1, 77)) {
            List<Outcome> outcomes = new ArrayList<>();
            for (int i = 0; i < CALLS; i++) {
                Message message = request(new byte[] {LATE}, floats(to == 1 ? 10 : 0));
                outcomes.add(world.agent(0).send(to, message, 5));
            }
            for (Outcome outcome : outcomes) {
                if (!outcome.await(world.patienceMillis())) {
                    throw new OverdueError("an unanswered request did not end in its time");
                }
                check(outcome.failure() != null, "an unanswered request was answered");
                check(
                        to == 77 || outcome.failure() instanceof RpcTimeoutException,
                        "an unanswered request failed with %s",
                        outcome.failure());
            }
        }
        for (Runnable answer; (answer = late.poll()) != null; ) {
            answer.run();
        }
        checkAnswered(world, 0, 1, "after late replies");
        checkAnswered(world, 0, 0, "after late replies");
        late.clear(); // requests that arrived after their deadline
    }

    private static MemorySegment floats(int count) {
        return MemorySegment.ofArray(new float[count]);
    }

    private static void answered(AgentWorld world, IntFunction<Outcome> send) {
        List<Outcome> outcomes = new ArrayList<>();
        for (int i = 0; i < CALLS; i++) {
            outcomes.add(send.apply(i));
        }
        outcomes.forEach(outcome -> answer(world, outcome, "a request"));
    }

    private static void byThreadsOfTheirOwn(AgentWorld world) {
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < CALLS; i++) {
            threads.add(
                    Thread.ofPlatform()
                            .daemon()
                            .start(() -> world.agent(0).send(1, request(new byte[] {ECHO}), 0)));
        }
        for (Thread thread : threads) {
            check(join(thread, world.patienceMillis()), "a thread was stuck in send");
        }
        checkAnswered(world, 0, 1, "after many threads");
    }

    private static void holdsNothingOfMembers(AgentWorld world) {
        Footprint.checkFlat(
                world,
                () -> {
                    for (int i = 0; i < MEMBERS; i++) {
                        replace(world, i % 2 == 0);
                    }
                },
                MEMBERS / 2, // half of them are lost first, the others disconnected first
                "%d members were replaced".formatted(MEMBERS));
    }

    private static void replace(AgentWorld world, boolean isLostFirst) {
        world.agent(1).behave((_, _, _) -> {});
        Outcome pending = world.agent(0).send(1, request(new byte[1], floats(100)), LONG_MILLIS);
        int before = world.agent(0).lostPeers().size();
        if (isLostFirst) {
            world.agent(1).close();
            check(
                    eventually(world, () -> world.agent(0).lostPeers().size() > before),
                    "the loss of a peer was not reported");
        }
        world.agent(0).agent().disconnect(1);
        check(pending.await(world.patienceMillis()), "a request to a lost peer never ended");
        world.replaceAndForget(1);
        checkAnswered(world, 0, 1, "which is new");
        checkAnswered(world, 1, 0, "by one that is new");
    }
}
