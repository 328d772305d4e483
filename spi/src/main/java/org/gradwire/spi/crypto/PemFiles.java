package org.gradwire.spi.crypto;

import org.gradwire.rpc.RpcConfigurationException;
import org.gradwire.spi.Settings;
import org.jspecify.annotations.Nullable;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateFactory;
import java.security.cert.CertificateNotYetValidException;
import java.security.cert.X509CRL;
import java.security.cert.X509Certificate;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Files of a worker's certificate, its private key, the certificates that it trusts, and the lists
 * of revoked certificates.
 *
 * <p>They are checked before use: each exists and is PEM, the certificate is valid now, and the key
 * belongs to the certificate.
 *
 * @param revocations null for none
 */
record PemFiles(Path certificate, Path key, Path trust, @Nullable Path revocations) {
    private static final Pattern PRIVATE_KEY =
            Pattern.compile("-----BEGIN ([A-Z ]*)PRIVATE KEY-----([^-]*)-----END");
    private static final List<String> KEYS =
            List.of(Settings.CERTIFICATE, Settings.PRIVATE_KEY, Settings.TRUST);

    /**
     * Contents of the files; without revocation lists, no certificate is checked for revocation.
     */
    record Contents(
            PrivateKey key,
            List<X509Certificate> chain,
            List<X509Certificate> trusted,
            @Nullable List<X509CRL> revocations) {}

    /**
     * Read the settings.
     *
     * @return null when none is set
     * @throws RpcConfigurationException when only some are set
     */
    static @Nullable PemFiles read(Settings settings) {
        List<String> values =
                KEYS.stream().map(key -> settings.find(key).orElse("").strip()).toList();
        String revocations = settings.find(Settings.REVOCATIONS).orElse("").strip();
        if (revocations.isEmpty() && values.stream().allMatch(String::isEmpty)) {
            return null;
        }
        for (int i = 0; i < values.size(); i++) {
            if (values.get(i).isEmpty()) {
                throw new RpcConfigurationException(
                        "%s is not set; certificates need all of %s".formatted(KEYS.get(i), KEYS));
            }
        }
        return new PemFiles(
                path(KEYS.get(0), values.get(0)),
                path(KEYS.get(1), values.get(1)),
                path(KEYS.get(2), values.get(2)),
                revocations.isEmpty() ? null : path(Settings.REVOCATIONS, revocations));
    }

    private static Path path(String key, String text) {
        try {
            return Path.of(text);
        } catch (InvalidPathException e) {
            throw new RpcConfigurationException(
                    "%s is not a path of a file: %s".formatted(key, e.getReason()), e);
        }
    }

    List<Path> paths() {
        return Stream.of(certificate, key, trust, revocations).filter(Objects::nonNull).toList();
    }

    /**
     * Read the files.
     *
     * @throws RpcConfigurationException when one is missing or invalid
     */
    Contents load() {
        List<X509Certificate> chain = certificates(Settings.CERTIFICATE, certificate);
        requireValid(chain.getFirst());
        PrivateKey ownKey = privateKey();
        requirePair(ownKey, chain.getFirst());
        return new Contents(
                ownKey,
                chain,
                certificates(Settings.TRUST, trust),
                revocations == null ? null : revocationLists(revocations));
    }

    private static List<X509CRL> revocationLists(Path path) {
        try {
            List<X509CRL> lists = new ArrayList<>();
            CertificateFactory.getInstance("X.509")
                    .generateCRLs(new ByteArrayInputStream(bytes(Settings.REVOCATIONS, path)))
                    .forEach(list -> lists.add((X509CRL) list));
            if (lists.isEmpty()) {
                throw wrong(
                        Settings.REVOCATIONS, path, "has no revocation list; expected PEM", null);
            }
            return lists;
        } catch (GeneralSecurityException e) {
            throw wrong(
                    Settings.REVOCATIONS,
                    path,
                    "has no revocation lists that can be read (%s); expected PEM"
                            .formatted(e.getMessage()),
                    e);
        }
    }

    private static RpcConfigurationException wrong(
            String key, Path path, String why, @Nullable Throwable cause) {
        return new RpcConfigurationException("%s=%s %s".formatted(key, path, why), cause);
    }

    private static byte[] bytes(String key, Path path) {
        try {
            return Files.readAllBytes(path);
        } catch (IOException e) {
            throw wrong(
                    key,
                    path,
                    "cannot be read (%s); name a PEM file that this user may read".formatted(e),
                    e);
        }
    }

    private static List<X509Certificate> certificates(String key, Path path) {
        try {
            List<X509Certificate> certificates = new ArrayList<>();
            CertificateFactory.getInstance("X.509")
                    .generateCertificates(new ByteArrayInputStream(bytes(key, path)))
                    .forEach(certificate -> certificates.add((X509Certificate) certificate));
            if (certificates.isEmpty()) {
                throw wrong(key, path, "has no certificate; expected PEM", null);
            }
            return certificates;
        } catch (GeneralSecurityException e) {
            throw wrong(
                    key,
                    path,
                    "has no certificates that can be read (%s); expected PEM"
                            .formatted(e.getMessage()),
                    e);
        }
    }

    private void requireValid(X509Certificate own) {
        try {
            own.checkValidity();
        } catch (CertificateExpiredException e) {
            throw wrong(
                    Settings.CERTIFICATE,
                    certificate,
                    "expired at %s; renew it".formatted(own.getNotAfter().toInstant()),
                    e);
        } catch (CertificateNotYetValidException e) {
            throw wrong(
                    Settings.CERTIFICATE,
                    certificate,
                    "is valid from %s only; check the clock of this host"
                            .formatted(own.getNotBefore().toInstant()),
                    e);
        }
    }

    private PrivateKey privateKey() {
        Matcher pem =
                PRIVATE_KEY.matcher(
                        new String(bytes(Settings.PRIVATE_KEY, key), StandardCharsets.ISO_8859_1));
        if (!pem.find() || !pem.group(1).isEmpty()) {
            throw wrong(
                    Settings.PRIVATE_KEY,
                    key,
                    "has no private key in PKCS #8 without a password; convert it with: openssl pkcs8 -topk8 -nocrypt",
                    null);
        }
        try {
            var spec = new PKCS8EncodedKeySpec(Base64.getMimeDecoder().decode(pem.group(2)));
            return privateKey(spec);
        } catch (GeneralSecurityException | IllegalArgumentException e) {
            throw wrong(
                    Settings.PRIVATE_KEY,
                    key,
                    "has a private key that this JDK cannot use (%s)".formatted(e.getMessage()),
                    e);
        }
    }

    private static PrivateKey privateKey(PKCS8EncodedKeySpec spec) throws GeneralSecurityException {
        InvalidKeySpecException last = null;
        for (String algorithm : List.of("EC", "RSA", "EdDSA")) {
            try {
                return KeyFactory.getInstance(algorithm).generatePrivate(spec);
            } catch (InvalidKeySpecException e) {
                last = e;
            }
        }
        throw last == null ? new InvalidKeySpecException("no algorithm") : last;
    }

    /** Checks that the public key of the certificate verifies a signature of the private key. */
    private void requirePair(PrivateKey ownKey, X509Certificate own) {
        boolean isPair;
        try {
            byte[] text = own.getEncoded();
            isPair = Signatures.verify(own.getPublicKey(), text, Signatures.sign(ownKey, text));
        } catch (GeneralSecurityException _) {
            isPair = false; // of another algorithm
        }
        if (!isPair) {
            throw wrong(
                    Settings.PRIVATE_KEY,
                    key,
                    "is not the key of the certificate in %s=%s"
                            .formatted(Settings.CERTIFICATE, certificate),
                    null);
        }
    }

    @Override
    public String toString() {
        return "%s=%s, %s=%s, %s=%s"
                .formatted(
                        Settings.CERTIFICATE,
                        certificate,
                        Settings.PRIVATE_KEY,
                        key,
                        Settings.TRUST,
                        trust);
    }
}
