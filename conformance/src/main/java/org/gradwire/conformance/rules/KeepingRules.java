package org.gradwire.conformance.rules;

import static org.gradwire.conformance.rules.Checks.answer;
import static org.gradwire.conformance.rules.Checks.check;
import static org.gradwire.conformance.rules.Checks.checkEqual;
import static org.gradwire.conformance.rules.Checks.eventually;

import org.gradwire.spi.Message;
import org.gradwire.spi.MessageTypes;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Rules about received messages that their receiver keeps. */
final class KeepingRules {
    private static final int KEPT = 150;
    private static final int LATER = 3_000;
    private static final int MOST_BYTES = 1 << 13;

    static final List<Rule> ALL =
            List.of(
                    Rule.of(
                            "SEND-5",
                            "MUST leave a received message to its receiver: its payload and buffers do not change afterwards, whatever else arrives.",
                            "receive buffers that are reused too early",
                            2,
                            KeepingRules::leavesReceivedMessagesAlone),
                    Rule.of(
                            "OWN-5",
                            "MUST keep a received message readable on any thread, also after its sender is lost or its agent is closed.",
                            "an arena that is confined to a thread or a session, memory that is freed with the reply or at close",
                            2,
                            KeepingRules::leavesMessagesOfTheLost));

    private KeepingRules() {}

    /** Received messages, and copies made on arrival. */
    private static final class Kept {
        private final List<Message> arrived = new ArrayList<>(); // guarded by this
        private final List<Message> copies = new ArrayList<>(); // guarded by this

        synchronized void add(Message message) {
            arrived.add(message);
            copies.add(TestAgent.copyOf(message));
        }

        synchronized void checkUnchanged(String kind, String when) {
            for (int i = 0; i < arrived.size(); i++) {
                checkEqual(copies.get(i), arrived.get(i), "%s %d %s".formatted(kind, i, when));
            }
            check(arrived.size() >= KEPT, "%d of %d arrived", arrived.size(), KEPT);
        }
    }

    private static void leavesReceivedMessagesAlone(AgentWorld world) {
        var draw = new Draw(new Random(Seed.get()));
        for (int to : List.of(1, 0)) {
            var requests = new Kept();
            var replies = new Kept();
            exchange(world, draw, to, requests, replies);
            check(
                    requests.arrived.size() == KEPT && replies.arrived.size() == KEPT,
                    "not all messages arrived");
            world.agent(to).behave(TestAgent::echo);
            for (int i = 0; i < LATER; i += 50) {
                List<Outcome> outcomes = new ArrayList<>();
                for (int j = 0; j < 50; j++) {
                    outcomes.add(world.agent(0).send(to, drawn(draw), 0));
                }
                outcomes.forEach(outcome -> answer(world, outcome, "a later request"));
            }
            requests.checkUnchanged("request", "after later ones came");
            replies.checkUnchanged("reply", "after later ones came");
        }
    }

    /** Send messages that both sides keep: first one by one, then many concurrently. */
    private static void exchange(AgentWorld world, Draw draw, int to, Kept requests, Kept replies) {
        world.agent(to)
                .behave((from, request, sink) -> {
                    requests.add(request);
                    TestAgent.echo(from, request, sink);
                });
        List<Outcome> outcomes = new ArrayList<>();
        for (int i = 0; i < KEPT; i++) {
            var outcome = new Outcome(replies::add);
            world.agent(0).agent().send(to, drawn(draw), 0, outcome);
            outcomes.add(outcome);
            if (i < KEPT / 3) {
                answer(world, outcome, "message %d".formatted(i));
            }
        }
        outcomes.forEach(outcome -> answer(world, outcome, "a message that is kept"));
    }

    private static Message drawn(Draw draw) {
        List<MemorySegment> buffers = new ArrayList<>();
        for (int i = draw.below(3); i > 0; i--) {
            buffers.add(draw.buffer(draw.near(draw.below(20) == 0 ? 8 * MOST_BYTES : MOST_BYTES)));
        }
        return new Message(MessageTypes.UDF_CALL, draw.bytes(draw.near(300)), buffers);
    }

    private static void leavesMessagesOfTheLost(AgentWorld world) {
        var draw = new Draw(new Random(Seed.get()));
        var requests = new Kept();
        var replies = new Kept();
        exchange(world, draw, 1, requests, replies);
        requests.checkUnchanged("request", "when it was answered");
        replies.checkUnchanged("reply", "when its call had ended");
        world.agent(0).close();
        check(
                eventually(world, () -> !world.agent(1).lostPeers().isEmpty()),
                "the loss of a peer was not reported");
        requests.checkUnchanged("request", "when its sender was lost");
        replies.checkUnchanged("reply", "when its agent was closed");
        world.agent(1).close();
        requests.checkUnchanged("request", "when its agent was closed");
    }
}
