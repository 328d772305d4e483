package org.gradwire.spi.crypto;

import org.gradwire.rpc.RpcConfigurationException;
import org.gradwire.spi.Settings;
import org.gradwire.spi.UntrustedText;
import org.jspecify.annotations.Nullable;

import java.security.cert.Certificate;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * The identity that the certificate of a worker must contain: a URI among its subject alternative
 * names, as SPIFFE defines it. Thread-safe.
 *
 * @param pattern the URI, in which {@value #WORKER} stands for the worker's name
 */
record CertificateIdentity(String pattern) {
    static final String WORKER = "{worker}";
    private static final int URI = 6; // GeneralName, RFC 5280, 4.2.1.6

    /**
     * Read the setting.
     *
     * @return null when it is not set
     * @throws RpcConfigurationException when the pattern does not name the worker once
     */
    static @Nullable CertificateIdentity read(Settings settings) {
        String pattern = settings.find(Settings.IDENTITY).orElse("").strip();
        if (pattern.isEmpty()) {
            return null;
        }
        int at = pattern.indexOf(WORKER);
        if (at < 0 || pattern.indexOf(WORKER, at + 1) >= 0 || !pattern.contains("://")) {
            throw settings.wrong(
                    Settings.IDENTITY,
                    "a URI with " + WORKER + " once, such as spiffe://example.org/group/" + WORKER);
        }
        return new CertificateIdentity(pattern);
    }

    /** {@return the URI that the certificate of a worker must contain} */
    String of(String worker) {
        return pattern.replace(WORKER, worker);
    }

    /**
     * {@return why a certificate is not that of a worker, or null if it is}
     *
     * @param certificate was verified
     */
    @Nullable String mismatch(Certificate certificate, String worker) {
        List<String> uris = uris(certificate);
        return uris.contains(of(worker))
                ? null
                : "its certificate names %s, expected %s"
                        .formatted(
                                uris.isEmpty() ? "no URI" : UntrustedText.quote(uris.toString()),
                                UntrustedText.quote(of(worker)));
    }

    private static List<String> uris(Certificate certificate) {
        List<String> uris = new ArrayList<>();
        if (certificate instanceof X509Certificate x509) {
            for (List<?> name : alternativeNames(x509)) {
                if (name.getFirst().equals(URI)) {
                    uris.add(String.valueOf(name.get(1)));
                }
            }
        }
        return uris;
    }

    private static Collection<List<?>> alternativeNames(X509Certificate certificate) {
        try {
            Collection<List<?>> names = certificate.getSubjectAlternativeNames();
            return names == null ? List.of() : names;
        } catch (CertificateParsingException _) {
            return List.of();
        }
    }
}
