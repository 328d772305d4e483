package org.gradwire.backend.tensorpipe.seal;

import java.io.ByteArrayInputStream;
import java.security.cert.CertificateEncodingException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/**
 * The signature of an offer by the key of a worker's certificate.
 *
 * @param certificates the worker's, then those between it and a trusted one: each encoded as DER
 *     and in Base64, separated by commas
 * @param value the signature in Base64
 */
public record OfferSignature(String certificates, String value) {
    private static final String SEPARATOR = ",";
    private static final int MOST_CERTIFICATES = 8;

    /** {@return a signature with the chain of its signer} */
    static OfferSignature of(List<X509Certificate> chain, byte[] signature) {
        List<String> encoded = new ArrayList<>();
        for (X509Certificate certificate : chain) {
            try {
                encoded.add(Base64.getEncoder().encodeToString(certificate.getEncoded()));
            } catch (CertificateEncodingException e) {
                throw new IllegalStateException("it was decoded before", e);
            }
        }
        return new OfferSignature(
                String.join(SEPARATOR, encoded), Base64.getEncoder().encodeToString(signature));
    }

    /** {@return the certificates, one or more} */
    List<X509Certificate> chain() throws UnprovenOfferException {
        String[] encoded = certificates.split(SEPARATOR, MOST_CERTIFICATES + 1);
        if (encoded.length > MOST_CERTIFICATES) {
            throw new UnprovenOfferException(
                    "it has more than %d certificates".formatted(MOST_CERTIFICATES));
        }
        List<X509Certificate> chain = new ArrayList<>();
        try {
            CertificateFactory factory = CertificateFactory.getInstance("X.509");
            for (String each : encoded) {
                var bytes = new ByteArrayInputStream(Base64.getDecoder().decode(each));
                chain.add((X509Certificate) factory.generateCertificate(bytes));
            }
        } catch (CertificateException | IllegalArgumentException e) {
            throw new UnprovenOfferException("its certificate cannot be read", e);
        }
        return chain;
    }

    /** {@return the bytes of the signature; none if it is malformed} */
    byte[] bytes() {
        try {
            return Base64.getDecoder().decode(value);
        } catch (IllegalArgumentException _) {
            return new byte[0];
        }
    }
}
