package org.gradwire.backend.tensorpipe;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import static java.util.concurrent.TimeUnit.SECONDS;

import org.gradwire.backend.tensorpipe.World.Node;
import org.gradwire.rpc.RpcConfigurationException;
import org.gradwire.rpc.RpcConnectionException;
import org.gradwire.rpc.WorkerInfo;
import org.gradwire.spi.Message;
import org.gradwire.spi.PeerIdentity;
import org.gradwire.spi.Settings;
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
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.UnaryOperator;

/** Certificates that prove the identity of workers over UDP and TCP. */
class CertificateTest {
    private static final String TOKEN = "a token of the group, of some length";
    private static final String PATTERN = "spiffe://test/group/{worker}";

    @TempDir private static Path directory;
    private static CertificateAuthority authority;
    private static Issued zero;
    private static Issued one;
    private static Issued two;
    private static Issued mallory;

    private final MapStore store = new MapStore();
    private final List<Node> nodes = new ArrayList<>();

    @BeforeAll
    static void issue() throws Exception {
        authority = authority("ours");
        zero = authority.issue("worker0", uri("worker0"));
        one = authority.issue("worker1", uri("worker1"));
        two = authority.issue("worker2", uri("worker2"));
        mallory = authority.issue("mallory", uri("mallory"));
    }

    private static CertificateAuthority authority(String name) throws IOException {
        return CertificateAuthority.create(Files.createDirectory(directory.resolve(name)));
    }

    private static String uri(String worker) {
        return PATTERN.replace("{worker}", worker);
    }

    @AfterEach
    void closeAll() {
        nodes.forEach(node -> node.agent.close());
    }

    private static Map<String, String> plain() {
        return new HashMap<>(
                Map.of(
                        "driver",
                        "embedded",
                        "transport",
                        "udp",
                        "host",
                        "127.0.0.1",
                        Settings.AUTHENTICATION_TOKEN,
                        TOKEN));
    }

    private static Map<String, String> unnamed(Issued files) {
        Map<String, String> settings = plain();
        settings.put(Settings.CERTIFICATE, files.certificate().toString());
        settings.put(Settings.PRIVATE_KEY, files.privateKey().toString());
        settings.put(Settings.TRUST, files.trust().toString());
        return settings;
    }

    private static Map<String, String> named(Issued files) {
        Map<String, String> settings = unnamed(files);
        settings.put(Settings.IDENTITY, PATTERN);
        return settings;
    }

    private static Map<String, String> with(Map<String, String> settings, String key, Path value) {
        settings.put(key, value.toString());
        return settings;
    }

    private Node start(int id, Map<String, String> settings) {
        var node = new Node(World.info(id), store, settings);
        nodes.add(node);
        node.agent.start(node);
        return node;
    }

    private static CompletableFuture<Void> connect(Node node, int... members) {
        List<WorkerInfo> infos = new ArrayList<>();
        for (int member : members) {
            infos.add(World.info(member));
        }
        return CompletableFuture.runAsync(
                () -> node.agent.connect(infos), task -> Thread.ofVirtual().start(task));
    }

    private static void connectBoth(Node first, Node second) throws Exception {
        var done = connect(first, second.info.id());
        connect(second, first.info.id()).get(30, SECONDS);
        done.get(30, SECONDS);
    }

    private static void assertEchoed(Node from, int to) throws Exception {
        byte[] payload = {1, 2, 3};
        Message reply = from.call(to, World.request(payload)).get(30, SECONDS);
        assertArrayEquals(payload, reply.payload());
    }

    private static void assertRefused(CompletableFuture<Void> connecting, String... says) {
        var thrown = assertThrows(ExecutionException.class, () -> connecting.get(30, SECONDS));
        Throwable cause = Objects.requireNonNull(thrown.getCause());
        assertEquals(RpcConfigurationException.class, cause.getClass(), cause::toString);
        for (String part : says) {
            assertTrue(
                    String.valueOf(cause.getMessage()).contains(part),
                    () -> "'" + part + "' is not in: " + cause.getMessage());
        }
    }

    @Test
    void workersWithTheirOwnCertificatesReachEachOther() throws Exception {
        Node first = start(0, named(zero));
        Node second = start(1, named(one));
        connectBoth(first, second);
        assertEchoed(first, 1);
        assertEchoed(second, 0);
        assertEquals(
                PeerIdentity.Authentication.CERTIFICATE, first.agent.identity(1).authentication());
    }

    @Test
    void certificatesEncryptWithoutAToken() throws Exception {
        Map<String, String> own = with(named(zero), Settings.AUTHENTICATION_TOKEN, Path.of(""));
        Map<String, String> other = with(named(one), Settings.AUTHENTICATION_TOKEN, Path.of(""));
        Node first = start(0, own);
        connectBoth(first, start(1, other));
        assertEchoed(first, 1);
        assertTrue(endpoint(1).contains("encryption=network"), endpoint(1));
    }

    @Test
    void theCertificateOfAnotherWorkerIsRefused() {
        Node first = start(0, named(zero));
        start(1, unnamed(mallory));
        var _ = connect(nodes.get(1), 0);
        assertRefused(
                connect(first, 1),
                "worker1 (id 1) is refused",
                "names [" + uri("mallory") + "]",
                "expected " + uri("worker1"),
                Settings.IDENTITY);
    }

    @Test
    void aWorkerWithoutACertificateIsRefusedAndRefuses() {
        Node first = start(0, named(zero));
        Node second = start(1, plain());
        var other = connect(second, 0);
        assertRefused(connect(first, 1), "it has no certificate", Settings.CERTIFICATE);
        assertRefused(other, "it has a certificate and this worker has none", Settings.CERTIFICATE);
    }

    @Test
    void aCertificateOfAnotherAuthorityIsRefused() throws Exception {
        Issued stranger = authority("strangers").issue("worker1", uri("worker1"));
        Node first = start(0, named(zero));
        start(1, named(stranger));
        var _ = connect(nodes.get(1), 0);
        assertRefused(connect(first, 1), "its certificate is refused", Settings.TRUST);
    }

    @Test
    void anExpiredCertificateIsRefused() throws Exception {
        Issued brief =
                authority.issue("brief", uri("worker1"), "-startdate", "-1d+10S", "-validity", "1");
        Node first = start(0, named(zero));
        start(1, named(brief));
        connectBoth(first, nodes.get(1));
        assertEchoed(first, 1);
        World.Lost lost = first.awaitLost();
        assertEquals(1, lost.peer());
        assertTrue(
                String.valueOf(lost.reason().getMessage()).contains("its certificate is refused"),
                lost::toString);
        Node third = start(2, named(two));
        assertRefused(connect(third, 1), "its certificate is refused");
    }

    // ---- a member that writes the entries of others in the store

    private String endpoint(int id) throws Exception {
        return new String(store.get(key(id), Duration.ofSeconds(20)), StandardCharsets.UTF_8);
    }

    private String key(int id) {
        return store.keys().stream()
                .filter(key -> key.startsWith("worker/worker" + id + "/tensorpipe/endpoint/"))
                .findFirst()
                .orElseThrow();
    }

    private static String line(String endpoint, String key) {
        return endpoint.lines()
                .filter(line -> line.startsWith(key + "="))
                .findFirst()
                .orElseThrow();
    }

    /** Changes the published endpoint of worker 1, which a member may do, before others read it. */
    private void assertChangedEndpointIsRefused(UnaryOperator<String> change, String says)
            throws Exception {
        Node honest = start(1, named(one));
        Node first = start(0, named(zero));
        connectBoth(first, honest);
        String changed = change.apply(endpoint(1));
        store.set(key(1), changed.getBytes(StandardCharsets.UTF_8));
        Node reader = start(2, named(two));
        var _ = connect(honest, 2);
        assertRefused(connect(reader, 1), "worker1 (id 1) is refused", says);
    }

    @Test
    void aCertificateWithTheSignatureOfAnotherIsRefused() throws Exception {
        assertChangedEndpointIsRefused(
                endpoint -> {
                    try {
                        return endpoint.replace(
                                line(endpoint, "signature"), line(endpoint(0), "signature"));
                    } catch (Exception e) {
                        throw new AssertionError(e);
                    }
                },
                "not signed by the key of its certificate");
    }

    @Test
    void anEndpointWithoutItsCertificateIsRefused() throws Exception {
        assertChangedEndpointIsRefused(
                endpoint -> endpoint.replace(line(endpoint, "certificates") + "\n", ""),
                "it has no certificate");
    }

    @Test
    void aMemberCannotOfferAKeyOfItsOwnForAnother() throws Exception {
        assertChangedEndpointIsRefused(
                endpoint -> {
                    try {
                        String other = endpoint(0);
                        return endpoint.replace(
                                        line(endpoint, "exchange-key"), line(other, "exchange-key"))
                                .replace(line(endpoint, "proof"), line(other, "proof"));
                    } catch (Exception e) {
                        throw new AssertionError(e);
                    }
                },
                "its authentication token differs");
    }

    @Test
    void certificatesThatCannotBeReadAreRefused() throws Exception {
        assertChangedEndpointIsRefused(
                endpoint -> endpoint.replace(line(endpoint, "certificates"), "certificates=AAAA"),
                "its certificate cannot be read");
    }

    // ---- changes while the group runs

    @Test
    void aPeerWhoseCertificateIsRevokedIsLost() throws Exception {
        CertificateAuthority of = authority("revoking");
        Issued own = of.issue("worker0", uri("worker0"));
        Issued other = of.issue("worker1", uri("worker1"));
        Path list = of.revoke();
        Node first = start(0, with(named(own), Settings.REVOCATIONS, list));
        Node second = start(1, named(other));
        connectBoth(first, second);
        assertEchoed(first, 1);
        of.revoke("worker1");
        Files.setLastModifiedTime(list, FileTime.from(Instant.ofEpochSecond(2)));
        World.Lost lost = first.awaitLost();
        assertEquals(1, lost.peer());
        assertTrue(lost.reason() instanceof RpcConnectionException, lost::toString);
        assertTrue(String.valueOf(lost.reason().getMessage()).contains("revoked"), lost::toString);
    }

    @Test
    void certificatesAreReplacedUnderLoadWithoutALostCall() throws Exception {
        CertificateAuthority next = authority("next");
        Path changing = Files.createDirectory(directory.resolve("changing"));
        Path both = changing.resolve("both.pem");
        Files.writeString(both, Files.readString(zero.trust()) + Files.readString(next.trust()));
        Issued own =
                new Issued(
                        Files.copy(zero.certificate(), changing.resolve("certificate.pem")),
                        Files.copy(zero.privateKey(), changing.resolve("key.pem")),
                        both);
        Node first = start(0, named(own));
        Node second = start(1, with(named(one), Settings.TRUST, both));
        connectBoth(first, second);
        var isOver = new AtomicBoolean();
        CompletableFuture<Integer> calls =
                CompletableFuture.supplyAsync(() -> callsUntil(isOver, first));
        String before = line(endpoint(0), "certificates");
        replace(own, next.issue("worker0", uri("worker0")));
        long deadline = System.nanoTime() + SECONDS.toNanos(20);
        while (line(endpoint(0), "certificates").equals(before)) {
            assertTrue(System.nanoTime() < deadline, "the new certificate is published");
        }
        Issued issued = next.issue("worker2", uri("worker2")); // trusts the new authority only
        Node third = start(2, named(issued));
        connectBoth(first, third);
        assertEchoed(third, 0);
        isOver.set(true);
        assertTrue(calls.get(30, SECONDS) > 0);
        assertTrue(first.lost.isEmpty() && second.lost.isEmpty());
    }

    private static int callsUntil(AtomicBoolean isOver, Node from) {
        int calls = 0;
        while (!isOver.get()) {
            try {
                assertEchoed(from, 1);
                calls++;
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        }
        return calls;
    }

    private static void replace(Issued old, Issued by) throws IOException {
        Files.copy(by.certificate(), old.certificate(), StandardCopyOption.REPLACE_EXISTING);
        Files.copy(by.privateKey(), old.privateKey(), StandardCopyOption.REPLACE_EXISTING);
        FileTime time = FileTime.from(Instant.ofEpochSecond(2));
        Files.setLastModifiedTime(old.certificate(), time);
        Files.setLastModifiedTime(old.privateKey(), time);
    }

    @Test
    void certificatesNeedEncryption() {
        Map<String, String> settings = named(zero);
        settings.put(Settings.ENCRYPTION, "none");
        var refusal =
                assertThrows(
                        RpcConfigurationException.class,
                        () -> new Node(World.info(0), store, settings));
        assertTrue(
                String.valueOf(refusal.getMessage()).contains("gradwire.encryption=none"),
                refusal::toString);
    }
}
