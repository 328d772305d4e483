package org.gradwire.runtime.store;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.rpc.RpcConfigurationException;
import org.gradwire.rpc.RpcException;
import org.gradwire.spi.Store;
import org.gradwire.spi.crypto.CertificateAuthority;
import org.gradwire.spi.crypto.CertificateAuthority.Issued;
import org.gradwire.spi.crypto.X25519;
import org.gradwire.spi.process.FreePort;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Certificates at the TCP store: the workers that may use it, and the keys that each may write. */
class StoreCertificateTest {
    private static final Duration LONG = Duration.ofSeconds(60);
    private static final String TOKEN = "a token of the group, of some length";
    private static final byte[] VALUE = {1, 2, 3};

    @TempDir private static Path directory;
    private static CertificateAuthority authority;
    private static CertificateAuthority foreign;
    private static Issued zero;
    private static Issued one;
    private static Issued two;

    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final List<Store> open = new ArrayList<>();
    private final int port = FreePort.choose();

    @BeforeAll
    static void issue() throws Exception {
        authority = CertificateAuthority.create(Files.createDirectory(directory.resolve("ours")));
        foreign = CertificateAuthority.create(Files.createDirectory(directory.resolve("other")));
        zero = authority.issue("worker0", uri("worker0"));
        one = authority.issue("worker1", uri("worker1"));
        two = authority.issue("worker2", uri("worker2"));
    }

    private static String uri(String worker) {
        return TestCertificates.PATTERN.replace("{worker}", worker);
    }

    @AfterEach
    void close() {
        open.reversed().forEach(Store::closeNow);
        threads.close();
    }

    private static StoreSecurity security(String worker, Issued files) {
        return TestCertificates.security(worker, files, TOKEN);
    }

    private Store serve(StoreSecurity security) {
        return add(TcpStore.open("127.0.0.1", port, TcpStore.Serving.YES, 8, security, LONG));
    }

    private Store join(StoreSecurity security) {
        return add(TcpStore.open("127.0.0.1", port, TcpStore.Serving.NO, 8, security, LONG));
    }

    private Store add(Store store) {
        open.add(store);
        return store;
    }

    private void assertRefused(StoreSecurity security, String reason) {
        String text =
                assertThrows(RpcConfigurationException.class, () -> join(security)).getMessage();
        assertTrue(text.contains(reason), text);
    }

    @Test
    void workersWithCertificatesShareEntries() {
        Store server = serve(security("worker0", zero));
        Store client = join(security("worker1", one));
        client.set("key", VALUE);
        assertArrayEquals(VALUE, server.get("key", LONG));
        assertEquals(3, server.add("sum", 3));
        assertEquals(5, client.add("sum", 2));
    }

    @Test
    void certificatesSufficeWithoutAToken() {
        Store server = serve(TestCertificates.security("worker0", zero, ""));
        Store client = join(TestCertificates.security("worker1", one, ""));
        server.set("key", VALUE);
        assertArrayEquals(VALUE, client.get("key", LONG));
        assertRefused(TestCertificates.security("worker1", one, TOKEN), "did not prove");
        assertRefused(StoreSecurity.withToken(""), "gradwire.certificate on all workers");
    }

    @Test
    void onlyItsOwnerWritesAnEntryOfAWorker() {
        Store server = serve(security("worker0", zero));
        Store client = join(security("worker1", one));
        String own = Store.keyOf("worker1", "address");
        client.set(own, VALUE);
        for (String key :
                List.of(
                        Store.keyOf("worker0", "address"),
                        Store.keyOf("worker2", "address"),
                        Store.keyOf("worker10", "address"),
                        Store.keyOf("Worker1", "address"),
                        "worker/",
                        "worker//address",
                        "worker/worker")) {
            assertDenied(() -> client.set(key, new byte[0]), key);
            assertDenied(() -> client.add(key, 1), key);
            assertDenied(() -> client.compareAndSet(key, null, VALUE), key);
            assertDenied(() -> client.acquire(key, VALUE, Store.MAX_LEASE), key);
        }
        assertDenied(() -> server.set(own, new byte[0]), own);
        assertArrayEquals(VALUE, server.get(own, LONG));
        client.set(own, new byte[] {4});
        assertArrayEquals(new byte[] {4}, server.get(own, LONG));
    }

    /** A peer's texts reach the log, in which they must not begin a line. */
    @Test
    void namesAndKeysInTextsAreEscaped() throws Exception {
        serve(security("worker0", zero));
        Store client = join(security("worker1", one));
        String text =
                assertThrows(RpcException.class, () -> client.add("worker/x\nWARNING forged", 1))
                        .getMessage();
        assertFalse(String.valueOf(text).contains("\n"), text);
        HandshakeIdentity verifying = Objects.requireNonNull(security("worker0", zero).identity());
        for (String name : List.of("x\nWARNING forged", "", "a/b", "a".repeat(128))) {
            byte[] identity =
                    identity(
                            List.of(
                                    name.getBytes(StandardCharsets.UTF_8),
                                    parts(verifying.ofClient(anyTranscript())).get(1),
                                    new byte[1]));
            String refusal =
                    String.valueOf(
                            assertThrows(
                                            HandshakeRefusedException.class,
                                            () -> verifying.verifyClient(identity, anyTranscript()))
                                    .getMessage());
            assertTrue(refusal.contains("is not the name of a worker"), refusal);
            assertFalse(refusal.contains("\n"), refusal);
        }
    }

    private static Transcript anyTranscript() {
        byte[] side = new byte[Transcript.SIDE_BYTES];
        return new Transcript(side, side);
    }

    private static void assertDenied(Runnable write, String key) {
        String text = assertThrows(RpcException.class, write::run).getMessage();
        assertTrue(text.startsWith("only the worker with the name"), text);
        assertTrue(text.contains("'" + key + "'"), text);
    }

    @Test
    void aWorkerNeedsACertificateThatNamesIt() throws Exception {
        serve(security("worker0", zero));
        String refused = "refused this worker's certificate";
        assertThrows(RpcConfigurationException.class, () -> security("worker2", one));
        assertRefused(TestCertificates.unnamed("worker2", one, TOKEN), refused);
        Issued stranger = foreign.issue("worker1", uri("worker1"));
        Issued trusting =
                new Issued(stranger.certificate(), stranger.privateKey(), authority.trust());
        assertRefused(security("worker1", trusting), refused);
        Issued nameless = authority.issue("nameless", null);
        assertRefused(TestCertificates.unnamed("worker1", nameless, TOKEN), refused);
    }

    @Test
    void aWorkerWithACertificateDoesNotUseAStoreWithout() {
        serve(StoreSecurity.withToken(TOKEN));
        assertRefused(security("worker1", one), "the worker that serves it has no certificate");
    }

    @Test
    void aWorkerWithoutACertificateDoesNotUseAStoreWithOne() throws Exception {
        serve(security("worker0", zero));
        assertRefused(
                StoreSecurity.withToken(TOKEN), "the worker that serves it has a certificate");
        try (var client = new RawClient(StoreSecurity.withToken(TOKEN))) {
            assertEquals(StoreFrames.UNIDENTIFIED, client.in.read(), "it ignored the difference");
            assertEquals(-1, client.in.read());
        }
    }

    @Test
    void aWorkerDoesNotUseTheStoreOfAForeignAuthority() throws Exception {
        Issued stranger = foreign.issue("worker0", uri("worker0"));
        Path both = directory.resolve("both.pem");
        Files.writeString(
                both, Files.readString(authority.trust()) + Files.readString(foreign.trust()));
        serve(security("worker0", new Issued(stranger.certificate(), stranger.privateKey(), both)));
        assertRefused(security("worker1", one), "does not accept the one that serves it");
    }

    /** A client that sends all up to its proof, and sends an identity that the test chooses. */
    private final class RawClient implements AutoCloseable {
        private final Socket socket;
        private final DataInputStream in;
        private final Transcript transcript;
        private final SessionKeys keys;

        RawClient(StoreSecurity security) throws Exception {
            socket = new Socket(InetAddress.getLoopbackAddress(), port);
            socket.setSoTimeout((int) LONG.toMillis());
            in = new DataInputStream(socket.getInputStream());
            var exchange = X25519.random();
            byte[] own =
                    Transcript.side(security.proofs().nonce(), exchange, security.hasCertificate());
            send(
                    ByteBuffer.allocate(5)
                            .putInt(StoreFrames.MAGIC)
                            .put((byte) StoreFrames.VERSION)
                            .array());
            send(own);
            in.readNBytes(5);
            transcript = new Transcript(own, in.readNBytes(Transcript.SIDE_BYTES));
            in.readNBytes(HandshakeProofs.PROOF_BYTES);
            keys =
                    security.proofs()
                            .sessionKeys(transcript, exchange.secretWith(transcript.serverKey()));
            send(security.proofs().ofClient(transcript));
        }

        void send(byte[] bytes) throws IOException {
            socket.getOutputStream().write(bytes);
        }

        void sendIdentity(byte[] identity) throws IOException {
            new SealedOutput(socket.getOutputStream(), keys.clientIdentity()).write(identity);
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }

    private int statusOf(IdentityMaker identity) throws Exception {
        StoreSecurity security = security("worker1", one);
        try (var client = new RawClient(security)) {
            client.sendIdentity(
                    identity.of(Objects.requireNonNull(security.identity()), client.transcript));
            return client.in.read();
        }
    }

    private interface IdentityMaker {
        byte[] of(HandshakeIdentity identity, Transcript transcript) throws Exception;
    }

    @Test
    void anIdentityOfAnotherConnectionOrRoleIsRefused() throws Exception {
        serve(security("worker0", zero));
        List<byte[]> recorded = new ArrayList<>();
        assertEquals(
                StoreFrames.DONE,
                statusOf((identity, transcript) -> {
                    recorded.add(identity.ofClient(transcript));
                    return recorded.getFirst();
                }));
        assertEquals(StoreFrames.UNIDENTIFIED, statusOf((_, _) -> recorded.getFirst()));
        assertEquals(StoreFrames.UNIDENTIFIED, statusOf(HandshakeIdentity::ofServer));
        assertEquals(
                StoreFrames.UNIDENTIFIED,
                statusOf((identity, transcript) ->
                        identity.ofClient(
                                new Transcript(
                                        /* client= */ transcript.server(),
                                        /* server= */ transcript.client()))));
    }

    /**
     * A member shows the chain of another one, which all members can read, with its own signature.
     */
    @Test
    void theCertificateOfAnotherWorkerIsOfNoUse() throws Exception {
        serve(security("worker0", zero));
        HandshakeIdentity other = Objects.requireNonNull(security("worker2", two).identity());
        assertEquals(
                StoreFrames.UNIDENTIFIED,
                statusOf((identity, transcript) -> {
                    List<byte[]> own = parts(identity.ofClient(transcript));
                    List<byte[]> its = parts(other.ofClient(transcript));
                    return identity(List.of(its.get(0), its.get(1), own.get(2)));
                }));
        assertEquals(
                StoreFrames.UNIDENTIFIED,
                statusOf((identity, transcript) -> {
                    List<byte[]> own = parts(identity.ofClient(transcript));
                    List<byte[]> its = parts(other.ofClient(transcript));
                    return identity(List.of(its.get(0), own.get(1), own.get(2)));
                }));
    }

    private static List<byte[]> parts(byte[] identity) {
        ByteBuffer in = ByteBuffer.wrap(identity);
        List<byte[]> parts = new ArrayList<>();
        while (in.hasRemaining()) {
            byte[] part = new byte[in.getShort()];
            in.get(part);
            parts.add(part);
        }
        return parts;
    }

    private static byte[] identity(List<byte[]> parts) {
        ByteBuffer out =
                ByteBuffer.allocate(parts.stream().mapToInt(part -> 2 + part.length).sum());
        parts.forEach(part -> out.putShort((short) part.length).put(part));
        return out.array();
    }

    /** No byte of an identity may be another one, and none may be missing or too many. */
    @Test
    void aChangedIdentityIsRefused() throws Exception {
        StoreSecurity verifier = security("worker0", zero);
        HandshakeIdentity verifying = Objects.requireNonNull(verifier.identity());
        HandshakeIdentity worker = Objects.requireNonNull(security("worker1", one).identity());
        byte[] side = Transcript.side(verifier.proofs().nonce(), X25519.random(), true);
        var transcript = new Transcript(side, side);
        byte[] right = worker.ofClient(transcript);
        assertEquals("worker1", verifying.verifyClient(right, transcript).name());
        for (int at = 0; at < right.length; at++) {
            byte[] changed = right.clone();
            changed[at] ^= 1;
            int where = at;
            assertThrows(
                    HandshakeRefusedException.class,
                    () -> verifying.verifyClient(changed, transcript),
                    () -> "byte " + where);
            byte[] cut = Arrays.copyOf(right, at);
            assertThrows(
                    HandshakeRefusedException.class, () -> verifying.verifyClient(cut, transcript));
        }
        byte[] longer = Arrays.copyOf(right, right.length + 1);
        assertThrows(
                HandshakeRefusedException.class, () -> verifying.verifyClient(longer, transcript));
    }

    @Test
    void anIdentityThatIsNoRecordEndsItsConnectionOnly() throws Exception {
        Store server = serve(security("worker0", zero));
        for (int length : new int[] {-1, 0, 16, (16 << 10) + 17, Integer.MAX_VALUE}) {
            try (var client = new RawClient(security("worker1", one))) {
                client.send(ByteBuffer.allocate(4).putInt(length).array());
                assertEquals(-1, client.in.read(), () -> "length " + length);
            }
        }
        try (var client = new RawClient(security("worker1", one))) {
            client.send(ByteBuffer.allocate(104).putInt(100).array());
            assertEquals(-1, client.in.read(), "not sealed with the keys of the connection");
        }
        server.set("key", VALUE);
        assertArrayEquals(VALUE, join(security("worker1", one)).get("key", LONG));
    }

    /** Without its identity a connection has the time of a handshake, and no more. */
    @Test
    void anIdentityThatDoesNotArriveEndsTheHandshake() throws Exception {
        serve(security("worker0", zero));
        try (var client = new RawClient(security("worker1", one))) {
            client.send(ByteBuffer.allocate(50).putInt(100).array());
            assertEquals(-1, client.in.read());
        }
    }

    /** The store notices within a second or two, at the next request, and ends the connection. */
    @Test
    void aWorkerWhoseCertificateIsRevokedIsNotServedAnyMore() throws Exception {
        Path list = directory.resolve("list.pem");
        Files.copy(authority.revoke(), list);
        Store server = serve(TestCertificates.security("worker0", zero, TOKEN, list));
        Store client = join(security("worker2", two));
        client.set(Store.keyOf("worker2", "address"), VALUE);
        Future<byte[]> waiting = threads.submit(() -> client.get("later", LONG));
        Files.copy(authority.revoke("worker2"), list, StandardCopyOption.REPLACE_EXISTING);
        Files.setLastModifiedTime(list, FileTime.from(Instant.now().plusSeconds(5)));
        String text = awaitRefusal(client);
        assertTrue(text.startsWith("the connection of the store and worker2 ends: "), text);
        assertThrows(ExecutionException.class, waiting::get, "a wait ends too, without a value");
        assertRefused(security("worker2", two), "refused this worker's certificate");
        assertArrayEquals(VALUE, server.get(Store.keyOf("worker2", "address"), LONG));
    }

    /** Rank 0 loses its certificate: the workers, itself too, no longer use the store. */
    @Test
    void aStoreWhoseCertificateIsRevokedIsNotUsedAnyLonger() throws Exception {
        Path list = directory.resolve("list-of-clients.pem");
        Files.copy(authority.revoke(), list, StandardCopyOption.REPLACE_EXISTING);
        serve(security("worker0", zero));
        Store client = join(TestCertificates.security("worker1", one, TOKEN, list));
        client.set("key", VALUE);
        Files.copy(authority.revoke("worker0"), list, StandardCopyOption.REPLACE_EXISTING);
        Files.setLastModifiedTime(list, FileTime.from(Instant.now().plusSeconds(5)));
        String text = awaitRefusal(client);
        assertTrue(text.startsWith("the connection of the store and worker0 ends: "), text);
    }

    private static String awaitRefusal(Store client) {
        long deadline = System.nanoTime() + LONG.toNanos();
        while (System.nanoTime() - deadline < 0) {
            try {
                client.add("sum", 1);
            } catch (RpcException e) {
                return String.valueOf(e.getMessage());
            }
        }
        throw new AssertionError("the store still serves a worker whose certificate is revoked");
    }
}
