package org.gradwire.spi.crypto;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.rpc.RpcConfigurationException;
import org.gradwire.spi.Settings;
import org.gradwire.spi.crypto.CertificateAuthority.Issued;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.cert.X509Certificate;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Certificates of workers: whose they are, and which are refused. */
class CredentialsTest {
    private static final String PATTERN = "spiffe://test/group/{worker}";

    @TempDir private static Path directory;
    private static CertificateAuthority authority;
    private static Issued ours;
    private static Issued peer;

    @BeforeAll
    static void issue() throws IOException {
        authority = authority("authority");
        ours = authority.issue("ours", "spiffe://test/group/ours");
        peer = authority.issue("peer", "spiffe://test/group/peer");
    }

    private static CertificateAuthority authority(String name) throws IOException {
        return CertificateAuthority.create(Files.createDirectory(directory.resolve(name)));
    }

    private static Map<String, String> settings(Issued files) {
        return new HashMap<>(
                Map.of(
                        Settings.CERTIFICATE, files.certificate().toString(),
                        Settings.PRIVATE_KEY, files.privateKey().toString(),
                        Settings.TRUST, files.trust().toString(),
                        Settings.IDENTITY, PATTERN));
    }

    private static Credentials credentials(Map<String, String> settings, String worker) {
        Settings all =
                new Settings() {
                    @Override
                    public Optional<String> find(String key) {
                        return Optional.ofNullable(settings.get(key));
                    }

                    @Override
                    public String origin(String key) {
                        return "test";
                    }
                };
        Credentials read = Credentials.read(all, worker);
        assertNotNull(read);
        return read;
    }

    private static List<X509Certificate> chain(Issued files, String worker) {
        return credentials(settings(files), worker).contents().chain();
    }

    private static void assertRefused(
            Credentials by, List<X509Certificate> chain, String name, String says) {
        String refusal = by.refusal(chain, name);
        assertNotNull(refusal);
        assertTrue(refusal.contains(says), refusal);
    }

    @Test
    void aChainIsThatOfTheWorkerItNames() {
        Credentials own = credentials(settings(ours), "ours");
        List<X509Certificate> chain = chain(peer, "peer");
        assertNull(own.refusal(chain, "peer"));
        assertRefused(own, chain, "another", "expected spiffe://test/group/another");
    }

    @Test
    void theChainOfAnotherAuthorityIsRefused() throws IOException {
        Issued stranger = authority("strangers").issue("peer", "spiffe://test/group/peer");
        assertRefused(
                credentials(settings(ours), "ours"),
                chain(stranger, "peer"),
                "peer",
                "its certificate is refused");
    }

    @Test
    void aRevokedCertificateIsRefusedAndOthersAreNot() throws IOException {
        CertificateAuthority of = authority("revoking");
        Issued revoked = of.issue("revoked", "spiffe://test/group/revoked");
        Issued other = of.issue("other", "spiffe://test/group/other");
        Map<String, String> settings = settings(other);
        settings.put(Settings.REVOCATIONS, of.revoke("revoked").toString());
        Credentials own = credentials(settings, "other");
        assertRefused(own, chain(revoked, "revoked"), "revoked", "revoked");
        assertNull(own.refusal(chain(other, "other"), "other"));
    }

    @Test
    void withoutTheListOfItsAuthorityACertificateIsRefused() throws IOException {
        Map<String, String> settings = settings(ours);
        Path list = authority("others").revoke();
        settings.put(Settings.REVOCATIONS, list.toString());
        assertRefused(
                credentials(settings, "ours"),
                chain(peer, "peer"),
                "peer",
                "its certificate is refused");
    }

    @Test
    void aFileWithoutRevocationListsIsNamed() {
        Map<String, String> settings = settings(ours);
        settings.put(Settings.REVOCATIONS, ours.privateKey().toString());
        var refusal =
                assertThrows(RpcConfigurationException.class, () -> credentials(settings, "ours"));
        assertTrue(
                String.valueOf(refusal.getMessage())
                        .startsWith(Settings.REVOCATIONS + "=" + ours.privateKey() + " has no"),
                refusal::toString);
    }

    @Test
    void aSignatureIsThatOfTheKeyAndTheText() {
        Credentials own = credentials(settings(ours), "ours");
        X509Certificate certificate = own.contents().chain().getFirst();
        byte[] text = {1, 2, 3};
        byte[] signature = own.contents().sign(text);
        assertTrue(Credentials.isSignedBy(certificate, text, signature));
        assertFalse(Credentials.isSignedBy(certificate, new byte[] {1, 2, 4}, signature));
        assertFalse(Credentials.isSignedBy(chain(peer, "peer").getFirst(), text, signature));
        for (int i = 0; i < signature.length; i++) {
            byte[] changed = signature.clone();
            changed[i] ^= 1;
            assertFalse(Credentials.isSignedBy(certificate, text, changed), "byte " + i);
        }
        assertFalse(Credentials.isSignedBy(certificate, text, new byte[0]));
    }

    @Test
    void aClosedAuthorityHasNoKeyAndItsFilesAreTheOwners() throws IOException {
        CertificateAuthority closed = authority("closed");
        Issued issued = closed.issue("worker", null);
        closed.close();
        assertThrows(IOException.class, () -> closed.issue("late", null));
        for (Path file : List.of(issued.certificate(), issued.privateKey(), issued.trust())) {
            assertEquals(
                    "rw-------",
                    PosixFilePermissions.toString(Files.getPosixFilePermissions(file)));
        }
    }
}
