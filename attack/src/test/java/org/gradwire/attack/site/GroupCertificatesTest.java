package org.gradwire.attack.site;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.cert.CertificateFactory;
import java.security.cert.X509CRL;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

class GroupCertificatesTest {
    private static final Duration VALIDITY = Duration.ofMinutes(30);

    @TempDir private Path directory;

    private GroupCertificates create() throws Exception {
        return GroupCertificates.create(directory.resolve("certificates"));
    }

    private static Path file(GroupCertificates certificates, String setting) {
        return Path.of(
                Objects.requireNonNull(
                        certificates.environment("worker").get("GRADWIRE_" + setting)));
    }

    private static List<X509Certificate> read(Path file) throws Exception {
        List<X509Certificate> all = new ArrayList<>();
        try (InputStream in = Files.newInputStream(file)) {
            CertificateFactory.getInstance("X.509")
                    .generateCertificates(in)
                    .forEach(each -> all.add((X509Certificate) each));
        }
        return all;
    }

    private static List<X509CRL> lists(GroupCertificates certificates) throws Exception {
        List<X509CRL> all = new ArrayList<>();
        try (InputStream in = Files.newInputStream(file(certificates, "REVOCATIONS"))) {
            CertificateFactory.getInstance("X.509")
                    .generateCRLs(in)
                    .forEach(each -> all.add((X509CRL) each));
        }
        return all;
    }

    @Test
    void aRenewalReplacesCertificateAndKey() throws Exception {
        GroupCertificates certificates = create();
        String serial = certificates.renew("worker", GroupCertificates.LONG);
        String key = Files.readString(file(certificates, "PRIVATE_KEY"));
        String next = certificates.renew("worker", VALIDITY);
        assertNotEquals(serial, next);
        assertNotEquals(key, Files.readString(file(certificates, "PRIVATE_KEY")));
        X509Certificate present = read(file(certificates, "CERTIFICATE")).getFirst();
        assertEquals(next, present.getSerialNumber().toString(16));
        Instant end = present.getNotAfter().toInstant();
        assertTrue(end.isAfter(Instant.now()) && end.isBefore(Instant.now().plus(VALIDITY)));
        String uri = certificates.environment("worker").get("GRADWIRE_IDENTITY");
        assertEquals(
                String.valueOf(uri).replace("{worker}", "worker"),
                present.getSubjectAlternativeNames().iterator().next().get(1));
        assertPrivate(file(certificates, "PRIVATE_KEY"));
        try (Stream<Path> files = Files.list(file(certificates, "TRUST").getParent())) {
            assertTrue(files.noneMatch(file -> file.toString().endsWith(".next")));
        }
    }

    private static void assertPrivate(Path key) throws Exception {
        assertEquals(
                PosixFilePermissions.fromString("rw-------"), Files.getPosixFilePermissions(key));
        assertEquals(
                PosixFilePermissions.fromString("rwx------"),
                Files.getPosixFilePermissions(key.getParent()));
    }

    @Test
    void anAuthorityTakesOverInSteps() throws Exception {
        GroupCertificates certificates = create();
        var _ = certificates.renew("worker", VALIDITY);
        List<String> workers = List.of("worker");
        assertTrue(certificates.areOfLatest(workers));
        X509Certificate first = read(file(certificates, "TRUST")).getFirst();
        certificates.addAuthority();
        assertTrue(certificates.hasPrevious());
        assertEquals(2, read(file(certificates, "TRUST")).size());
        assertEquals(2, lists(certificates).size());
        assertFalse(certificates.areOfLatest(workers));
        Path newcomers =
                Path.of(
                        Objects.requireNonNull(
                                certificates.environmentOfNewcomer("next").get("GRADWIRE_TRUST")));
        assertEquals(1, read(newcomers).size());
        assertNotEquals(first, read(newcomers).getFirst());
        var _ = certificates.renew("worker", VALIDITY);
        assertTrue(certificates.areOfLatest(workers));
        certificates.removePrevious();
        assertFalse(certificates.hasPrevious());
        X509Certificate second = read(file(certificates, "TRUST")).getFirst();
        assertNotEquals(first, second);
        read(file(certificates, "CERTIFICATE")).getFirst().verify(second.getPublicKey());
        assertEquals(1, lists(certificates).size());
    }

    @Test
    void aRevokedCertificateIsListed() throws Exception {
        GroupCertificates certificates = create();
        var _ = certificates.renew("other", VALIDITY);
        var _ = certificates.renew("worker", VALIDITY);
        X509Certificate revoked = read(file(certificates, "CERTIFICATE")).getFirst();
        assertNull(lists(certificates).getFirst().getRevokedCertificate(revoked));
        certificates.revoke("worker");
        assertNotNull(lists(certificates).getFirst().getRevokedCertificate(revoked));
        var _ = certificates.renew("worker", VALIDITY);
        X509Certificate next = read(file(certificates, "CERTIFICATE")).getFirst();
        assertNull(lists(certificates).getFirst().getRevokedCertificate(next));
        assertThrows(IllegalArgumentException.class, () -> certificates.revoke("nobody"));
    }
}
