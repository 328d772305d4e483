package org.gradwire.backend.netty;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.backend.netty.TestGroup.Node;
import org.gradwire.rpc.RpcConfigurationException;
import org.gradwire.spi.BufferAllocator;
import org.gradwire.spi.Message;
import org.gradwire.spi.Settings;
import org.gradwire.spi.crypto.CertificateAuthority;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;

/** Certificates that prove the name of a worker. */
class CertificateIdentityTest {
    private static final String PATTERN = "spiffe://test/group/{worker}";
    private static final String IDENTITY = "gradwire.identity";

    @TempDir private static Path directory;
    private static CertificateAuthority authority;
    private static Certificates unnamed;
    private static Certificates first;
    private static Certificates second;

    @BeforeAll
    static void make() throws Exception {
        authority = Certificates.authority(directory);
        unnamed = Certificates.signed(authority, "unnamed", null);
        first = Certificates.signed(authority, "first", "spiffe://test/group/worker0");
        second = Certificates.signed(authority, "second", "spiffe://test/group/worker1");
    }

    private static Map<String, String> identified(Certificates certificates) {
        return certificates.with(IDENTITY, PATTERN);
    }

    private static TestGroup group(Map<String, String> zero, Map<String, String> one) {
        return new TestGroup(List.of(zero, one), BufferAllocator.plain());
    }

    private static String failure(CompletableFuture<?> connecting) {
        var thrown =
                assertThrows(ExecutionException.class, () -> connecting.get(60, TimeUnit.SECONDS));
        return String.valueOf(thrown.getCause());
    }

    private static String refused(Map<String, String> settings) {
        var failure =
                assertThrows(
                        RpcConfigurationException.class,
                        () -> new TestGroup(List.of(settings), BufferAllocator.plain()));
        return String.valueOf(failure.getMessage());
    }

    private static void assertSays(String text, String part) {
        assertTrue(text.contains(part), () -> "'" + part + "' is not in: " + text);
    }

    private static void assertEchoed(Node from, int to) throws Exception {
        Message reply =
                from.call(to, TestGroup.request(new byte[] {1, 2})).get(60, TimeUnit.SECONDS);
        assertArrayEquals(new byte[] {1, 2}, reply.payload());
    }

    @Test
    void workersWithTheirOwnCertificatesReachEachOther() throws Exception {
        try (var group = group(identified(first), identified(second))) {
            group.connectAll();
            assertEchoed(group.node(0), 1);
            assertEchoed(group.node(1), 0);
        }
    }

    /** Worker 1 dials, as it has the larger id; it does not check, so worker 0 has to. */
    @Test
    void aMemberThatClaimsTheNameOfAnotherIsRefusedByTheListener() throws Exception {
        Certificates impostor = Certificates.signed(authority, "mallory", "spiffe://test/group/m");
        try (var group = group(identified(first), impostor.settings())) {
            CompletableFuture<Void> listening = group.connect(group.node(0), 1);
            String text = failure(group.connect(group.node(1), 0));
            assertSays(text, "its certificate has another name");
            assertSays(text, IDENTITY);
            assertFalse(listening.isDone(), "an impostor must not make the listener lose the peer");
            assertTrue(group.node(0).lost.isEmpty());
            assertEquals(1, group.node(0).metric("connections_refused"));
        }
    }

    @Test
    void aListenerWithTheCertificateOfAnotherIsRefusedByTheDialer() throws Exception {
        Certificates impostor = Certificates.signed(authority, "eve", "spiffe://test/group/eve");
        try (var group = group(impostor.settings(), identified(second))) {
            String text = failure(group.connect(group.node(1), 0));
            assertSays(text, "worker0");
            assertSays(text, "names [spiffe://test/group/eve]");
            assertSays(text, "expected spiffe://test/group/worker0");
            assertSays(text, IDENTITY);
        }
    }

    @Test
    void aCertificateWithoutANameIsThatOfNobody() throws Exception {
        try (var group = group(unnamed.settings(), identified(second))) {
            assertSays(failure(group.connect(group.node(1), 0)), "names no URI");
        }
    }

    @Test
    void theOwnCertificateMustHaveTheOwnName() {
        String text = refused(identified(second));
        assertSays(text, "cannot be used by worker0");
        assertSays(text, "expected spiffe://test/group/worker0");
        assertSays(text, IDENTITY);
    }

    @Test
    void aNewCertificateOfAnotherWorkerIsNotUsed() throws Exception {
        Path copy = Files.createDirectories(directory.resolve("changing"));
        var changing =
                new Certificates(
                        copy.resolve("certificate.pem"), copy.resolve("key.pem"), first.trust());
        Files.copy(first.certificate(), changing.certificate());
        Files.copy(first.key(), changing.key());
        try (var group = group(identified(changing), identified(second))) {
            Files.copy(
                    second.certificate(),
                    changing.certificate(),
                    StandardCopyOption.REPLACE_EXISTING);
            Files.copy(second.key(), changing.key(), StandardCopyOption.REPLACE_EXISTING);
            Files.setLastModifiedTime(changing.key(), FileTime.from(Instant.ofEpochSecond(2)));
            group.connectAll(); // with the previous certificate
            assertEchoed(group.node(1), 0);
        }
    }

    @Test
    void aRevokedCertificateIsRefusedByTheListener() throws Exception {
        Certificates revoked = Certificates.signed(authority, "r", "spiffe://test/group/worker1");
        Path list = authority.revoke("r");
        Map<String, String> checking = first.with(Settings.REVOCATIONS, list.toString());
        try (var group = group(checking, revoked.settings())) {
            CompletableFuture<Void> listening = group.connect(group.node(0), 1);
            assertSays(failure(group.connect(group.node(1), 0)), Settings.TRUST);
            assertFalse(listening.isDone(), "it must not make the listener lose the peer");
        }
    }

    @Test
    void aRevokedCertificateIsRefusedByTheDialer() throws Exception {
        CertificateAuthority of = Certificates.authority(directory.resolve("dialed"));
        Certificates revoked = Certificates.signed(of, "r", "spiffe://test/group/worker0");
        Certificates dialing = Certificates.signed(of, "d", "spiffe://test/group/worker1");
        String list = of.revoke("r").toString();
        try (var group = group(revoked.settings(), dialing.with(Settings.REVOCATIONS, list))) {
            assertSays(failure(group.connect(group.node(1), 0)), "revoked");
        }
    }

    @Test
    void aConnectedPeerWhoseCertificateIsRevokedIsLost() throws Exception {
        CertificateAuthority of = Certificates.authority(directory.resolve("revoking"));
        Certificates own = Certificates.signed(of, "own", "spiffe://test/group/worker0");
        Certificates other = Certificates.signed(of, "other", "spiffe://test/group/worker1");
        Path list = of.revoke();
        try (var group = group(own.with(Settings.REVOCATIONS, list.toString()), other.settings())) {
            group.connectAll();
            assertEchoed(group.node(0), 1);
            of.revoke("other");
            Files.setLastModifiedTime(list, FileTime.from(Instant.ofEpochSecond(2)));
            var lost = group.node(0).lost.poll(30, TimeUnit.SECONDS);
            assertSays(String.valueOf(lost), "revoked");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"spiffe://test/group", "{worker}", "a://{worker}/{worker}"})
    void aPatternThatNamesNoWorkerIsRefused(String pattern) {
        assertSays(refused(first.with(IDENTITY, pattern)), IDENTITY + "=" + pattern);
    }

    @Test
    void anIdentityNeedsACertificate() {
        assertSays(
                refused(Map.of("host", "127.0.0.1", IDENTITY, PATTERN)),
                IDENTITY + " is set, but no certificate");
    }
}
