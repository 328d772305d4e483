package org.gradwire.conformance.rules;

import static org.gradwire.conformance.rules.Checks.SLACK_MILLIS;
import static org.gradwire.conformance.rules.Checks.answer;
import static org.gradwire.conformance.rules.Checks.check;
import static org.gradwire.conformance.rules.Checks.checkAnswered;
import static org.gradwire.conformance.rules.Checks.eventually;
import static org.gradwire.conformance.rules.Checks.reply;
import static org.gradwire.conformance.rules.Checks.request;

import org.gradwire.conformance.harness.BackendUnderTest;
import org.gradwire.conformance.harness.Capabilities.Bound;
import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.WorkerInfo;
import org.gradwire.spi.BackendProvider;
import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;

/** Rules about connect and the identity of workers. */
final class JoiningRules {
    private static final long LATE_MILLIS = 100;
    private static final byte FROM_THE_OLD = 66;

    static final List<Rule> ALL =
            List.of(
                    Rule.of(
                            "INIT-1",
                            "MUST wait in connect for members that start later.",
                            "an address that is read from the store once, or that is not waited for",
                            JoiningRules::waitsForTheLate),
                    Rule.of(
                            "INIT-2",
                            "MUST keep groups with different stores apart, also in one JVM.",
                            "a static table of workers by id, an address that does not identify its group",
                            JoiningRules::keepsGroupsApart),
                    Rule.of(
                            "INIT-3",
                            "MUST keep existing connections when connect is called again.",
                            "a second connection that ends the first, a loss that is reported although no peer was lost",
                            3,
                            JoiningRules::connectsAgain),
                    Rule.of(
                                    "INIT-4",
                                    "MUST fail connect with an RpcException within the configured time if a member does not start.",
                                    "an unbounded wait on the store or in the handshake",
                                    JoiningRules::givesUpConnecting)
                            .where(
                                    "the time to connect",
                                    capabilities -> capabilities.connectTime().isPresent()),
                    Rule.of(
                                    "ID-1",
                                    "MUST reject everything from a former holder of an id that still runs, once connect has met the new one.",
                                    "sessions that are found by worker id alone, without the incarnation",
                                    3,
                                    JoiningRules::keepsZombiesOut)
                            .where("incarnations", capabilities -> capabilities.incarnations()));

    private JoiningRules() {}

    private static void waitsForTheLate(BackendProvider provider, BackendUnderTest backend) {
        try (var world = new AgentWorld(provider, backend)) {
            TestAgent early = world.add(0);
            var members = List.of(early.self(), new WorkerInfo(1, "worker1"));
            CompletableFuture<Void> connecting = AgentWorld.connect(early, members);
            check(
                    !hasEnded(connecting, LATE_MILLIS),
                    "connect returned before a member had started: %s",
                    failure(connecting));
            world.add(1);
            world.connectAll();
            check(hasEnded(connecting, world.patienceMillis()), "connect did not end");
            check(
                    failure(connecting) == null,
                    "connect failed although the member started: %s",
                    failure(connecting));
            checkAnswered(world, 0, 1, "that started later");
            checkAnswered(world, 1, 0, "that started earlier");
        }
    }

    private static void keepsGroupsApart(BackendProvider provider, BackendUnderTest backend) {
        try (AgentWorld one = AgentWorld.connected(provider, backend, 2);
                AgentWorld other = AgentWorld.connected(provider, backend, 2)) {
            one.agent(1).behave((_, _, replies) -> replies.reply(reply(new byte[] {1})));
            other.agent(1).behave((_, _, replies) -> replies.reply(reply(new byte[] {2})));
            checkGroup(one, 1);
            checkGroup(other, 2);
            one.closeAll();
            checkGroup(other, 2);
            check(
                    other.agent(0).lostPeers().isEmpty(),
                    "a worker was notified of the loss of %s, which is in another group",
                    other.agent(0).lostPeers());
        }
    }

    private static void checkGroup(AgentWorld world, int group) {
        Outcome outcome = world.agent(0).send(1, request(new byte[0]), world.patienceMillis());
        byte[] said = answer(world, outcome, "a request in group " + group).payload();
        check(
                said.length == 1 && said[0] == group,
                "a request in group %d was answered in another one",
                group);
    }

    private static void connectsAgain(AgentWorld world) {
        for (int round = 0; round < 3; round++) {
            checkAnswered(world, 0, 1, "before connecting again");
            world.connectAll();
            for (int id = 0; id < 3; id++) {
                checkAnswered(world, id, (id + 1) % 3, "after connecting again");
                check(
                        world.agent(id).lostPeers().isEmpty(),
                        "by connecting again, worker %d was notified of the loss of %s",
                        id,
                        world.agent(id).lostPeers());
            }
        }
    }

    private static void givesUpConnecting(BackendProvider provider, BackendUnderTest backend) {
        Bound time = backend.capabilities().connectTime().orElseThrow();
        try (var world = new AgentWorld(provider, backend.withSettings(time.settings()))) {
            TestAgent alone = world.add(0);
            CompletableFuture<Void> connecting =
                    AgentWorld.connect(alone, List.of(alone.self(), new WorkerInfo(1, "worker1")));
            check(
                    hasEnded(connecting, time.value() + SLACK_MILLIS),
                    "connect waited for a member for more than %d ms",
                    time.value() + SLACK_MILLIS);
            check(
                    failure(connecting) instanceof RpcException,
                    "connect to a member that does not start ended with %s",
                    failure(connecting));
        }
    }

    private static void keepsZombiesOut(AgentWorld world) {
        TestAgent old = world.agent(1);
        var isHeard = new AtomicBoolean();
        world.agent(0)
                .behave((from, request, replies) -> {
                    if (request.payload()[0] == FROM_THE_OLD) {
                        isHeard.set(true);
                    }
                    TestAgent.echo(from, request, replies);
                });
        world.agent(0).agent().disconnect(1);
        world.agent(2).agent().disconnect(1);
        world.succeed(1);
        Outcome outcome = old.send(0, request(new byte[] {FROM_THE_OLD}), SLACK_MILLIS);
        check(outcome.await(2 * SLACK_MILLIS), "a request of the old worker 1 never ended");
        check(
                outcome.reply() == null && !isHeard.get(),
                "a request of the old worker 1 was attributed to the new worker 1");
        int before = old.requests();
        checkAnswered(world, 0, 1, "that is new");
        checkAnswered(world, 1, 0, "after that one is new");
        check(
                old.requests() == before && eventually(world, () -> world.agent(1).requests() == 1),
                "a request to the new worker 1 went to the old one");
    }

    private static boolean hasEnded(CompletableFuture<Void> connecting, long millis) {
        try {
            connecting.get(millis, TimeUnit.MILLISECONDS);
            return true;
        } catch (ExecutionException e) {
            return true;
        } catch (TimeoutException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", e);
        }
    }

    private static @Nullable Throwable failure(CompletableFuture<Void> ended) {
        return ended.isCompletedExceptionally() ? ended.exceptionNow() : null;
    }
}
