package org.gradwire.conformance.rules;

import static org.gradwire.conformance.rules.Checks.SLACK_MILLIS;
import static org.gradwire.conformance.rules.Checks.check;
import static org.gradwire.conformance.rules.Checks.checkAnswered;
import static org.gradwire.conformance.rules.Checks.eventually;
import static org.gradwire.conformance.rules.Checks.request;

import org.gradwire.conformance.harness.BackendUnderTest;
import org.gradwire.conformance.harness.Capabilities.Bound;
import org.gradwire.conformance.harness.TestAuthorities;
import org.gradwire.rpc.WorkerInfo;
import org.gradwire.spi.BackendProvider;
import org.gradwire.spi.Settings;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** Rules about certificates, for backends that prove the identity of workers by them. */
final class CertificateRules {
    private static final int CALLS = 20;

    static final List<Rule> ALL =
            List.of(
                    rule(
                            "AUTH-4",
                            "MUST NOT deliver anything between two workers of which only one has a certificate.",
                            "a side that accepts what the other one offers, a fallback to the token",
                            CertificateRules::doesNotDowngrade),
                    rule(
                            "AUTH-5",
                            "MUST NOT deliver anything between a worker and a peer whose certificate names another worker, if an identity is set.",
                            "a name that is compared with the peer's own claim, a check on one side only",
                            CertificateRules::comparesNames),
                    rule(
                            "AUTH-6",
                            "MUST NOT deliver anything between a worker and a peer whose certificate is of an authority that the worker does not trust.",
                            "a chain that is accepted because it is well-formed, the trust of the peer instead of that of the worker",
                            CertificateRules::trustsItsAuthoritiesOnly),
                    rule(
                            "AUTH-7",
                            "MUST NOT deliver anything between a worker and a peer whose certificate its revocation list names.",
                            "a list that is read and not given to the verifier",
                            CertificateRules::refusesRevokedCertificates),
                    rule(
                            "AUTH-8",
                            "MUST lose a connected peer whose certificate is revoked, within the liveness time after the list has changed, and keep the others.",
                            "a certificate that is verified at the start only, a list that is read once",
                            CertificateRules::losesRevokedPeers),
                    rule(
                            "AUTH-9",
                            "MUST show a renewed certificate to peers that connect later, and keep those that are connected.",
                            "files that are read once, a connection that is closed because its certificate has changed",
                            CertificateRules::showsRenewedCertificates));

    private CertificateRules() {}

    /** Checks a backend with certificates of a test's authorities. */
    private interface Check {
        void run(AgentWorld world, TestAuthorities authorities);
    }

    private static Rule rule(String id, String text, String hint, Check check) {
        return Rule.of(id, text, hint, (provider, backend) -> run(provider, backend, check))
                .where("certificates", capabilities -> capabilities.certificates().isPresent());
    }

    private static void run(BackendProvider provider, BackendUnderTest backend, Check check) {
        Map<String, String> network = backend.capabilities().certificates().orElse(Map.of());
        try (TestAuthorities authorities = TestAuthorities.create();
                var world = new AgentWorld(provider, backend.withSettings(network))) {
            check.run(world, authorities);
        }
    }

    private static void doesNotDowngrade(AgentWorld world, TestAuthorities authorities) {
        checkKeptApart(world, authorities.settings(0), Map.of(), "of which one has no certificate");
    }

    private static void comparesNames(AgentWorld world, TestAuthorities authorities) {
        Map<String, String> posing = authorities.settings(2);
        posing.put(Settings.IDENTITY, ""); // worker 1 would refuse the certificate itself
        checkKeptApart(
                world, authorities.settings(0), posing, "of which one has another's certificate");
    }

    private static void trustsItsAuthoritiesOnly(AgentWorld world, TestAuthorities authorities) {
        checkKeptApart(
                world,
                authorities.settings(0),
                authorities.foreignSettings(1),
                "of which one has a certificate of a foreign authority");
    }

    private static void refusesRevokedCertificates(AgentWorld world, TestAuthorities authorities) {
        Map<String, String> revoked = authorities.settings(1);
        Map<String, String> own = authorities.settings(0);
        own.put(Settings.REVOCATIONS, authorities.revoke(1).toString());
        checkKeptApart(world, own, revoked, "of which one has a revoked certificate");
    }

    /** Check that nothing is delivered between workers 0 and 1 with these settings. */
    private static void checkKeptApart(
            AgentWorld world,
            Map<String, String> settings,
            Map<String, String> other,
            String which) {
        TestAgent here = world.add(0, settings);
        TestAgent there = world.add(1, other);
        List<WorkerInfo> both = List.of(here.self(), there.self());
        List<CompletableFuture<Void>> connecting =
                List.of(AgentWorld.connect(here, both), AgentWorld.connect(there, both));
        var _ = eventually(world, () -> connecting.stream().allMatch(CompletableFuture::isDone));
        Outcome in = there.send(0, request(1), SLACK_MILLIS);
        Outcome out = here.send(1, request(2), SLACK_MILLIS);
        for (Outcome outcome : List.of(in, out)) {
            check(
                    outcome.await(2 * SLACK_MILLIS),
                    "a request between workers never ended, %s",
                    which);
            check(outcome.reply() == null, "a request between workers was answered, %s", which);
        }
        int heard = here.requests() + there.requests();
        check(heard == 0, "%d requests between workers were delivered, %s", heard, which);
    }

    private static void losesRevokedPeers(AgentWorld world, TestAuthorities authorities) {
        String list = authorities.revoke().toString();
        for (int worker : List.of(0, 1, 2)) {
            Map<String, String> settings = authorities.settings(worker);
            settings.put(Settings.REVOCATIONS, list);
            world.add(worker, settings);
        }
        world.connectAll();
        checkAnswered(world, 0, 1, "before its certificate was revoked");
        var _ = authorities.revoke(1);
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
        first.put(Settings.TRUST, authorities.both().toString());
        world.add(0, first);
        Map<String, String> briefly =
                world.backend().capabilities().connectTime().map(Bound::settings).orElse(Map.of());
        Map<String, String> renewable = authorities.copiedSettings(1);
        renewable.putAll(briefly); // its attempts to connect are repeated
        world.add(1, renewable);
        world.connectAll();
        authorities.renew(renewable, 1);
        for (int i = 0; i < CALLS; i++) {
            checkAnswered(world, 0, 1, "while its certificate was renewed");
        }
        Map<String, String> later = authorities.foreignSettings(2);
        later.put(Settings.TRUST, authorities.foreignTrust().toString());
        later.putAll(briefly);
        TestAgent newcomer = world.add(2, later);
        connectWithin(world, newcomer, world.agent(1));
        checkAnswered(world, 2, 1, "that trusts the renewed certificate only");
        checkAnswered(world, 0, 1, "after its certificate was renewed");
        check(world.agent(0).lostPeers().isEmpty(), "a worker was lost by the renewal");
    }

    /** Connect two workers; the renewed certificate is read within seconds, so try again. */
    private static void connectWithin(AgentWorld world, TestAgent newcomer, TestAgent member) {
        List<WorkerInfo> both = List.of(newcomer.self(), member.self());
        check(
                eventually(
                        world,
                        () -> {
                            var there = AgentWorld.connect(member, both);
                            return isConnected(AgentWorld.connect(newcomer, both))
                                    && isConnected(there);
                        }),
                "a worker that trusts the renewed certificate could not connect");
    }

    private static boolean isConnected(CompletableFuture<Void> connecting) {
        return connecting.handle((_, failure) -> failure == null).join();
    }
}
