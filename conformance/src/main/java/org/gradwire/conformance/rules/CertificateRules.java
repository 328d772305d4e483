package org.gradwire.conformance.rules;

import static org.gradwire.conformance.rules.Checks.SLACK_MILLIS;
import static org.gradwire.conformance.rules.Checks.check;
import static org.gradwire.conformance.rules.Checks.checkAnswered;
import static org.gradwire.conformance.rules.Checks.eventually;
import static org.gradwire.conformance.rules.Checks.request;

import org.gradwire.conformance.harness.BackendUnderTest;
import org.gradwire.conformance.harness.TestAuthorities;
import org.gradwire.rpc.WorkerInfo;
import org.gradwire.spi.BackendProvider;
import org.gradwire.spi.Settings;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;

/** Rules about certificates, for backends that prove the identity of workers by them. */
final class CertificateRules {
    private static final int CALLS = 20;
    private static final int FRIEND = 3;
    private static final int STRANGER = 4;
    private static final String TOKEN = "a token of the conformance kit";

    static final List<Rule> ALL =
            List.of(
                    refusal(
                            "AUTH-4",
                            "MUST NOT deliver anything between two workers of which only one has a certificate.",
                            "a side that accepts what the other one offers, a fallback to the token",
                            (authorities, worker) -> withToken(certified(authorities, worker)),
                            (_, _) -> withToken(new HashMap<>()),
                            "of which one has no certificate"),
                    refusal(
                            "AUTH-5",
                            "MUST NOT deliver anything between a worker and a peer whose certificate names another worker, if an identity is set.",
                            "a name that is compared with the peer's own claim, a check on one side only",
                            CertificateRules::certified,
                            (authorities, _) -> posing(authorities),
                            "of which one has another's certificate"),
                    refusal(
                            "AUTH-6",
                            "MUST NOT deliver anything between a worker and a peer whose certificate is of an authority that the worker does not trust.",
                            "a chain that is accepted because it is well-formed, the trust of the peer instead of that of the worker",
                            CertificateRules::certified,
                            TestAuthorities::foreignSettings,
                            "of which one has a certificate of a foreign authority"),
                    refusal(
                            "AUTH-7",
                            "MUST NOT deliver anything between a worker and a peer whose certificate its revocation list names.",
                            "a list that is read and not given to the verifier",
                            CertificateRules::revoking,
                            CertificateRules::certified,
                            "of which one has a revoked certificate"),
                    rule(
                            "AUTH-8",
                            "MUST lose a connected peer whose certificate is revoked, within the liveness time after the list has changed, and keep the others.",
                            "a certificate that is verified at the start only, a list that is read once",
                            CertificateRules::losesRevokedPeers),
                    rule(
                            "AUTH-9",
                            "MUST show a renewed certificate to peers that connect later, and keep those that are connected, also when they no longer accept the first one.",
                            "files that are read once, a connection that is closed because its certificate has changed, a peer that is judged by the certificate it connected with",
                            CertificateRules::showsRenewedCertificates));

    private CertificateRules() {}

    /** Checks a backend with certificates of a test's authorities. */
    private interface Check {
        void run(AgentWorld world, TestAuthorities authorities);
    }

    /** Returns the settings of a worker. */
    private interface Certified {
        Map<String, String> settings(TestAuthorities authorities, int worker);
    }

    private static Rule rule(String id, String text, String hint, Check check) {
        return where(Rule.of(id, text, hint, (provider, backend) -> run(provider, backend, check)));
    }

    private static Rule where(Rule rule) {
        return rule.where("certificates", capabilities -> capabilities.certificates().isPresent());
    }

    private static void run(BackendProvider provider, BackendUnderTest backend, Check check) {
        Map<String, String> network = backend.capabilities().certificates().orElse(Map.of());
        try (var world = new AgentWorld(provider, backend.withSettings(network))) {
            check.run(world, TestAuthorities.shared());
        }
    }

    /**
     * Create a rule about a peer whose certificate must be refused, whichever of the two has the
     * lower id: that may decide which side connects.
     */
    private static Rule refusal(
            String id, String text, String hint, Certified own, Certified refused, String which) {
        return where(
                Rule.of(
                        id,
                        text,
                        hint,
                        (provider, backend) -> {
                            for (int other : List.of(0, 2)) {
                                run(
                                        provider,
                                        backend,
                                        (world, authorities) ->
                                                checkKeptApart(
                                                        world,
                                                        worker -> own.settings(authorities, worker),
                                                        refused.settings(authorities, other),
                                                        other,
                                                        which));
                            }
                        }));
    }

    private static Map<String, String> certified(TestAuthorities authorities, int worker) {
        return authorities.settings(worker);
    }

    private static Map<String, String> withToken(Map<String, String> settings) {
        settings.put(Settings.AUTHENTICATION_TOKEN, TOKEN); // which must not suffice
        return settings;
    }

    /** {@return the settings of a worker that poses as another one} */
    private static Map<String, String> posing(TestAuthorities authorities) {
        Map<String, String> posing = authorities.settings(STRANGER);
        posing.put(Settings.IDENTITY, ""); // the worker would refuse the certificate itself
        return posing;
    }

    /** {@return the settings of a worker that regards two others as revoked} */
    private static Map<String, String> revoking(TestAuthorities authorities, int worker) {
        Map<String, String> settings = authorities.settings(worker);
        settings.put(Settings.REVOCATIONS, authorities.revocations(0, 2).toString());
        return settings;
    }

    /**
     * Check that nothing is delivered between worker 1 and another one, next to a third one with
     * which it communicates.
     */
    private static void checkKeptApart(
            AgentWorld world,
            IntFunction<Map<String, String>> settings,
            Map<String, String> refused,
            int other,
            String which) {
        TestAgent here = world.add(1, settings.apply(1));
        world.add(FRIEND, settings.apply(FRIEND));
        world.connectAll();
        TestAgent there = world.add(other, refused);
        List<WorkerInfo> both = List.of(here.self(), there.self());
        List<CompletableFuture<Void>> connecting =
                List.of(AgentWorld.connect(here, both), AgentWorld.connect(there, both));
        for (CompletableFuture<Void> each : connecting) {
            var _ = isConnected(world, each); // or fails, after the time to connect
        }
        Outcome in = there.send(1, request(1), SLACK_MILLIS);
        Outcome out = here.send(other, request(2), SLACK_MILLIS);
        for (Outcome outcome : List.of(in, out)) {
            check(
                    outcome.await(2 * SLACK_MILLIS),
                    "a request between workers never ended, %s",
                    which);
            check(outcome.reply() == null, "a request between workers was answered, %s", which);
        }
        int heard = here.requests() + there.requests();
        check(heard == 0, "%d requests between workers were delivered, %s", heard, which);
        checkAnswered(world, 1, FRIEND, "with a good certificate");
        checkAnswered(world, FRIEND, 1, "with a good certificate");
    }

    private static void losesRevokedPeers(AgentWorld world, TestAuthorities authorities) {
        Path list = authorities.revocations();
        for (int worker : List.of(0, 1, 2)) {
            Map<String, String> settings = authorities.settings(worker);
            settings.put(Settings.REVOCATIONS, list.toString());
            world.add(worker, settings);
        }
        world.connectAll();
        checkAnswered(world, 0, 1, "before its certificate was revoked");
        authorities.revoke(list, 1);
        check(
                eventually(world, () -> world.agent(0).lostPeers().contains(1)),
                "worker 1 was not lost after its certificate was revoked");
        Outcome outcome = world.agent(0).send(1, request(1), SLACK_MILLIS);
        check(
                outcome.await(2 * SLACK_MILLIS) && outcome.reply() == null,
                "a request to a worker whose certificate is revoked was answered");
        checkAnswered(world, 0, 2, "next to a worker whose certificate was revoked");
        check(!world.agent(0).lostPeers().contains(2), "worker 2 was lost with worker 1");
    }

    private static void showsRenewedCertificates(AgentWorld world, TestAuthorities authorities) {
        Map<String, String> first = authorities.settings(0);
        Path trust = authorities.copyOfBoth();
        first.put(Settings.TRUST, trust.toString());
        world.add(0, first);
        Map<String, String> renewable = authorities.copiedSettings(1);
        world.add(1, renewable);
        world.connectAll();
        TestAgent unchanged = world.add(FRIEND, authorities.copiedSettings(FRIEND));
        check(connect(world, world.agent(0), unchanged), "workers could not connect");
        authorities.renew(renewable, 1);
        for (int i = 0; i < CALLS; i++) {
            checkAnswered(world, 0, 1, "while its certificate was renewed");
        }
        Map<String, String> later = authorities.foreignSettings(2);
        later.put(Settings.TRUST, authorities.foreignTrust().toString());
        check(
                eventually(world, () -> connects(world, later)),
                "a worker that trusts the renewed certificate could not connect");
        checkAnswered(world, 2, 1, "that trusts the renewed certificate only");
        checkAnswered(world, 0, 1, "after its certificate was renewed");
        check(world.agent(0).lostPeers().isEmpty(), "a worker was lost by the renewal");
        authorities.trustForeign(trust);
        checkOnlyRenewedIsKept(world);
    }

    /** Worker 0 no longer trusts the first authority; worker 1 has a certificate of the other. */
    private static void checkOnlyRenewedIsKept(AgentWorld world) {
        List<Integer> lost = world.agent(0).lostPeers();
        check(
                eventually(world, () -> lost.contains(FRIEND)),
                "a worker whose authority is no longer trusted was not lost");
        checkAnswered(world, 0, 1, "that has renewed its certificate");
        checkAnswered(world, 1, 0, "after it has renewed its certificate");
        check(
                lost.equals(List.of(FRIEND)),
                "lost workers were %s, and worker 1 has renewed its certificate",
                lost);
    }

    /**
     * {@return whether a new worker 2 and worker 1 can connect}
     *
     * <p>Worker 1 reads its renewed certificate within seconds, so they try again, and each time it
     * is a new worker: one that could not be reached may remain lost.
     */
    private static boolean connects(AgentWorld world, Map<String, String> settings) {
        TestAgent newcomer = world.add(2, settings);
        if (connect(world, world.agent(1), newcomer)) {
            return true;
        }
        newcomer.close();
        return false;
    }

    /** Connect a member and a new worker; {@return whether both succeed} */
    private static boolean connect(AgentWorld world, TestAgent member, TestAgent newcomer) {
        List<WorkerInfo> both = List.of(newcomer.self(), member.self());
        var there = AgentWorld.connect(member, both);
        boolean isConnected = isConnected(world, AgentWorld.connect(newcomer, both));
        return isConnected(world, there) && isConnected;
    }

    private static boolean isConnected(AgentWorld world, CompletableFuture<Void> connecting) {
        return connecting
                .handle((_, failure) -> failure == null)
                .completeOnTimeout(false, world.patienceMillis(), TimeUnit.MILLISECONDS)
                .join();
    }
}
