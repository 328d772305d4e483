package org.gradwire.backend.tensorpipe;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import static java.util.concurrent.TimeUnit.SECONDS;

import org.gradwire.backend.tensorpipe.World.Node;
import org.gradwire.rpc.WorkerInfo;
import org.gradwire.spi.Settings;
import org.gradwire.spi.Store;
import org.gradwire.spi.crypto.CertificateAuthority;
import org.gradwire.spi.crypto.CertificateAuthority.Issued;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;

/** New certificates of workers that are connected. */
class CertificateRenewalTest {
    private static final String PATTERN = "spiffe://test/group/{worker}";
    private static final int BRIEF_SECONDS = 12;
    private static final Duration CHECKS = Duration.ofSeconds(4);
    private static final long PAUSE_NANOS = 1_000_000;

    @TempDir private static Path directory;
    private static CertificateAuthority authority;
    private static Issued zero;

    private final MapStore store = new MapStore();
    private final List<Node> nodes = new ArrayList<>();
    private boolean storeFails; // guarded by this

    @BeforeAll
    static void issue() throws Exception {
        authority = CertificateAuthority.create(directory);
        zero = authority.issue("worker0", PATTERN.replace("{worker}", "worker0"));
    }

    @AfterEach
    void closeAll() {
        nodes.forEach(node -> node.agent.close());
    }

    private static Issued issue(String name, String... more) throws IOException {
        return authority.issue(name, PATTERN.replace("{worker}", "worker1"), more);
    }

    private static Issued brief(String name) throws IOException {
        String start = "-1d+" + BRIEF_SECONDS + "S";
        return issue(name, "-startdate", start, "-validity", "1");
    }

    private Node start(int id, Issued files) {
        return start(id, files, store, Map.of());
    }

    private Node start(int id, Issued files, Store through, Map<String, String> more) {
        Map<String, String> settings =
                new HashMap<>(
                        Map.of(
                                "driver",
                                "embedded",
                                "transport",
                                "udp",
                                "host",
                                "127.0.0.1",
                                Settings.CERTIFICATE,
                                files.certificate().toString(),
                                Settings.PRIVATE_KEY,
                                files.privateKey().toString(),
                                Settings.TRUST,
                                files.trust().toString(),
                                Settings.IDENTITY,
                                PATTERN));
        settings.putAll(more);
        var node = new Node(World.info(id), through, settings);
        nodes.add(node);
        node.agent.start(node);
        return node;
    }

    private static void connect(Node first, Node second) throws Exception {
        var done =
                CompletableFuture.runAsync(
                        () -> first.agent.connect(List.of(second.info)),
                        task -> Thread.ofVirtual().start(task));
        second.agent.connect(List.of(first.info));
        done.get(30, SECONDS);
    }

    private static void assertEchoed(Node from, WorkerInfo to) throws Exception {
        byte[] payload = {1, 2, 3};
        assertArrayEquals(
                payload, from.call(to.id(), World.request(payload)).get(30, SECONDS).payload());
    }

    private String endpoint(int id) {
        String key =
                store.keys().stream()
                        .filter(each -> each.startsWith("worker/worker" + id + "/tensorpipe/end"))
                        .findFirst()
                        .orElseThrow();
        return new String(store.get(key, Duration.ofSeconds(20)), StandardCharsets.UTF_8);
    }

    private void replaceEndpoint(int id, String text) {
        store.keys().stream()
                .filter(each -> each.startsWith("worker/worker" + id + "/tensorpipe/end"))
                .forEach(key -> store.set(key, text.getBytes(StandardCharsets.UTF_8)));
    }

    private static String line(String endpoint, String key) {
        return endpoint.lines()
                .filter(each -> each.startsWith(key + "="))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void aRenewedPeerOutlivesItsFirstCertificate() throws Exception {
        Issued files = brief("renewed");
        Instant end = files.end();
        Node first = start(0, zero);
        Node second = start(1, files);
        connect(first, second);
        files.renew(issue("longer"));
        while (Instant.now().isBefore(end.plus(CHECKS))) {
            assertEchoed(first, second.info);
            assertEchoed(second, first.info);
            LockSupport.parkNanos(PAUSE_NANOS);
        }
        assertTrue(first.lost.isEmpty() && second.lost.isEmpty(), () -> "" + first.lost);
    }

    @Test
    void aRenewedPeerOutlivesTheRevocationOfItsFirstCertificate() throws Exception {
        var of = CertificateAuthority.create(Files.createDirectory(directory.resolve("revoking")));
        Path list = of.revoke();
        Issued own = of.issue("worker0", PATTERN.replace("{worker}", "worker0"));
        Issued files = of.issue("worker1", PATTERN.replace("{worker}", "worker1"));
        Node first = start(0, own, store, Map.of(Settings.REVOCATIONS, list.toString()));
        Node second = start(1, files);
        connect(first, second);
        String before = line(endpoint(1), "certificates");
        files.renew(of.issue("next", PATTERN.replace("{worker}", "worker1")));
        long deadline = System.nanoTime() + SECONDS.toNanos(20);
        while (line(endpoint(1), "certificates").equals(before)) {
            assertTrue(System.nanoTime() - deadline < 0, "the new certificate is published");
            LockSupport.parkNanos(PAUSE_NANOS);
        }
        of.revoke("worker1");
        Files.setLastModifiedTime(list, FileTime.from(Instant.now().plusSeconds(5)));
        Instant end = Instant.now().plus(CHECKS);
        while (Instant.now().isBefore(end)) {
            assertEchoed(first, second.info);
            LockSupport.parkNanos(PAUSE_NANOS);
        }
        assertTrue(first.lost.isEmpty(), () -> "" + first.lost);
        of.revoke("worker1", "next");
        Files.setLastModifiedTime(list, FileTime.from(Instant.now().plusSeconds(10)));
        assertEquals(1, first.awaitLost().peer());
    }

    /** A certificate and its signature are public: another worker may publish them. */
    @Test
    void aNewCertificateThatSignsAnotherOfferDoesNotCount() throws Exception {
        Issued files = brief("replayed");
        Node first = start(0, zero);
        Node second = start(1, files);
        connect(first, second);
        String published = endpoint(1);
        var other = new MapStore();
        start(1, issue("other"), other, Map.of());
        String forged = forge(published, other);
        replaceEndpoint(1, forged);
        World.Lost lost = first.awaitLost();
        assertEquals(1, lost.peer());
        assertTrue(String.valueOf(lost.reason().getMessage()).contains("refused"), lost::toString);
    }

    /** {@return the endpoint with the valid certificate and signature of another incarnation} */
    private String forge(String published, MapStore other) throws Exception {
        Node incarnation = nodes.getLast();
        Node peer = start(0, zero, other, Map.of());
        connect(peer, incarnation);
        String key =
                other.keys().stream()
                        .filter(each -> each.startsWith("worker/worker1/tensorpipe/end"))
                        .findFirst()
                        .orElseThrow();
        String its = new String(other.get(key, Duration.ZERO), StandardCharsets.UTF_8);
        return published
                .replace(line(published, "certificates"), line(its, "certificates"))
                .replace(line(published, "signature"), line(its, "signature"));
    }

    private synchronized void setStoreFails(boolean fails) {
        storeFails = fails;
    }

    private synchronized boolean storeFails() {
        return storeFails;
    }

    /** A store that no longer replies keeps no peer whose certificate is refused. */
    @Test
    void aRefusedPeerIsLostWithoutTheStore() throws Exception {
        Issued files = brief("alone");
        Instant end = files.end();
        Node first = start(0, zero, new HangingStore(), Map.of());
        Node second = start(1, files);
        connect(first, second);
        setStoreFails(true);
        assertEquals(1, first.awaitLost().peer());
        assertTrue(Instant.now().isBefore(end.plus(Duration.ofSeconds(10))), "late");
        setStoreFails(false);
    }

    /** Does not reply while the store fails. */
    private final class HangingStore implements Store {
        private void hang() {
            while (storeFails()) {
                try {
                    Thread.sleep(10);
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            }
        }

        @Override
        public void set(String key, byte[] value) {
            hang();
            store.set(key, value);
        }

        @Override
        public byte[] get(String key, Duration timeout) {
            hang();
            return store.get(key, timeout);
        }

        @Override
        public long add(String key, long amount) {
            hang();
            return store.add(key, amount);
        }

        @Override
        public void close() {}
    }
}
