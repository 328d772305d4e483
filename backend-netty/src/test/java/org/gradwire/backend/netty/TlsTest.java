package org.gradwire.backend.netty;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.handler.ssl.OpenSsl;
import io.netty.util.Version;

import org.gradwire.backend.netty.TestGroup.Node;
import org.gradwire.rpc.RpcConfigurationException;
import org.gradwire.rpc.RpcConnectionException;
import org.gradwire.spi.BufferAllocator;
import org.gradwire.spi.Message;
import org.gradwire.spi.OsNative;
import org.gradwire.spi.PeerIdentity;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Workers with TLS: their messages, the peers that they refuse, and the errors. */
class TlsTest {
    private static final int LARGE = 8 * 1024 * 1024;
    private static final String KEY = "gradwire.private-key";
    private static final String CERTIFICATE = "gradwire.certificate";
    private static final String TRUST = "gradwire.trust";

    @TempDir private static Path directory;
    private static Certificates ours;
    private static Certificates others;

    @BeforeAll
    static void make() throws Exception {
        ours = Certificates.make(directory.resolve("ours"));
        others = Certificates.make(directory.resolve("others"));
    }

    private static TestGroup group(List<Map<String, String>> settings) {
        return new TestGroup(settings, BufferAllocator.plain());
    }

    private static MemorySegment patterned(MemorySegment memory) {
        for (long at = 0; at < memory.byteSize(); at += 4) {
            memory.set(ValueLayout.JAVA_INT_UNALIGNED, at, (int) at * 31 + 7);
        }
        return memory;
    }

    private static void assertEchoed(Node from, int to, byte[] payload, MemorySegment... buffers)
            throws Exception {
        Message reply =
                from.call(to, TestGroup.request(payload, buffers)).get(60, TimeUnit.SECONDS);
        assertArrayEquals(payload, reply.payload());
        assertEquals(buffers.length, reply.buffers().size());
        for (int i = 0; i < buffers.length; i++) {
            assertEquals(buffers[i].byteSize(), reply.buffers().get(i).byteSize());
            assertEquals(-1, buffers[i].mismatch(reply.buffers().get(i)), "buffer " + i);
            assertEquals(buffers[i].isNative(), reply.buffers().get(i).isNative());
        }
    }

    private static String failure(CompletableFuture<?> connecting, Class<?>... types) {
        var thrown =
                assertThrows(ExecutionException.class, () -> connecting.get(60, TimeUnit.SECONDS));
        Throwable cause = Objects.requireNonNull(thrown.getCause());
        assertTrue(List.of(types).contains(cause.getClass()), cause::toString);
        return String.valueOf(cause.getMessage());
    }

    private static void assertSays(String text, String... parts) {
        for (String part : parts) {
            assertTrue(text.contains(part), () -> "'" + part + "' is not in: " + text);
        }
        assertFalse(text.contains("\n"), text);
    }

    private static String refused(Map<String, String> settings) {
        var failure = assertThrows(RpcConfigurationException.class, () -> group(List.of(settings)));
        return String.valueOf(failure.getMessage());
    }

    /** All connections use TLS, within a host too, so both values are the same here. */
    @Test
    void withCertificatesEncryptionOfAllEqualsThatOfTheNetwork() throws Exception {
        List<Map<String, String>> settings = new ArrayList<>();
        for (String value : List.of("all", "network")) {
            var each = new HashMap<>(ours.settings());
            each.put("gradwire.encryption", value);
            settings.add(each);
        }
        try (var group = group(settings)) {
            group.connectAll();
            assertEchoed(group.node(0), 1, new byte[] {1, 2, 3});
            for (Node each : group.nodes) {
                assertNotEquals("off", each.agent.debugInfo().get("netty.tls"));
                assertEquals(
                        PeerIdentity.Authentication.CERTIFICATE,
                        each.agent.identity(1 - each.info.id()).authentication());
            }
        }
    }

    @Test
    void messagesOfAllSizesGoBothWays() throws Exception {
        boolean hasEpoll = Version.identify().containsKey("netty-transport-native-epoll");
        try (var group = new TestGroup(3, ours.settings());
                var arena = Arena.ofShared()) {
            MemorySegment nativeMemory = patterned(arena.allocate(LARGE));
            MemorySegment floats = patterned(MemorySegment.ofArray(new float[LARGE / 4]));
            for (Node from : group.nodes) {
                assertEquals(
                        OsNative.isOn() && OpenSsl.isAvailable() ? "OPENSSL" : "JDK",
                        from.agent.debugInfo().get("netty.tls"));
                assertEquals(
                        OsNative.isOn() && hasEpoll ? "EPOLL" : "NIO",
                        from.agent.debugInfo().get("netty.transport"));
                for (Node to : group.nodes) {
                    assertEchoed(from, to.info.id(), new byte[] {1, 2, 3});
                    assertEchoed(from, to.info.id(), new byte[0], nativeMemory, floats);
                }
            }
            assertEquals(0, group.node(0).metric("bytes_waiting"));
        }
    }

    @Test
    void workersOfOneHostMayAllConnectAtOnce() throws Exception {
        try (var group = new TestGroup(12, ours.settings())) {
            for (Node from : group.nodes) {
                assertEchoed(from, (from.info.id() + 1) % 12, new byte[] {4});
            }
        }
    }

    @Test
    void nothingIsReadableOnTheWire() throws Exception {
        String secret = "a text that no third party may read";
        assertFalse(onTheWire(ours.settings(), secret).contains(secret));
        Map<String, String> plain = Map.of("host", "127.0.0.1");
        assertTrue(onTheWire(plain, secret).contains(secret), "the tap records plain text");
    }

    private static String onTheWire(Map<String, String> settings, String said) throws Exception {
        try (var group = group(List.of(settings, settings));
                var tap = new Tap(group.store, 0)) {
            group.connectAll();
            byte[] payload = said.getBytes(StandardCharsets.US_ASCII);
            assertEchoed(group.node(1), 0, payload);
            assertEchoed(group.node(0), 1, payload, patterned(MemorySegment.ofArray(new int[99])));
            assertFalse(tap.captured().isEmpty());
            return tap.captured();
        }
    }

    // ---- peers that are refused

    @Test
    void aPeerOfAnotherAuthorityIsRefused() throws Exception {
        try (var group =
                group(
                        List.of(
                                ours.with("connect-timeout", "2s"),
                                others.with("connect-timeout", "2s")))) {
            CompletableFuture<Void> listening = group.connect(group.node(0), 1);
            CompletableFuture<Void> dialing = group.connect(group.node(1), 0);
            assertSays(
                    failure(dialing, RpcConfigurationException.class),
                    "worker0",
                    "127.0.0.1:" + group.node(0).metric("port"),
                    "certif",
                    CERTIFICATE,
                    KEY,
                    TRUST);
            assertSays(
                    failure(listening, RpcConnectionException.class),
                    "worker1",
                    "127.0.0.1",
                    "certif",
                    CERTIFICATE,
                    KEY,
                    TRUST);
        }
    }

    @Test
    void aPeerThatTheListenerDoesNotTrustLearnsTheReason() throws Exception {
        Certificates half = new Certificates(others.certificate(), others.key(), ours.trust());
        try (var group = group(List.of(ours.with("connect-timeout", "2s"), half.settings()))) {
            CompletableFuture<Void> listening = group.connect(group.node(0), 1);
            assertSays(
                    failure(
                            group.connect(group.node(1), 0),
                            RpcConfigurationException.class,
                            RpcConnectionException.class),
                    "worker0",
                    "127.0.0.1:" + group.node(0).metric("port"),
                    "certificate",
                    TRUST);
            failure(listening, RpcConnectionException.class);
        }
    }

    @Test
    void aCertificateThatExpiresIsRefused() throws Exception {
        Certificates brief =
                Certificates.make(
                        directory.resolve("brief"), "-startdate", "-1d+6S", "-validity", "1");
        try (var group = group(List.of(brief.with("connect-timeout", "2s"), brief.settings()))) {
            Instant end = brief.end();
            while (!Instant.now().isAfter(end)) {
                LockSupport.parkNanos(50_000_000);
            }
            CompletableFuture<Void> listening = group.connect(group.node(0), 1);
            assertSays(
                    failure(group.connect(group.node(1), 0), RpcConfigurationException.class),
                    "worker0",
                    "expired",
                    CERTIFICATE);
            failure(listening, RpcConnectionException.class);
        }
        assertSays(
                refused(brief.settings()),
                CERTIFICATE + "=" + brief.certificate(),
                "expired at " + brief.end());
    }

    @Test
    void bothEncryptOrNone() throws Exception {
        try (var group = group(List.of(ours.settings(), Map.of("host", "127.0.0.1")))) {
            for (Node node : group.nodes) {
                int other = 1 - node.info.id();
                assertSays(
                        failure(group.connect(node, other), RpcConfigurationException.class),
                        "worker" + other,
                        "127.0.0.1:" + group.node(other).metric("port"),
                        other == 0 ? "uses TLS" : "does not use TLS",
                        CERTIFICATE,
                        KEY,
                        TRUST);
            }
        }
    }

    // ---- files that cannot be used

    @Test
    void allThreeFilesAreNeeded() {
        for (String missing : List.of(CERTIFICATE, KEY, TRUST)) {
            assertSays(
                    refused(ours.with(missing, "")),
                    missing + " is not set",
                    CERTIFICATE,
                    KEY,
                    TRUST);
        }
    }

    @Test
    void aFileThatIsMissingIsNamed() {
        for (String missing : List.of(CERTIFICATE, KEY, TRUST)) {
            String path = directory.resolve("none.pem").toString();
            assertSays(refused(ours.with(missing, path)), missing + "=" + path + " cannot be read");
        }
        assertSays(refused(ours.with(KEY, "a\0b")), KEY, "path");
    }

    @Test
    void aFileThatIsNoPemIsNamed() throws Exception {
        Path wrong = Files.writeString(directory.resolve("wrong.pem"), "no PEM at all\n");
        for (String key : List.of(CERTIFICATE, KEY, TRUST)) {
            assertSays(refused(ours.with(key, wrong.toString())), key + "=" + wrong, "has no");
        }
    }

    @Test
    void theKeyMustBeThatOfTheCertificate() {
        assertSays(
                refused(ours.with(KEY, others.key().toString())),
                KEY + "=" + others.key(),
                "is not the key of the certificate in " + CERTIFICATE + "=" + ours.certificate());
    }

    @Test
    void aKeyWithAPasswordIsNamed() throws Exception {
        Path locked =
                Certificates.pem(
                        directory.resolve("locked.pem"), "ENCRYPTED PRIVATE KEY", new byte[99]);
        assertSays(
                refused(ours.with(KEY, locked.toString())),
                KEY + "=" + locked,
                "without a password",
                "openssl pkcs8 -topk8 -nocrypt");
    }

    // ---- files that change

    private static Certificates copy(Certificates from, String name) throws IOException {
        Path to = Files.createDirectories(directory.resolve(name));
        var copy =
                new Certificates(
                        to.resolve("certificate.pem"),
                        to.resolve("key.pem"),
                        to.resolve("trust.pem"));
        replace(copy, from, 1);
        return copy;
    }

    private static void replace(Certificates old, Certificates by, int second) throws IOException {
        List<Path> from = List.of(by.certificate(), by.key(), by.trust());
        List<Path> to = List.of(old.certificate(), old.key(), old.trust());
        for (int i = 0; i < from.size(); i++) {
            Files.copy(from.get(i), to.get(i), StandardCopyOption.REPLACE_EXISTING);
            Files.setLastModifiedTime(to.get(i), FileTime.from(Instant.ofEpochSecond(second)));
        }
    }

    @Test
    void newFilesCountForNewConnections() throws Exception {
        Certificates changing = copy(ours, "changing");
        try (var group = group(List.of())) {
            Node old = group.start(1, changing.settings(), BufferAllocator.plain());
            Node friend = group.start(2, ours.settings(), BufferAllocator.plain());
            join(group, old, friend);
            replace(changing, others, 2);
            Files.writeString(
                    changing.trust(),
                    Files.readString(ours.trust()) + Files.readString(others.trust()));
            // The old member connects to one of them; the other connects to it.
            for (int id : new int[] {0, 3}) {
                Node added = group.start(id, others.settings(), BufferAllocator.plain());
                join(group, old, added);
                assertEchoed(added, 1, new byte[] {7});
                assertEchoed(old, id, new byte[] {8});
            }
            assertEchoed(old, 2, new byte[] {9}); // open connections continue
        }
    }

    @Test
    void brokenNewFilesCountForNothing() throws Exception {
        Certificates changing = copy(ours, "breaking");
        try (var group = group(List.of(changing.settings(), ours.settings()))) {
            Files.writeString(changing.key(), "half a fi");
            Files.setLastModifiedTime(changing.key(), FileTime.from(Instant.ofEpochSecond(2)));
            group.connectAll();
            assertEchoed(group.node(1), 0, new byte[] {7});
            Files.delete(changing.trust());
            Node added = group.start(2, ours.settings(), BufferAllocator.plain());
            join(group, group.node(0), added);
            assertEchoed(added, 0, new byte[] {8});
        }
    }

    private static void join(TestGroup group, Node one, Node other) throws Exception {
        List<CompletableFuture<Void>> done = new ArrayList<>();
        done.add(group.connect(one, other.info.id()));
        done.add(group.connect(other, one.info.id()));
        for (CompletableFuture<Void> each : done) {
            each.get(30, TimeUnit.SECONDS);
        }
    }
}
