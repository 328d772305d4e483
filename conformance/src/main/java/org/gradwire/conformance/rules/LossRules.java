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

/** In which order a loss shows. */
final class LossRules {
    private static final int CALLS = 100;
    private static final int ROUNDS = 3;

    static final List<Rule> ALL =
            List.of(
                    Rule.of(
                            "FAIL-6",
                            "MUST tell of a loss only when the calls under way to the peer have failed, and further ones fail at once; and hand in no request of a closed peer after that.",
                            "a listener that is told before the table of requests is emptied, requests of the lost that wait in another queue",
                            3,
                            LossRules::tellsOfALossInOrder));

    private LossRules() {}

    private static void tellsOfALossInOrder(AgentWorld world) {
        for (int round = 0; round < ROUNDS; round++) {
            world.agent(1).behave((_, _, _) -> {});
            check(
                    loseAndLook(world, "a peer that was closed", () -> closeAmidRequests(world)),
                    "the loss of a peer that was closed was not told");
            world.agent(0).agent().disconnect(1);
            world.agent(2).agent().disconnect(1);
            world.replace(1);
            world.agent(1).behave((_, _, _) -> {});
            check(
                    loseAndLook(
                            world,
                            "a member that was disconnected",
                            () -> world.agent(0).agent().disconnect(1)),
                    "a disconnection was not told");
            world.agent(2).agent().disconnect(1);
            world.replace(1);
        }
        checkAnswered(world, 0, 2, "after the loss of others");
    }

    /**
     * The last that a peer does before its end is to send many requests, which wait, since the
     * receiver's callback takes its time.
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
        check(Checks.await(world, isBusy), "a request was not handed in");
        for (int i = 0; i < CALLS; i++) {
            world.agent(1).send(0, request(i), 0);
        }
        world.agent(1).close();
        // A loss that does not wait for the callback overtakes what does; it has time to.
        Checks.awaitBriefly(told);
        isClosed.countDown();
        check(eventually(world, isLost::get), "the loss of a peer that was closed was not told");
        // These go the way of the requests that may be late.
        List<Outcome> later = new ArrayList<>();
        for (int i = 0; i < CALLS; i++) {
            later.add(world.agent(i % 2 * 2).send(0, request(i), 0));
        }
        later.forEach(outcome -> answer(world, outcome, "a request after the loss of another"));
        check(
                late.get() == 0,
                "%d requests of a peer were handed in after its loss was told",
                late.get());
    }

    /** Lose worker 1, and look from within the callback that tells it; {@return whether it came} */
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
                "%d calls to %s were under way when its loss was told",
                underWay.get(),
                what);
        for (Outcome outcome : pending) {
            check(
                    outcome.failure() instanceof RpcConnectionException,
                    "a call under way to %s ended with %s, not with an RpcConnectionException",
                    what,
                    outcome.failure());
        }
        Outcome last = Checks.present(further.get(), "the last call");
        check(
                last.await(SLACK_MILLIS) && last.failure() instanceof RpcConnectionException,
                "a call to %s, made when its loss was told, did not fail at once: %s",
                what,
                last.failure());
        return true;
    }
}
