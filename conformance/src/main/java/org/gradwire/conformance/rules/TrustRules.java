package org.gradwire.conformance.rules;

import static org.gradwire.conformance.rules.Checks.SLACK_MILLIS;
import static org.gradwire.conformance.rules.Checks.answer;
import static org.gradwire.conformance.rules.Checks.check;
import static org.gradwire.conformance.rules.Checks.checkAnswered;
import static org.gradwire.conformance.rules.Checks.eventually;
import static org.gradwire.conformance.rules.Checks.number;
import static org.gradwire.conformance.rules.Checks.reply;
import static org.gradwire.conformance.rules.Checks.request;

import org.gradwire.conformance.harness.BackendUnderTest;
import org.gradwire.conformance.harness.Capabilities;
import org.gradwire.conformance.harness.Capabilities.Bound;
import org.gradwire.rpc.WorkerInfo;
import org.gradwire.spi.BackendProvider;
import org.gradwire.spi.Settings;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/** Rules about impostors. */
final class TrustRules {
    private static final int CALLS = 20;

    static final List<Rule> ALL =
            List.of(
                    Rule.of(
                            "TRUST-1",
                            "MUST name as sender of a request the worker that its session belongs to, whatever the request claims, also after a worker was replaced.",
                            "a sender that is read from the message, a session that keeps the id of an earlier worker",
                            3,
                            TrustRules::vouchesForTheSender),
                    Rule.of(
                                    "TRUST-2",
                                    "MUST NOT deliver anything between workers whose tokens differ, or of which only one has a token.",
                                    "a proof that only one side demands, an empty token that is not compared",
                                    TrustRules::keepsTokensApart)
                            .where("authentication", Capabilities::authenticated),
                    Rule.of(
                                    "TRUST-3",
                                    "MUST reject a worker that claims the id of a member but is not the one that the store names, and keep the member connected.",
                                    "a newer connection that replaces an older one, an incarnation that is accepted because it is higher",
                                    TrustRules::keepsImpostorsOut)
                            .where("incarnations", Capabilities::incarnations),
                    Rule.of(
                            "TRUST-4",
                            "MUST complete a call only by a reply of the worker that was called.",
                            "replies that are matched by id without comparing the peer of the call",
                            3,
                            TrustRules::takesRepliesOfTheCalleeOnly));

    private TrustRules() {}

    private static void vouchesForTheSender(AgentWorld world) {
        checkSenders(world, "before a worker was replaced");
        world.agent(0).agent().disconnect(1);
        world.agent(2).agent().disconnect(1);
        world.replace(1);
        checkSenders(world, "after worker 1 was replaced");
    }

    /** Check with two workers that each claim to be the other. */
    private static void checkSenders(AgentWorld world, String when) {
        var named = new AtomicInteger();
        world.agent(0)
                .behave((from, request, replies) -> {
                    named.set(from);
                    TestAgent.echo(from, request, replies);
                });
        for (int from : List.of(1, 2, 1)) {
            int claimed = 3 - from;
            Outcome outcome = world.agent(from).send(0, request(claimed), world.patienceMillis());
            var _ = answer(world, outcome, "a request of worker " + from + " " + when);
            check(
                    named.get() == from,
                    "a request of worker %d that claims worker %d was delivered as one of worker %d %s",
                    from,
                    claimed,
                    named.get(),
                    when);
        }
    }

    private static void keepsTokensApart(BackendProvider provider, BackendUnderTest backend) {
        for (List<String> tokens :
                List.of(
                        List.of("one", "other"),
                        List.of("one", ""),
                        List.of("", "one"),
                        List.of("one", "on"))) {
            try (var world = new AgentWorld(provider, withShortConnectTime(backend))) {
                checkTokens(world, tokens.getFirst(), tokens.getLast());
            }
        }
    }

    /** Check with workers 0 and 2, which share a token, and worker 1, which has another. */
    private static void checkTokens(AgentWorld world, String token, String other) {
        TestAgent here = world.add(0, withToken(token));
        TestAgent friend = world.add(2, withToken(token));
        world.connectAll();
        TestAgent stranger = world.add(1, withToken(other));
        List<CompletableFuture<Void>> connecting = new ArrayList<>();
        for (TestAgent agent : List.of(here, stranger)) {
            connecting.add(AgentWorld.connect(agent, List.of(here.self(), stranger.self())));
        }
        awaitEnds(world, connecting);
        Outcome in = stranger.send(0, request(1), SLACK_MILLIS);
        Outcome out = here.send(1, request(2), SLACK_MILLIS);
        String tokens = "between workers with the tokens '%s' and '%s'".formatted(token, other);
        for (Outcome outcome : List.of(in, out)) {
            check(outcome.await(2 * SLACK_MILLIS), "a request %s never ended", tokens);
            check(outcome.reply() == null, "a request %s was answered", tokens);
        }
        int heard = here.requests() + stranger.requests();
        check(heard == 0, "%d requests %s were delivered", heard, tokens);
        checkAnswered(world, 0, 2, "of the same token");
        checkAnswered(world, 2, 0, "of the same token");
        check(friend.lostPeers().isEmpty(), "a worker of the same token was lost");
    }

    private static Map<String, String> withToken(String token) {
        return Map.of(Settings.AUTHENTICATION_TOKEN, token);
    }

    /** Shorten the time of a connect that must fail. */
    private static BackendUnderTest withShortConnectTime(BackendUnderTest backend) {
        return backend.withSettings(
                backend.capabilities().connectTime().map(Bound::settings).orElse(Map.of()));
    }

    /** Wait until all have ended, successfully or not, within the kit's patience. */
    private static void awaitEnds(AgentWorld world, List<CompletableFuture<Void>> connecting) {
        var _ = eventually(world, () -> connecting.stream().allMatch(CompletableFuture::isDone));
    }

    private static void keepsImpostorsOut(BackendProvider provider, BackendUnderTest backend) {
        try (AgentWorld world = AgentWorld.connected(provider, withShortConnectTime(backend), 3)) {
            var isHeard = new AtomicBoolean();
            world.agent(0)
                    .behave((from, request, replies) -> {
                        isHeard.compareAndSet(false, number(request) == CALLS);
                        TestAgent.echo(from, request, replies);
                    });
            TestAgent impostor = world.addOutsider(1, new PrivateStore(world.store()));
            List<WorkerInfo> members = List.of(world.agent(0).self(), impostor.self());
            awaitEnds(world, List.of(AgentWorld.connect(impostor, members)));
            Outcome outcome = impostor.send(0, request(CALLS), SLACK_MILLIS);
            check(outcome.await(2 * SLACK_MILLIS), "a request of the impostor never ended");
            check(
                    outcome.reply() == null && !isHeard.get(),
                    "a request of an impostor of worker 1 was delivered");
            checkCalls(world, impostor);
        }
    }

    private static void checkCalls(AgentWorld world, TestAgent impostor) {
        for (int i = 0; i < CALLS; i++) {
            Outcome there = world.agent(0).send(1, request(i), world.patienceMillis());
            var _ = answer(world, there, "a request to worker 1 next to its impostor");
            Outcome back = world.agent(1).send(0, request(i), world.patienceMillis());
            var _ = answer(world, back, "a request of worker 1 next to its impostor");
        }
        check(impostor.requests() == 0, "a request to worker 1 reached its impostor");
        check(
                world.agent(1).requests() == CALLS,
                "of %d requests to worker 1, %d reached it",
                CALLS,
                world.agent(1).requests());
        check(
                world.agent(0).lostPeers().isEmpty() && world.agent(2).lostPeers().isEmpty(),
                "worker 1 was lost because of its impostor");
    }

    private static void takesRepliesOfTheCalleeOnly(AgentWorld world) {
        var held = new ConcurrentLinkedQueue<Runnable>();
        world.agent(1)
                .behave((from, request, replies) ->
                        held.add(() -> TestAgent.echo(from, request, replies)));
        world.agent(2).behave((_, _, replies) -> replies.reply(reply(new byte[] {2})));
        List<Outcome> waiting = new ArrayList<>();
        for (int i = 0; i < CALLS; i++) {
            waiting.add(world.agent(0).send(1, request(i), 2 * world.patienceMillis()));
        }
        check(eventually(world, () -> held.size() == CALLS), "requests did not arrive");
        for (int i = 0; i < CALLS; i++) {
            Outcome other = world.agent(0).send(2, request(i), world.patienceMillis());
            int bytes = answer(world, other, "a request to worker 2").payload().length;
            check(bytes == 1, "a call to worker 2 ended with %d bytes, not with its reply", bytes);
        }
        long ended = waiting.stream().filter(outcome -> outcome.times() > 0).count();
        check(ended == 0, "%d calls to worker 1 ended before it replied", ended);
        held.forEach(Runnable::run);
        for (int i = 0; i < CALLS; i++) {
            int said = number(answer(world, waiting.get(i), "a request to worker 1"));
            check(said == i, "call %d to worker 1 ended with the reply to call %d", i, said);
        }
    }
}
