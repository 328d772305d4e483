package org.gradwire.backend.netty;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import static java.util.concurrent.TimeUnit.SECONDS;

import org.gradwire.backend.netty.TestGroup.Node;
import org.gradwire.rpc.RpcConnectionException;
import org.gradwire.spi.BufferAllocator;
import org.gradwire.spi.Settings;
import org.gradwire.spi.crypto.CertificateAuthority;
import org.gradwire.spi.crypto.CertificateAuthority.Issued;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * New certificates of workers that are connected. Of two workers that with the larger id dials, so
 * a worker in the middle is both a dialer and a listener.
 */
class CertificateRenewalTest {
    private static final String PATTERN = "spiffe://test/group/{worker}";
    private static final int BRIEF_SECONDS = 15;
    private static final Duration CHECKS = Duration.ofSeconds(5);
    private static final Duration LATE = Duration.ofSeconds(10);
    private static final long PAUSE_NANOS = 10_000_000;

    @TempDir private static Path shared;
    private static CertificateAuthority authority;
    private static final List<Issued> FIRST = new ArrayList<>(); // of workers 0 to 3

    @TempDir private Path directory;
    private final TestGroup group = new TestGroup(List.of(), BufferAllocator.plain());

    @BeforeAll
    static void issueFirst() throws IOException {
        authority = Certificates.authority(shared.resolve("first"));
        for (int id = 0; id < 4; id++) {
            FIRST.add(issue(authority, "worker" + id, id));
        }
    }

    @AfterEach
    void close() {
        group.close();
    }

    private static Issued issue(CertificateAuthority by, String name, int id, String... more)
            throws IOException {
        return by.issue(name, PATTERN.replace("{worker}", "worker" + id), more);
    }

    /** Issue a certificate that expires soon. */
    private static Issued brief(int id) throws IOException {
        String start = "-1d+" + BRIEF_SECONDS + "S";
        return issue(authority, "brief" + id, id, "-startdate", start, "-validity", "1");
    }

    /** {@return a copy of a worker's first certificate, which can be renewed} */
    private Issued first(int id) throws IOException {
        Issued files = FIRST.get(id);
        return new Issued(
                Files.copy(files.certificate(), directory.resolve("certificate" + id)),
                Files.copy(files.privateKey(), directory.resolve("key" + id)),
                Files.copy(files.trust(), directory.resolve("trust" + id)));
    }

    private void start(int id, Issued files, Map<String, String> more) {
        Map<String, String> settings =
                new HashMap<>(
                        new Certificates(files.certificate(), files.privateKey(), files.trust())
                                .with(Settings.IDENTITY, PATTERN));
        settings.putAll(more);
        group.start(id, settings, BufferAllocator.plain());
    }

    private void start(int id, Issued files) {
        start(id, files, Map.of());
    }

    private void assertEchoed(int from, int to) throws Exception {
        byte[] payload = {1, 2, 3};
        assertArrayEquals(
                payload,
                group.node(from).call(to, TestGroup.request(payload)).get(30, SECONDS).payload());
    }

    private void assertAllEchoed(int... workers) throws Exception {
        for (int from : workers) {
            for (int to : workers) {
                if (from != to) {
                    assertEchoed(from, to);
                }
            }
        }
    }

    /** Wait for an event, during which all workers communicate. */
    private void awaitEchoing(BooleanSupplier event, String what, int... workers) throws Exception {
        long deadline = System.nanoTime() + SECONDS.toNanos(60);
        while (!event.getAsBoolean()) {
            assertTrue(System.nanoTime() - deadline < 0, () -> "not within a minute: " + what);
            assertAllEchoed(workers);
            LockSupport.parkNanos(PAUSE_NANOS);
        }
        assertAllEchoed(workers);
    }

    private BooleanSupplier hasLost(int worker, int... peers) {
        Node node = group.node(worker);
        return () -> node.lost.size() >= peers.length;
    }

    private BooleanSupplier hasRenewed(int worker, long certificates) {
        Node node = group.node(worker);
        return () -> node.metric("certificates_renewed") >= certificates;
    }

    private void assertLost(int worker, String reason, Integer... peers) {
        List<TestGroup.Lost> lost = new ArrayList<>(group.node(worker).lost);
        assertEquals(
                List.of(peers),
                lost.stream().map(TestGroup.Lost::peer).sorted().toList(),
                lost::toString);
        for (TestGroup.Lost each : lost) {
            assertTrue(each.reason() instanceof RpcConnectionException, each::toString);
            assertTrue(String.valueOf(each.reason().getMessage()).contains(reason), each::toString);
        }
    }

    private Path concatenate(String name, Path... files) throws IOException {
        var text = new StringBuilder();
        for (Path file : files) {
            text.append(Files.readString(file));
        }
        return Files.writeString(directory.resolve(name), text);
    }

    @Test
    void onlyAPeerThatRenewsOutlivesItsFirstCertificate() throws Exception {
        Issued longer = issue(authority, "longer", 2);
        Issued zero = brief(0);
        Issued two = brief(2);
        Issued four = brief(4);
        Instant end = four.end();
        start(0, zero);
        start(1, first(1));
        start(2, two);
        start(3, first(3));
        start(4, four);
        group.connectAll();
        two.renew(longer);
        awaitEchoing(
                () -> Instant.now().isAfter(end.plus(CHECKS)), "the certificates expire", 1, 2, 3);
        for (int each : new int[] {1, 3}) {
            awaitEchoing(hasLost(each, 0, 4), "those not renewed are lost", 1, 2, 3);
            assertLost(each, "NotAfter", 0, 4);
            assertEquals(1, group.node(each).metric("certificates_renewed"));
        }
        assertTrue(Instant.now().isBefore(end.plus(CHECKS).plus(LATE)), "late");
    }

    @Test
    void aRenewedPeerOutlivesTheRevocationOfItsFirstCertificate() throws Exception {
        Path empty = authority.revoke();
        Path list = Files.copy(empty, directory.resolve("list.pem"));
        Map<String, String> checking = Map.of(Settings.REVOCATIONS, list.toString());
        Issued files = first(1);
        start(0, first(0), checking);
        start(1, files);
        start(2, first(2), checking);
        start(3, first(3));
        group.connectAll();
        files.renew(issue(authority, "next", 1));
        awaitEchoing(hasRenewed(0, 1), "worker 0 sees the new certificate", 0, 1, 2, 3);
        awaitEchoing(hasRenewed(2, 1), "worker 2 sees the new certificate", 0, 1, 2, 3);
        CertificateAuthority.replace(list, authority.revoke("worker1", "worker3"));
        awaitEchoing(hasLost(0, 3), "worker 3 is lost", 0, 1, 2);
        awaitEchoing(hasLost(2, 3), "worker 3 is lost", 0, 1, 2);
        CertificateAuthority.replace(list, authority.revoke("worker1", "worker3", "next"));
        awaitEchoing(hasLost(0, 1, 3), "worker 1 is lost", 0, 2);
        awaitEchoing(hasLost(2, 1, 3), "worker 1 is lost", 0, 2);
        assertLost(0, "revoked", 1, 3);
        assertLost(2, "revoked", 1, 3);
    }

    /** All workers trust both authorities for a time; worker 1 has not waited for that. */
    @Test
    void theAuthorityIsReplaced() throws Exception {
        CertificateAuthority next = Certificates.authority(directory.resolve("next"));
        Path both = concatenate("both", authority.trust(), next.trust());
        List<Issued> files = new ArrayList<>();
        for (int id = 0; id < 4; id++) {
            files.add(first(id));
            start(id, files.get(id));
        }
        CertificateAuthority.replace(files.get(1).trust(), both);
        group.connectAll();
        files.get(1).renew(issue(next, "worker1", 1));
        Node zero = group.node(0);
        long before = zero.metric("connections_refused");
        awaitEchoing(
                () -> zero.metric("connections_refused") > before,
                "worker 0 refuses the new authority",
                0,
                1,
                2);
        assertEquals(0, zero.metric("certificates_renewed"));
        trust(files, both);
        awaitEchoing(hasRenewed(0, 1), "worker 0 sees the new certificate of 1", 0, 1, 2);
        awaitEchoing(hasRenewed(2, 1), "worker 2 sees the new certificate of 1", 0, 1, 2);
        files.get(0).renew(issue(next, "worker0", 0));
        files.get(2).renew(issue(next, "worker2", 2));
        for (int id : new int[] {0, 1, 2}) {
            awaitEchoing(hasRenewed(id, 2), "all see the new certificates", 0, 1, 2);
        }
        trust(files, next.trust());
        for (int id : new int[] {0, 1, 2}) {
            awaitEchoing(hasLost(id, 3), "worker 3 is lost", 0, 1, 2);
            assertEquals(3, group.node(id).lost.element().peer());
            assertEquals(1, group.node(id).lost.size());
        }
    }

    private static void trust(List<Issued> files, Path trusted) throws IOException {
        for (Issued each : files) {
            CertificateAuthority.replace(each.trust(), trusted);
        }
    }
}
