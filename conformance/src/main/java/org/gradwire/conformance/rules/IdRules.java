package org.gradwire.conformance.rules;

import static org.gradwire.conformance.rules.Checks.answer;
import static org.gradwire.conformance.rules.Checks.check;
import static org.gradwire.conformance.rules.Checks.eventually;
import static org.gradwire.conformance.rules.Checks.number;
import static org.gradwire.conformance.rules.Checks.present;
import static org.gradwire.conformance.rules.Checks.reply;
import static org.gradwire.conformance.rules.Checks.request;

import org.gradwire.conformance.harness.BackendUnderTest;
import org.gradwire.spi.BackendProvider;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;

/** Rules about ids of requests and workers. */
final class IdRules {
    private static final int MOST_ID = 32_767;

    /** Numbers of requests after which ids of one and two bytes wrap around. */
    private static final List<Integer> ROUNDS = List.of(1 << 8, 1 << 16);

    private static final int LEAST_HELD =
            1 << 24; // the receiver holds requests with numbers from here on
    private static final int NEIGHBORS = 5;
    private static final long SHORT_MILLIS = 30;

    static final List<Rule> ALL =
            List.of(
                    Rule.of(
                            "SEND-9",
                            "MUST keep a request apart from all others, also if it stays unanswered, or its reply is late, while 65,536 more are sent.",
                            "an id of 8 or 16 bits, a lookup by the low bits of an id",
                            2,
                            IdRules::keepsRequestsApart),
                    Rule.of(
                            "ID-2",
                            "MUST distinguish workers by all bits of their ids, which range from 0 to 32767.",
                            "an id in a byte, a lookup by the low bits of an id",
                            IdRules::keepsWorkersApart));

    private IdRules() {}

    private static void keepsRequestsApart(AgentWorld world) {
        for (int round : ROUNDS) {
            Map<Integer, Runnable> held = new ConcurrentHashMap<>();
            hold(world, held);
            timeOutAtItsReceiver(world, held);
            Outcome waiting = world.agent(0).send(1, request(LEAST_HELD + 1), 0);
            check(
                    eventually(world, () -> held.size() == 2),
                    "a request without a deadline did not arrive");
            String lost = Volley.firstLost(world, 0, 1, 0, round - 2 - NEIGHBORS);
            if (lost != null) {
                throw new UnansweredError(lost + " of " + round);
            }
            List<Outcome> neighbors = new ArrayList<>();
            for (int i = 0; i < 2 * NEIGHBORS; i++) {
                neighbors.add(world.agent(0).send(1, request(LEAST_HELD + 2 + i), 0));
            }
            check(
                    eventually(world, () -> held.size() == 2 + neighbors.size()),
                    "%d of %d requests arrived after %d others",
                    held.size() - 2,
                    neighbors.size(),
                    round);
            present(held.get(LEAST_HELD), "a request").run();
            Checks.checkAnswered(world, 0, 1, "after a late reply");
            for (Outcome neighbor : neighbors) {
                check(
                        neighbor.times() == 0,
                        "the late reply to a request has completed another one, sent %d requests later",
                        round);
            }
            held.values().forEach(Runnable::run);
            checkOwn(waiting, world, LEAST_HELD + 1, round);
            for (int i = 0; i < neighbors.size(); i++) {
                checkOwn(neighbors.get(i), world, LEAST_HELD + 2 + i, round);
            }
        }
    }

    /** Send a request that arrives but times out unanswered; on a slow machine, with more time. */
    private static void timeOutAtItsReceiver(AgentWorld world, Map<Integer, Runnable> held) {
        for (long millis = SHORT_MILLIS; ; millis *= 4) {
            DeadlineRules.checkTimedOut(
                    world.agent(0).send(1, request(LEAST_HELD), millis),
                    millis,
                    "an unanswered request");
            if (held.containsKey(LEAST_HELD)) {
                return;
            }
            check(
                    millis < world.patienceMillis(),
                    "a request with %d ms to live did not arrive",
                    millis);
        }
    }

    private static void hold(AgentWorld world, Map<Integer, Runnable> held) {
        world.agent(1)
                .behave((from, request, replies) -> {
                    int number = request.payload().length < Integer.BYTES ? 0 : number(request);
                    if (number >= LEAST_HELD) {
                        held.put(number, () -> TestAgent.echo(from, request, replies));
                    } else {
                        TestAgent.echo(from, request, replies);
                    }
                });
    }

    private static void checkOwn(Outcome outcome, AgentWorld world, int sent, int round) {
        int said =
                number(
                        answer(
                                world,
                                outcome,
                                "a request that waited for %d others".formatted(round)));
        check(
                said == sent,
                "a request that waited while %d others were sent ended with the reply to another one",
                round);
    }

    private static void keepsWorkersApart(BackendProvider provider, BackendUnderTest backend) {
        var random = new Random(Seed.get());
        int low = random.nextInt(1, 1 << 7);
        // Each differs from the first in one bit, from the eighth to the highest.
        List<Integer> ids = new ArrayList<>(List.of(low));
        for (int bit = 7; bit < 15; bit++) {
            ids.add(low + (1 << bit));
        }
        ids.add(MOST_ID);
        try (var world = new AgentWorld(provider, backend)) {
            for (int id : ids) {
                world.add(id)
                        .behave((from, _, replies) ->
                                replies.reply(
                                        reply(
                                                ByteBuffer.allocate(2 * Integer.BYTES)
                                                        .putInt(from)
                                                        .putInt(id)
                                                        .array())));
            }
            world.connectAll();
            checkPairs(world, ids);
            List<Integer> left = new ArrayList<>(ids);
            List<Integer> lost = new ArrayList<>();
            for (int leaving : List.of(low + (1 << 8), low + (1 << 14))) {
                world.agent(leaving).close();
                left.removeIf(id -> id == leaving);
                lost.add(leaving);
                for (int id : left) {
                    check(
                            eventually(
                                            world,
                                            () -> world.agent(id).lostPeers().size() == lost.size())
                                    && world.agent(id).lostPeers().equals(lost),
                            "worker %d was notified of the loss of %s, not of %s, among workers %s",
                            id,
                            world.agent(id).lostPeers(),
                            lost,
                            ids);
                }
            }
            checkPairs(world, left);
        }
    }

    private static void checkPairs(AgentWorld world, List<Integer> ids) {
        for (int from : ids) {
            for (int to : ids) {
                Outcome outcome = world.agent(from).send(to, request(0), world.patienceMillis());
                String what =
                        "a request of worker %d to worker %d, among %s".formatted(from, to, ids);
                ByteBuffer said = ByteBuffer.wrap(answer(world, outcome, what).payload());
                int sender = said.getInt();
                int receiver = said.getInt();
                check(
                        sender == from && receiver == to,
                        "%s was delivered to worker %d as one of worker %d",
                        what,
                        receiver,
                        sender);
            }
        }
    }

    /** {@return ids that are not members but share the low bits of one} */
    static List<Integer> strangersLike(int member) {
        return List.of(member + (1 << 8), member + (1 << 16), member + (1 << 24), member | 1 << 31);
    }
}
