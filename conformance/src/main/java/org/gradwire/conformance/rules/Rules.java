package org.gradwire.conformance.rules;

import java.util.List;
import java.util.function.Consumer;

/** The rules, in the order of {@code docs/BACKEND-RULES.md}. */
public final class Rules {

    public static final List<Rule> ALL =
            List.of(
                    new Rule(
                            "SEND-1",
                            "MUST end every request exactly once, with its reply or with a failure.",
                            "a path that drops a reply, or that completes a call both by its reply and by its deadline",
                            (provider, backend) ->
                                    with(
                                            new AgentWorld(provider, backend, 2),
                                            SendChecks::endsEveryRequestOnce)),
                    new Rule(
                            "SEND-2",
                            "MUST deliver payload and buffers byte for byte, of any size from 0.",
                            "chunking and reassembly, offsets of buffers after an odd-sized one, empty buffers",
                            (provider, backend) ->
                                    with(
                                            new AgentWorld(provider, backend, 2),
                                            world -> SendChecks.deliversUnchanged(world, backend))),
                    new Rule(
                            "SEND-3",
                            "MUST hand a reply to the request it answers, whatever the order of the replies.",
                            "replies matched by position instead of by id",
                            (provider, backend) ->
                                    with(
                                            new AgentWorld(provider, backend, 2),
                                            SendChecks::matchesReplies)),
                    new Rule(
                            "SEND-4",
                            "MUST name the true sender of a request.",
                            "sessions mapped to the wrong worker, ids taken from the message instead of the connection",
                            (provider, backend) ->
                                    with(
                                            new AgentWorld(provider, backend, 3),
                                            SendChecks::namesTheSender)),
                    new Rule(
                            "SEND-5",
                            "MUST leave a received message to its receiver: its payload and buffers do not change afterwards, whatever else is received.",
                            "receive buffers that are reused too early",
                            (provider, backend) ->
                                    with(
                                            new AgentWorld(provider, backend, 2),
                                            SendChecks::leavesReceivedMessagesAlone)),
                    new Rule(
                            "SEND-6",
                            "MUST deliver to oneself as to others: as a copy.",
                            "a short cut that hands the sender's own buffers in",
                            (provider, backend) ->
                                    with(
                                            new AgentWorld(provider, backend, 2),
                                            SendChecks::copiesToItself)),
                    new Rule(
                            "SEND-7",
                            "MUST refuse to send anything but a request, with an IllegalArgumentException.",
                            "a missing check at the entry of send",
                            (provider, backend) ->
                                    with(
                                            new AgentWorld(provider, backend, 2),
                                            SendChecks::refusesReplies)),
                    new Rule(
                            "OWN-1",
                            "MUST release every outgoing message exactly once, when it reads its memory no more.",
                            "failure paths that forget to release, and buffers read after the release",
                            (provider, backend) ->
                                    with(
                                            new AgentWorld(provider, backend, 2),
                                            SendChecks::releasesOnce)),
                    new Rule(
                            "TIME-1",
                            "MUST fail a request with RpcTimeoutException when its time is up, soon after and never before; never when the time is 0.",
                            "deadlines that nobody drives, or that are checked only when something else happens",
                            (provider, backend) ->
                                    with(
                                            new AgentWorld(provider, backend, 2),
                                            LifeChecks::keepsDeadlines)),
                    new Rule(
                            "TIME-2",
                            "MUST drop a reply that comes after the deadline.",
                            "an id that is used again, or a late reply that ends another call",
                            (provider, backend) ->
                                    with(
                                            new AgentWorld(provider, backend, 2),
                                            LifeChecks::dropsLateReplies)),
                    new Rule(
                            "FAIL-1",
                            "MUST fail requests to a peer that is gone, and tell the listener once, within the liveness time.",
                            "a missing heartbeat, or pending calls that are not failed when a peer is lost",
                            (provider, backend) ->
                                    with(
                                            new AgentWorld(provider, backend, 3),
                                            world ->
                                                    LifeChecks.failsCallsToTheLost(
                                                            world, backend))),
                    new Rule(
                            "GROUP-1",
                            "MUST, told to disconnect a member, fail requests to it at once, and have told the listener when that returns.",
                            "a disconnect that does nothing, or that leaves the news to another thread",
                            (provider, backend) ->
                                    with(
                                            new AgentWorld(provider, backend, 3),
                                            LifeChecks::forgetsWhoLeft)),
                    new Rule(
                            "GROUP-2",
                            "MUST reach a new holder of an id when connect is called again, and take nothing of the old one for its.",
                            "an address that is read once, a loss that is noticed late",
                            (provider, backend) ->
                                    with(
                                            new AgentWorld(provider, backend, 3),
                                            LifeChecks::connectsToANewHolderOfAnId)),
                    new Rule(
                            "CLOSE-1",
                            "MUST end close in bounded time, also when it is called twice; own requests under way fail.",
                            "a join on a thread that waits for something else, a latch that is counted down once",
                            (provider, backend) ->
                                    with(
                                            new AgentWorld(provider, backend, 2),
                                            LifeChecks::closesInTime)),
                    new Rule(
                            "CLOSE-2",
                            "MUST fail what is sent after close, and hand in no request after it.",
                            "a closed flag that is checked on one side only",
                            (provider, backend) ->
                                    with(
                                            new AgentWorld(provider, backend, 2),
                                            LifeChecks::staysClosed)));

    private Rules() {}

    private static void with(AgentWorld world, Consumer<AgentWorld> check) {
        try (world) {
            check.accept(world);
        }
    }
}
