package org.gradwire.conformance.rules;

import static org.gradwire.conformance.rules.Checks.SLACK_MILLIS;
import static org.gradwire.conformance.rules.Checks.answer;
import static org.gradwire.conformance.rules.Checks.check;
import static org.gradwire.conformance.rules.Checks.checkAnswered;
import static org.gradwire.conformance.rules.Checks.eventually;
import static org.gradwire.conformance.rules.Checks.request;

import org.gradwire.rpc.RpcConnectionException;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/** Rules about the order of events at a loss. */
final class LossRules {
    private static final int CALLS = 100;
    private static final int ROUNDS = 3;

    static final List<Rule> ALL =
            List.of(
                    Rule.of(
                            "FAIL-6",
                            "MUST report a loss only after the pending calls to the peer have failed and new ones fail at once; and deliver no request of that peer after the report.",
                            "a listener that is notified before the pending calls are failed, requests of the lost peer in another queue",
                            3,
                            LossRules::tellsOfALossInOrder));

    private LossRules() {}

    private static void tellsOfALossInOrder(AgentWorld world) {
        for (int round = 0; round < ROUNDS; round++) {
            world.agent(1).behave((_, _, _) -> {});
            check(
                    loseAndLook(world, "a peer that was closed", () -> closeAmidRequests(world)),
                    "the loss of a peer that was closed was not reported");
            world.agent(0).agent().disconnect(1);
            world.agent(2).agent().disconnect(1);
            world.replace(1);
            world.agent(1).behave((_, _, _) -> {});
            check(
                    loseAndLook(
                            world,
                            "a member that was disconnected",
                            () -> world.agent(0).agent().disconnect(1)),
                    "a disconnection was not reported");
            world.agent(2).agent().disconnect(1);
            world.replace(1);
        }
        checkAnswered(world, 0, 2, "after the loss of others");
    }

    /**
     * Close a peer right after it has sent many requests, which wait because the receiver's
     * callback is slow.
     */
    private static void closeAmidRequests(AgentWorld world) {
        var isLost = new AtomicBoolean();
        var late = new AtomicInteger();
        var isBusy = new CountDownLatch(1);
        var isClosed = new CountDownLatch(1);
        world.agent(0)
                .behave((from, request, replies) -> {
                    if (from == 1 && isLost.get()) {
                        late.incrementAndGet();
                    }
                    if (from == 1 && isBusy.getCount() > 0) {
                        isBusy.countDown();
                        Checks.awaitBriefly(isClosed);
                    }
                    TestAgent.echo(from, request, replies);
                });
        var told = new CountDownLatch(1);
        world.agent(0)
                .onNextLoss(() -> {
                    isLost.set(true);
                    told.countDown();
                });
        world.agent(1).send(0, request(CALLS), 0);
        check(Checks.await(world, isBusy), "a request was not delivered");
        for (int i = 0; i < CALLS; i++) {
            world.agent(1).send(0, request(i), 0);
        }
        world.agent(1).close();
        // A loss that does not wait for the callback overtakes the waiting requests; it has time
        // to.
        Checks.awaitBriefly(told);
        isClosed.countDown();
        check(
                eventually(world, isLost::get),
                "the loss of a peer that was closed was not reported");
        // These take the same path as the requests that may be late.
        List<Outcome> later = new ArrayList<>();
        for (int i = 0; i < CALLS; i++) {
            later.add(world.agent(i % 2 * 2).send(0, request(i), 0));
        }
        later.forEach(outcome -> answer(world, outcome, "a request after the loss of another"));
        check(
                late.get() == 0,
                "%d requests of a peer were delivered after its loss was reported",
                late.get());
    }

    /**
     * Lose worker 1, and inspect the state within the notification; {@return whether it arrived}
     */
    private static boolean loseAndLook(AgentWorld world, String what, Runnable lose) {
        TestAgent agent = world.agent(0);
        List<Outcome> pending = new ArrayList<>();
        int before = world.agent(1).requests();
        for (int i = 0; i < CALLS; i++) {
            pending.add(agent.send(1, request(i), i % 2 * 10L * world.patienceMillis()));
        }
        check(
                eventually(world, () -> world.agent(1).requests() == before + CALLS),
                "%d of %d requests arrived",
                world.agent(1).requests() - before,
                CALLS);
        var underWay = new AtomicInteger(-1);
        var further = new AtomicReference<@Nullable Outcome>();
        agent.onNextLoss(() -> {
            underWay.set((int) pending.stream().filter(outcome -> outcome.times() == 0).count());
            further.set(agent.send(1, request(0), 0));
        });
        lose.run();
        if (!eventually(world, () -> further.get() != null)) {
            return false;
        }
        check(
                underWay.get() == 0,
                "%d calls to %s were pending when its loss was reported",
                underWay.get(),
                what);
        for (Outcome outcome : pending) {
            check(
                    outcome.failure() instanceof RpcConnectionException,
                    "a pending call to %s ended with %s, not with an RpcConnectionException",
                    what,
                    outcome.failure());
        }
        Outcome last = Checks.present(further.get(), "the last call");
        check(
                last.await(SLACK_MILLIS) && last.failure() instanceof RpcConnectionException,
                "a call to %s, made when its loss was reported, did not fail at once: %s",
                what,
                last.failure());
        return true;
    }
}
