package org.gradwire.launcher.secure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.spi.Settings;
import org.gradwire.spi.crypto.CertificateAuthority;
import org.gradwire.spi.crypto.CertificateRequest;
import org.gradwire.spi.process.FreePort;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;

/** Certificates for the workers of other launchers. */
class JoinServiceTest {
    private static final String PREFIX = "worker";
    private static final Map<Integer, String> NAMES =
            Map.of(0, "worker0", 1, "worker1", 2, "worker2");
    private static final Duration REQUEST_TIME = Duration.ofSeconds(3);
    private static final String IDENTITY = "spiffe://gradwire/run/{worker}";

    @TempDir private Path directory;

    private final int port = FreePort.choose();
    private final List<String> messages = new CopyOnWriteArrayList<>();
    private final List<AutoCloseable> open = new ArrayList<>();
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private Path tokenFile = Path.of("");
    private Path keys = Path.of("");

    @BeforeEach
    void start() throws Exception {
        tokenFile = directory.resolve("join.token");
        keys = Files.createDirectory(directory.resolve("first"));
        RunAuthority authority = RunAuthority.create(keys, "run", NAMES, PREFIX);
        open.add(authority);
        authority.issue(List.of(0));
        open.add(
                JoinService.start(
                        authority,
                        address(),
                        "the group's token",
                        tokenFile,
                        messages::add,
                        REQUEST_TIME));
    }

    private InetSocketAddress address() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    }

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable each : open.reversed()) {
            each.close();
        }
        threads.close();
    }

    private Path folder(String name) throws IOException {
        return Files.createDirectory(directory.resolve(name));
    }

    private JoinClient.Joined join(Path token, String folder, int worldSize, Integer... ranks)
            throws IOException {
        return new JoinClient(address(), token)
                .join(folder(folder), worldSize, List.of(ranks), PREFIX);
    }

    private void assertRefused(Path token, String folder, int worldSize, int rank, String reason) {
        String text =
                String.valueOf(
                        assertThrows(IOException.class, () -> join(token, folder, worldSize, rank))
                                .getMessage());
        assertTrue(text.contains(reason), text);
    }

    private static String file(JoinClient.Joined joined, int rank, String setting) {
        return Objects.requireNonNull(
                joined.certificates().of(rank).get(Settings.environmentName(setting)));
    }

    private static X509Certificate certificate(String file) throws Exception {
        byte[] pem = Files.readAllBytes(Path.of(file));
        return (X509Certificate)
                CertificateFactory.getInstance("X.509")
                        .generateCertificate(new ByteArrayInputStream(pem));
    }

    private void assertNames(JoinClient.Joined joined, int rank) throws Exception {
        X509Certificate certificate = certificate(file(joined, rank, Settings.CERTIFICATE));
        X509Certificate authority = certificate(keys.resolve("trust.pem").toString());
        certificate.verify(authority.getPublicKey());
        assertEquals(authority, certificate(file(joined, rank, Settings.TRUST)));
        assertEquals(
                List.of(List.of(6, "spiffe://gradwire/run/worker" + rank)),
                List.copyOf(certificate.getSubjectAlternativeNames()));
        assertEquals(IDENTITY, joined.certificates().of(rank).get("GRADWIRE_IDENTITY"));
        Path key = Path.of(file(joined, rank, Settings.PRIVATE_KEY));
        assertEquals(
                "rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(key)));
    }

    @Test
    void launchersJoinOneAfterTheOtherEachWithItsToken() throws Exception {
        String first = Files.readString(tokenFile);
        JoinClient.Joined one = join(tokenFile, "second", 3, 1);
        assertNames(one, 1);
        assertEquals("the group's token", one.groupToken());
        String second = Files.readString(tokenFile);
        assertFalse(first.equals(second), "the token is another after its use");
        assertTrue(Files.exists(keys.resolve("authority.p12")));
        assertNames(join(tokenFile, "third", 3, 2), 2);
        assertFalse(Files.exists(keys.resolve("authority.p12")), "all workers have certificates");
        assertFalse(Files.exists(tokenFile));
        assertThrows(IOException.class, () -> new Socket(address().getAddress(), port).close());
        for (int rank : List.of(1, 2)) {
            Path key = Path.of("rank" + rank + ".key.pem");
            assertFalse(Files.exists(keys.resolve(key)), "private keys stay where they were made");
            assertTrue(
                    Files.exists(directory.resolve(rank == 1 ? "second" : "third").resolve(key)));
        }
        assertTrue(messages.stream().noneMatch(text -> text.contains(first.strip())));
    }

    @Test
    void aTokenIsValidOnce() throws Exception {
        Path used = directory.resolve("used");
        Files.copy(tokenFile, used);
        Files.setPosixFilePermissions(used, PosixFilePermissions.fromString("rw-------"));
        join(tokenFile, "second", 3, 1);
        assertRefused(used, "again", 3, 2, "valid once");
        assertNames(join(tokenFile, "third", 3, 2), 2);
    }

    @Test
    void oneOfTwoLaunchersWithOneTokenJoins() throws Exception {
        Path copy = directory.resolve("copy");
        Files.copy(tokenFile, copy);
        Files.setPosixFilePermissions(copy, PosixFilePermissions.fromString("rw-------"));
        List<Future<JoinClient.Joined>> joining =
                List.of(
                        threads.submit(() -> join(tokenFile, "second", 3, 1)),
                        threads.submit(() -> join(copy, "third", 3, 2)));
        int joined = 0;
        for (Future<JoinClient.Joined> each : joining) {
            try {
                each.get();
                joined++;
            } catch (ExecutionException e) {
                assertTrue(String.valueOf(e.getMessage()).contains("valid once"), e::toString);
            }
        }
        assertEquals(1, joined);
    }

    /** The ranks of a launcher that ends before it has its certificates can be asked for again. */
    @Test
    void certificatesThatDoNotArriveUseNothingUp() throws Exception {
        JoinToken current = JoinToken.read(tokenFile);
        CertificateRequest request = CertificateRequest.create(folder("x"), "rank1");
        assertEquals(
                "status " + JoinRequest.ACCEPTED,
                ask(out -> write(out, current.secret(), request.text()), current));
        assertNames(join(tokenFile, "second", 3, 1), 1);
        assertTrue(
                messages.stream().anyMatch(text -> text.contains("ranks 1 to 1 has no cert")),
                messages::toString);
    }

    @Test
    void aConnectionWithoutARequestIsClosed() throws Exception {
        try (var silent = new Socket(InetAddress.getLoopbackAddress(), port)) {
            silent.setSoTimeout((int) REQUEST_TIME.multipliedBy(10).toMillis());
            assertEquals(-1, silent.getInputStream().read());
        }
        assertNames(join(tokenFile, "second", 3, 1), 1);
    }

    /** Eight connections of an address wait for their requests; the launcher tries again. */
    @Test
    void aFloodOfConnectionsDelaysALauncherOnly() throws Exception {
        List<Socket> flood = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            flood.add(new Socket(InetAddress.getLoopbackAddress(), port));
        }
        assertNames(join(tokenFile, "second", 3, 1), 1);
        for (Socket each : flood) {
            each.close();
        }
    }

    @Test
    void aFileThatExistsIsNotReplaced() throws Exception {
        Path file = Files.writeString(directory.resolve("other"), "not a join token");
        try (RunAuthority authority = RunAuthority.create(folder("z"), "run", NAMES, PREFIX)) {
            String text =
                    String.valueOf(
                            assertThrows(
                                            IOException.class,
                                            () ->
                                                    JoinService.start(
                                                            authority,
                                                            address(),
                                                            "token",
                                                            file,
                                                            messages::add))
                                    .getMessage());
            assertTrue(text.contains(file + ", which exists"), text);
            assertEquals("not a join token", Files.readString(file));
        }
    }

    @Test
    void aRefusedRequestLeavesTheTokenValid() throws Exception {
        assertRefused(tokenFile, "a", 3, 0, "rank 0 has a certificate already");
        assertRefused(tokenFile, "b", 3, 3, "no rank 3");
        assertRefused(tokenFile, "c", 4, 1, "--world-size 3");
        assertNames(join(tokenFile, "second", 3, 1), 1);
    }

    @Test
    void theFileOfATokenIsOfItsOwnerOnly() throws Exception {
        assertEquals(
                "rw-------",
                PosixFilePermissions.toString(Files.getPosixFilePermissions(tokenFile)));
        Path readable = directory.resolve("readable");
        Files.copy(tokenFile, readable);
        Files.setPosixFilePermissions(readable, PosixFilePermissions.fromString("rw-r--r--"));
        assertRefused(readable, "second", 3, 1, "chmod 600");
        assertRefused(directory.resolve("none"), "fourth", 3, 1, "does not exist");
        Path nonsense = directory.resolve("nonsense");
        Files.writeString(nonsense, "nonsense");
        Files.setPosixFilePermissions(nonsense, PosixFilePermissions.fromString("rw-------"));
        assertRefused(nonsense, "third", 3, 1, "is not the file");
    }

    /** Serve like the join service with the certificate of another authority, or of a worker. */
    private void assertNotTrusted(SSLContext impostor, String reason) throws Exception {
        int other = FreePort.choose();
        try (var listening =
                impostor.getServerSocketFactory()
                        .createServerSocket(other, 1, InetAddress.getLoopbackAddress())) {
            Future<Integer> serving = threads.submit(() -> bytesSent(listening));
            var address = new InetSocketAddress(InetAddress.getLoopbackAddress(), other);
            Path folder = Files.createTempDirectory(directory, "impostor");
            String text =
                    String.valueOf(
                            assertThrows(
                                            IOException.class,
                                            () ->
                                                    new JoinClient(address, tokenFile)
                                                            .join(folder, 3, List.of(1), PREFIX))
                                    .getMessage());
            assertTrue(text.contains(reason), text);
            assertEquals(0, serving.get(), "bytes that the client has sent");
        }
    }

    private static int bytesSent(ServerSocket listening) throws IOException {
        var received = new ByteArrayOutputStream();
        try (var socket = (SSLSocket) listening.accept()) {
            socket.startHandshake();
            socket.getInputStream().transferTo(received);
        } catch (SSLException | SocketException _) {
            // the client has refused the certificate, or has closed the connection after that
        }
        return received.size();
    }

    @Test
    void theServiceProvesThatItWroteTheToken() throws Exception {
        RunAuthority stranger = RunAuthority.create(folder("stranger"), "run", NAMES, PREFIX);
        open.add(stranger);
        assertNotTrusted(
                stranger.serviceContext(), "is not the launcher that wrote the join token");
    }

    /** A worker's certificate is of the same authority, but not for the join service. */
    @Test
    void aWorkerCannotPoseAsTheService() throws Exception {
        var own = CertificateAuthority.create(folder("own"));
        own.issue("worker1", "spiffe://gradwire/run/worker1");
        JoinToken.random(certificate(own.trust().toString())).write(tokenFile);
        assertNotTrusted(own.serverContext("worker1"), "a worker of the group");
    }

    @Test
    void strangersGetNothing() throws Exception {
        JoinToken current = JoinToken.read(tokenFile);
        CertificateRequest request = CertificateRequest.create(folder("x"), "rank1");
        assertEquals("no reply", ask(out -> out.writeInt(0x01020304), current));
        assertEquals("refused", ask(out -> write(out, new byte[16], request.text()), current));
        assertEquals(
                "refused", ask(out -> write(out, current.secret(), "x".repeat(9000)), current));
        assertEquals("refused", ask(out -> write(out, current.secret(), "no request"), current));
        try (var plain = new Socket(InetAddress.getLoopbackAddress(), port)) {
            plain.getOutputStream()
                    .write("GET / HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            plain.setSoTimeout(60_000);
            while (plain.getInputStream().read() >= 0) {
                // an alert of TLS
            }
        } catch (SocketException _) {
            // reset, with bytes that were not read
        }
        assertNames(join(tokenFile, "second", 3, 1), 1);
    }

    /** The service refuses it at the secret, and reads the other megabytes before it closes. */
    @Test
    void aRefusedLauncherLearnsTheReasonWhateverItSends() throws Exception {
        var large =
                new JoinRequest(
                        new byte[16], 1001, 1, PREFIX, Collections.nCopies(1000, "x".repeat(8000)));
        assertEquals("refused", ask(large::write, JoinToken.read(tokenFile)));
    }

    private interface Bytes {
        void writeTo(DataOutputStream out) throws IOException;
    }

    private static void write(DataOutputStream out, byte[] secret, String request)
            throws IOException {
        new JoinRequest(secret, 3, 1, PREFIX, List.of(request)).write(out);
    }

    private String ask(Bytes bytes, JoinToken token) throws Exception {
        SSLContext context = SSLContext.getInstance("TLSv1.3");
        context.init(null, new TrustManager[] {new PinnedAuthority(token)}, null);
        try (var socket =
                (SSLSocket)
                        context.getSocketFactory()
                                .createSocket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(60_000);
            bytes.writeTo(new DataOutputStream(socket.getOutputStream()));
            int status = new DataInputStream(socket.getInputStream()).read();
            return switch (status) {
                case -1 -> "no reply";
                case JoinRequest.REFUSED -> "refused";
                default -> "status " + status;
            };
        }
    }
}
