package org.gradwire.backend.netty;

import org.gradwire.spi.Settings;
import org.gradwire.spi.crypto.CertificateAuthority;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;

/** Files of a worker's certificate for a test. */
record Certificates(Path certificate, Path key, Path trust) {

    /** Create an authority and a certificate that it signs. */
    static Certificates make(Path directory, String... validity) throws IOException {
        return signed(authority(directory), "worker", null, validity);
    }

    /** Create an authority. */
    static CertificateAuthority authority(Path directory) throws IOException {
        return CertificateAuthority.create(Files.createDirectories(directory));
    }

    /** Create a certificate with a URI. */
    static Certificates signed(
            CertificateAuthority authority, String name, @Nullable String uri, String... validity)
            throws IOException {
        CertificateAuthority.Issued issued = authority.issue(name, uri, validity);
        return new Certificates(issued.certificate(), issued.privateKey(), issued.trust());
    }

    /** {@return the end of its validity} */
    Instant end() throws IOException, CertificateException {
        try (InputStream in = Files.newInputStream(certificate)) {
            var own =
                    (X509Certificate)
                            CertificateFactory.getInstance("X.509").generateCertificate(in);
            return own.getNotAfter().toInstant();
        }
    }

    /** Write a PEM file. */
    static Path pem(Path file, String what, byte[] bytes) throws IOException {
        String text = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(bytes);
        return Files.writeString(
                file, "-----BEGIN %s-----\n%s\n-----END %s-----\n".formatted(what, text, what));
    }

    /** {@return the settings of a worker that uses these files} */
    Map<String, String> settings() {
        return Map.of(
                Settings.CERTIFICATE,
                certificate.toString(),
                Settings.PRIVATE_KEY,
                key.toString(),
                Settings.TRUST,
                trust.toString(),
                "host",
                "127.0.0.1",
                "connect-timeout",
                "20s");
    }

    /** {@return these settings with one changed} */
    Map<String, String> with(String setting, String value) {
        var changed = new HashMap<>(settings());
        changed.put(setting, value);
        return changed;
    }
}
