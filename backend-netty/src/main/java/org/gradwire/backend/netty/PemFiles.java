package org.gradwire.backend.netty;

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
import java.security.Signature;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateFactory;
import java.security.cert.CertificateNotYetValidException;
import java.security.cert.X509Certificate;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Files of a worker's certificate, its private key and the certificates it trusts.
 *
 * <p>They are checked before use: each exists and is PEM, the certificate is valid now, and the key
 * belongs to the certificate.
 */
record PemFiles(Path certificate, Path key, Path trust) {
    private static final Pattern PRIVATE_KEY =
            Pattern.compile("-----BEGIN ([A-Z ]*)PRIVATE KEY-----([^-]*)-----END");
    private static final List<String> KEYS =
            List.of(SettingKeys.CERTIFICATE, SettingKeys.KEY, SettingKeys.TRUST);

    /** Contents of the files. */
    record Contents(PrivateKey key, List<X509Certificate> chain, List<X509Certificate> trusted) {}

    /**
     * Read the settings.
     *
     * @return null when none is set
     * @throws RpcConfigurationException when only some are set
     */
    static @Nullable PemFiles read(Settings settings) {
        List<String> values =
                KEYS.stream().map(key -> settings.find(key).orElse("").strip()).toList();
        if (values.stream().allMatch(String::isEmpty)) {
            return null;
        }
        for (int i = 0; i < values.size(); i++) {
            if (values.get(i).isEmpty()) {
                throw new RpcConfigurationException(
                        "%s is not set; TLS needs all of %s".formatted(KEYS.get(i), KEYS));
            }
        }
        return new PemFiles(path(values, 0), path(values, 1), path(values, 2));
    }

    private static Path path(List<String> values, int index) {
        try {
            return Path.of(values.get(index));
        } catch (InvalidPathException e) {
            throw new RpcConfigurationException(
                    "%s is not a path of a file: %s".formatted(KEYS.get(index), e.getReason()), e);
        }
    }

    List<Path> paths() {
        return List.of(certificate, key, trust);
    }

    /**
     * Read the files.
     *
     * @throws RpcConfigurationException when one is missing or invalid
     */
    Contents load() {
        List<X509Certificate> chain = certificates(SettingKeys.CERTIFICATE, certificate);
        requireValid(chain.getFirst());
        PrivateKey ownKey = privateKey();
        requirePair(ownKey, chain.getFirst());
        return new Contents(ownKey, chain, certificates(SettingKeys.TRUST, trust));
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
                    SettingKeys.CERTIFICATE,
                    certificate,
                    "expired at %s; renew it".formatted(own.getNotAfter().toInstant()),
                    e);
        } catch (CertificateNotYetValidException e) {
            throw wrong(
                    SettingKeys.CERTIFICATE,
                    certificate,
                    "is valid from %s only; check the clock of this host"
                            .formatted(own.getNotBefore().toInstant()),
                    e);
        }
    }

    private PrivateKey privateKey() {
        Matcher pem =
                PRIVATE_KEY.matcher(
                        new String(bytes(SettingKeys.KEY, key), StandardCharsets.ISO_8859_1));
        if (!pem.find() || !pem.group(1).isEmpty()) {
            throw wrong(
                    SettingKeys.KEY,
                    key,
                    "has no private key in PKCS #8 without a password; convert it with: openssl pkcs8 -topk8 -nocrypt",
                    null);
        }
        try {
            var spec = new PKCS8EncodedKeySpec(Base64.getMimeDecoder().decode(pem.group(2)));
            return privateKey(spec);
        } catch (GeneralSecurityException | IllegalArgumentException e) {
            throw wrong(
                    SettingKeys.KEY,
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
        String algorithm =
                switch (ownKey.getAlgorithm()) {
                    case "EC" -> "SHA256withECDSA";
                    case "RSA" -> "SHA256withRSA";
                    default -> ownKey.getAlgorithm();
                };
        boolean isPair;
        try {
            Signature signing = Signature.getInstance(algorithm);
            signing.initSign(ownKey);
            signing.update(own.getEncoded());
            byte[] signature = signing.sign();
            signing.initVerify(own.getPublicKey());
            signing.update(own.getEncoded());
            isPair = signing.verify(signature);
        } catch (GeneralSecurityException _) {
            isPair = false; // of another algorithm
        }
        if (!isPair) {
            throw wrong(
                    SettingKeys.KEY,
                    key,
                    "is not the key of the certificate in %s=%s"
                            .formatted(SettingKeys.CERTIFICATE, certificate),
                    null);
        }
    }

    @Override
    public String toString() {
        return "%s=%s, %s=%s, %s=%s"
                .formatted(
                        SettingKeys.CERTIFICATE,
                        certificate,
                        SettingKeys.KEY,
                        key,
                        SettingKeys.TRUST,
                        trust);
    }
}
