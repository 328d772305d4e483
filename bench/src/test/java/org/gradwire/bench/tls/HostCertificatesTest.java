package org.gradwire.bench.tls;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import org.gradwire.spi.crypto.CertificateAuthority.Issued;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** The certificates of the two hosts. */
class HostCertificatesTest {
    @TempDir Path folder = Path.of("");

    @Test
    void eachRankHasACertificateOfItsWorkerAndItsHost() throws Exception {
        var certificates =
                HostCertificates.issue(
                        folder, List.of("peer0", "peer1"), List.of("10.78.0.1", "10.78.0.2"));
        assertEquals(
                Set.of("spiffe://gradwire/bench/peer0", "10.78.0.1"),
                names(certificates.byRank().get(0)));
        assertEquals(
                Set.of("spiffe://gradwire/bench/peer1", "10.78.0.2"),
                names(certificates.byRank().get(1)));
        assertFalse(Files.exists(folder.resolve("authority.p12")), "the authority's key is left");
    }

    @Test
    void settingsNameTheFilesOfARank() throws Exception {
        var certificates = HostCertificates.issue(folder, List.of("peer0"), List.of("10.78.0.1"));
        assertEquals(
                List.of(
                        "gradwire.certificate=" + folder.resolve("peer0.pem"),
                        "gradwire.private-key=" + folder.resolve("peer0.key.pem"),
                        "gradwire.trust=" + folder.resolve("trust.pem"),
                        "gradwire.identity=spiffe://gradwire/bench/{worker}"),
                certificates.settings(0));
    }

    private static Set<Object> names(Issued files) throws Exception {
        try (InputStream in = Files.newInputStream(files.certificate())) {
            var certificate =
                    (X509Certificate)
                            CertificateFactory.getInstance("X.509").generateCertificate(in);
            return certificate.getSubjectAlternativeNames().stream()
                    .map(name -> (Object) name.get(1))
                    .collect(Collectors.toSet());
        }
    }
}
