package org.gradwire.conformance.rules;

import static org.gradwire.conformance.rules.Checks.SLACK_MILLIS;
import static org.gradwire.conformance.rules.Checks.check;
import static org.gradwire.conformance.rules.Checks.checkAnswered;
import static org.gradwire.conformance.rules.Checks.eventually;
import static org.gradwire.conformance.rules.Checks.join;
import static org.gradwire.conformance.rules.Checks.number;
import static org.gradwire.conformance.rules.Checks.request;

import org.gradwire.conformance.harness.BackendUnderTest;
import org.gradwire.rpc.RpcErrorKind;
import org.gradwire.spi.BackendProvider;
import org.gradwire.spi.Message;
import org.gradwire.spi.ReplySink;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

/** Rules about close. */
final class CloseRules {
    private static final int CALLS = 200;
    private static final int WORLDS = 3;

    static final List<Rule> ALL =
            List.of(
                    Rule.of(
                            "CLOSE-1",
                            "MUST end close in bounded time, also if it is called twice or before start; pending requests fail with an RpcException of kind SHUTDOWN.",
                            "a join on a thread that waits for something else, a latch that is counted down once",
                            2,
                            CloseRules::closesInTime),
                    Rule.of(
                            "CLOSE-2",
                            "MUST fail sends after close with an RpcException of kind SHUTDOWN, and deliver no request after close.",
                            "a closed flag that is checked on one side only",
                            2,
                            CloseRules::staysClosed),
                    Rule.of(
                            "CLOSE-3",
                            "MUST leave no thread behind when all agents are closed.",
                            "a timer or an executor that is not shut down",
                            CloseRules::leavesNoThreads),
                    Rule.of(
                            "CLOSE-4",
                            "MUST end every request exactly once, on both sides, when an agent is closed during traffic.",
                            "a request that is registered while the pending calls are being failed",
                            3,
                            CloseRules::endsAllAmidTraffic));

    private CloseRules() {}

    private static void closesInTime(AgentWorld world) {
        close(world, world.create(8, world.store()), "an agent that was never started");
        close(world, world.add(9), "an agent that was never connected");
        world.agent(1).behave((_, _, _) -> {});
        Outcome pending = world.agent(0).send(1, request(new byte[1]), 0);
        for (int i = 0; i < 2; i++) {
            close(world, world.agent(0), "an agent with a request pending");
        }
        check(
                pending.await(SLACK_MILLIS)
                        && Checks.isOfKind(RpcErrorKind.SHUTDOWN, pending.failure()),
                "a request pending when its agent was closed ended with %s, not with a failure of kind SHUTDOWN",
                pending.failure());
    }

    private static void close(AgentWorld world, TestAgent agent, String what) {
        var failure = new AtomicReference<@Nullable Throwable>();
        Thread closing =
                Thread.ofPlatform()
                        .daemon()
                        .uncaughtExceptionHandler((_, e) -> failure.set(e))
                        .start(agent.agent()::close);
        boolean inTime = join(closing, world.patienceMillis());
        closing.interrupt();
        check(inTime, "close of %s was still pending after %d ms", what, world.patienceMillis());
        check(failure.get() == null, "close of %s threw %s", what, failure.get());
    }

    private static void staysClosed(AgentWorld world) {
        check(
                world.agent(0)
                        .send(1, request(new byte[1]), world.patienceMillis())
                        .await(world.patienceMillis()),
                "a request got no reply");
        int before = world.agent(1).requests();
        world.agent(1).close();
        Outcome toClosed = world.agent(0).send(1, request(new byte[1]), SLACK_MILLIS);
        check(
                toClosed.await(2 * SLACK_MILLIS) && toClosed.failure() != null,
                "a request to a closed agent was answered");
        check(world.agent(1).requests() == before, "a closed agent delivered a request");
        Outcome fromClosed = world.agent(1).send(0, request(new byte[1]), world.patienceMillis());
        check(
                fromClosed.await(SLACK_MILLIS)
                        && Checks.isOfKind(RpcErrorKind.SHUTDOWN, fromClosed.failure()),
                "a request sent through a closed agent ended with %s, not with a failure of kind SHUTDOWN",
                fromClosed.failure());
    }

    private static void leavesNoThreads(BackendProvider provider, BackendUnderTest backend) {
        var threads = new OwnThreads("CLOSE-3");
        long limit = (1 + 2L * WORLDS) * backend.patience().toMillis();
        threads.run(limit, () -> runWorlds(provider, backend));
        try (var world = new AgentWorld(provider, backend)) {
            check(
                    eventually(world, () -> threads.alive().isEmpty()),
                    "after all agents were closed, threads were still running: %s",
                    threads.names());
        }
    }

    private static void runWorlds(BackendProvider provider, BackendUnderTest backend) {
        for (int i = 0; i < WORLDS; i++) {
            try (AgentWorld world = AgentWorld.connected(provider, backend, 2)) {
                checkAnswered(world, 0, 1, "in a group that is closed soon");
            }
        }
    }

    private static void endsAllAmidTraffic(AgentWorld world) {
        // Some requests from and to worker 1 are certainly pending when it is closed.
        world.agent(1)
                .behave((from, request, replies) ->
                        echoUnless(number(request) % 10 == 0, from, request, replies));
        world.agent(2)
                .behave((from, request, replies) -> echoUnless(from == 1, from, request, replies));
        List<Outcome> outcomes = new ArrayList<>();
        for (int i = 0; i < CALLS; i++) {
            for (int from = 0; from < 3; from++) {
                outcomes.add(world.agent(from).send((from + 1) % 3, request(i), 0));
                outcomes.add(world.agent(from).send((from + 2) % 3, request(i), 0));
            }
            if (i == CALLS / 2) {
                world.agent(1).close();
            }
        }
        for (Outcome outcome : outcomes) {
            check(
                    outcome.await(world.patienceMillis()),
                    "a request pending when an agent was closed never ended");
        }
        checkAnswered(world, 0, 2, "after a third worker was closed");
        for (Outcome outcome : outcomes) {
            check(outcome.times() == 1, "a request ended %d times", outcome.times());
        }
    }

    private static void echoUnless(boolean isHeld, int from, Message request, ReplySink replies) {
        if (!isHeld) {
            TestAgent.echo(from, request, replies);
        }
    }
}
