package org.gradwire.conformance.rules;

import static org.gradwire.conformance.rules.Checks.answer;
import static org.gradwire.conformance.rules.Checks.check;
import static org.gradwire.conformance.rules.Checks.eventually;
import static org.gradwire.conformance.rules.Checks.number;
import static org.gradwire.conformance.rules.Checks.request;

import org.gradwire.conformance.harness.BackendUnderTest;
import org.gradwire.spi.BackendProvider;
import org.gradwire.spi.PeerIdentity;
import org.gradwire.spi.PeerIdentity.Authentication;
import org.gradwire.spi.Settings;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Rules about the identities by which the runtime decides what a peer may do. */
final class AuthorizationRules {
    private static final int CALLS = 20;
    private static final int NO_MEMBER = 9;
    private static final String TOKEN = "a token of the conformance kit";

    static final List<Rule> ALL =
            List.of(
                    Rule.of(
                            "AUTH-1",
                            "MUST name the sender of each request also while requests of several workers are unanswered.",
                            "a field for the peer that was heard last, a sender that is looked up by the id of the request",
                            3,
                            AuthorizationRules::keepsSendersApart),
                    Rule.of(
                            "AUTH-2",
                            "MUST NOT name the receiver as the sender of another worker's request.",
                            "a message that claims to come from its receiver, an id of zero for a sender that is not known",
                            3,
                            AuthorizationRules::tellsPeersFromItself),
                    Rule.of(
                            "AUTH-3",
                            "MUST NOT report of a peer, in identity, that it proves the token if there is none, nor any proof of an id that is not connected, nor the token itself.",
                            "an identity that follows from the settings of another group, a secret in a text for the operator",
                            AuthorizationRules::reportsNoProofThatItDoesNotDemand));

    private AuthorizationRules() {}

    private record Delivered(int from, int said, Runnable reply) {}

    private static void keepsSendersApart(AgentWorld world) {
        Queue<Delivered> delivered = new ConcurrentLinkedQueue<>();
        world.agent(0)
                .behave((from, request, replies) ->
                        delivered.add(
                                new Delivered(
                                        from,
                                        number(request),
                                        () -> TestAgent.echo(from, request, replies))));
        List<Outcome> outcomes = new ArrayList<>();
        for (int i = 0; i < CALLS; i++) {
            for (int from : List.of(1, 2)) {
                outcomes.add(world.agent(from).send(0, request(from), 2 * world.patienceMillis()));
            }
        }
        check(
                eventually(world, () -> delivered.size() == outcomes.size()),
                "%d of %d requests arrived while none was answered",
                delivered.size(),
                outcomes.size());
        for (Delivered request : delivered) {
            check(
                    request.from == request.said,
                    "a request of worker %d was delivered as one of worker %d while others were unanswered",
                    request.said,
                    request.from);
        }
        delivered.forEach(request -> request.reply.run());
        outcomes.forEach(outcome -> answer(world, outcome, "a request that was held"));
    }

    private static void tellsPeersFromItself(AgentWorld world) {
        Queue<Integer> senders = new ConcurrentLinkedQueue<>();
        world.agent(0)
                .behave((from, request, replies) -> {
                    senders.add(from);
                    TestAgent.echo(from, request, replies);
                });
        for (int from : List.of(1, 0, 2)) {
            Outcome outcome = world.agent(from).send(0, request(0), world.patienceMillis());
            var _ = answer(world, outcome, "a request that says it is worker 0's");
            Integer named = senders.poll();
            check(
                    named != null && named == from,
                    "a request of worker %d to worker 0 that claims to be worker 0's was delivered as one of worker %s",
                    from,
                    named);
        }
    }

    private static void reportsNoProofThatItDoesNotDemand(
            BackendProvider provider, BackendUnderTest backend) {
        for (String token : List.of("", TOKEN)) {
            try (var world = new AgentWorld(provider, backend)) {
                world.add(0, Map.of(Settings.AUTHENTICATION_TOKEN, token));
                world.add(1, Map.of(Settings.AUTHENTICATION_TOKEN, token));
                world.connectAll();
                checkIdentity(world.agent(0).agent().identity(1), token);
                PeerIdentity nobody = world.agent(0).agent().identity(NO_MEMBER);
                check(
                        nobody.equals(PeerIdentity.UNKNOWN),
                        "the identity of an id that is not connected was %s",
                        nobody);
            }
        }
    }

    private static void checkIdentity(PeerIdentity identity, String token) {
        check(
                !token.isEmpty() || identity.authentication() != Authentication.TOKEN,
                "a peer was said to prove the token, and there is none");
        check(
                token.isEmpty() || !identity.toString().contains(token),
                "the identity of a peer had the token in it");
    }
}
