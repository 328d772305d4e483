package org.gradwire.conformance.rules;

import static org.gradwire.conformance.rules.Checks.SLACK_MILLIS;
import static org.gradwire.conformance.rules.Checks.check;
import static org.gradwire.conformance.rules.Checks.checkAnswered;
import static org.gradwire.conformance.rules.Checks.eventually;
import static org.gradwire.conformance.rules.Checks.isConnectionFailure;
import static org.gradwire.conformance.rules.Checks.request;

import java.util.List;

/** Rules about members that leave and their successors. */
final class GroupRules {
    static final List<Rule> ALL =
            List.of(
                    Rule.of(
                            "GROUP-1",
                            "MUST, at the disconnect of a member, fail requests to it at once with an RpcConnectionException, and have notified the listener before returning.",
                            "a disconnect that does nothing, or that notifies on another thread",
                            3,
                            GroupRules::forgetsWhoLeft),
                    Rule.of(
                            "GROUP-2",
                            "MUST reach the new holder of an id when connect is called again, and attribute nothing of the old one to it.",
                            "an address that is read once, a loss that is detected late",
                            3,
                            GroupRules::connectsToANewHolderOfAnId));

    private GroupRules() {}

    private static void forgetsWhoLeft(AgentWorld world) {
        world.agent(1).behave((_, _, _) -> {});
        Outcome pending = world.agent(0).send(1, request(new byte[1]), 0);
        check(eventually(world, () -> world.agent(1).requests() == 1), "the request never arrived");
        world.agent(0).agent().disconnect(1);
        check(
                world.agent(0).lostPeers().equals(List.of(1)),
                "when disconnect(1) returned, the listener had been notified of the loss of %s, not of [1]",
                world.agent(0).lostPeers());
        check(
                pending.await(SLACK_MILLIS) && isConnectionFailure(pending),
                "a request to a member that has left did not fail at once: %s",
                pending.failure());
        world.agent(0).agent().disconnect(1);
        world.agent(0).agent().disconnect(99);
        Outcome further = world.agent(0).send(1, request(new byte[1]), world.patienceMillis());
        check(
                further.await(SLACK_MILLIS) && isConnectionFailure(further),
                "a further request to a member that has left did not fail at once: %s",
                further.failure());
        check(
                world.agent(0)
                        .send(2, request(new byte[1]), world.patienceMillis())
                        .await(world.patienceMillis()),
                "a request to a third worker got no reply after the disconnection");
        check(
                world.agent(0).lostPeers().equals(List.of(1)),
                "the listener was notified of %s, not once of the member that left",
                world.agent(0).lostPeers());
    }

    private static void connectsToANewHolderOfAnId(AgentWorld world) {
        for (int round = 1; round <= 3; round++) {
            world.agent(0).agent().disconnect(1);
            world.agent(2).agent().disconnect(1);
            world.replace(1);
            for (int from : List.of(0, 2)) {
                checkAnswered(world, from, 1, "which is new");
                checkAnswered(world, 1, from, "by one that is new");
                check(
                        world.agent(from).lostPeers().size() == round,
                        "after %d disconnections, the listener was notified of the loss of %s",
                        round,
                        world.agent(from).lostPeers());
            }
        }
    }
}
