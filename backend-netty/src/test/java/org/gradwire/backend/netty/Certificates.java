package org.gradwire.backend.netty;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;

/**
 * A worker's certificate for a test: PEM files in a directory, signed by an authority of its own.
 */
record Certificates(Path certificate, Path key, Path trust, Instant end) {
    private static final String PASSWORD = "only-of-tests";

    /** Create an authority and a certificate that it signs. */
    static Certificates make(Path directory, String... validity) throws Exception {
        Files.createDirectories(directory);
        Path store = directory.resolve("keys.p12");
        keytool(store, "ca", "-ext", "bc:c");
        var arguments = new ArrayList<>(List.of("-signer", "ca"));
        arguments.addAll(List.of(validity));
        keytool(store, "worker", arguments.toArray(String[]::new));
        return export(
                directory, KeyStore.getInstance(store.toFile(), PASSWORD.toCharArray()), "worker");
    }

    /**
     * Create a certificate with a URI, signed by the authority that {@link #make} created.
     *
     * @param made the directory of the authority
     */
    static Certificates signed(Path made, String alias, String uri) throws Exception {
        Path store = made.resolve("keys.p12");
        keytool(store, alias, "-signer", "ca", "-ext", "san=uri:" + uri);
        Path directory = Files.createDirectories(made.resolve(alias));
        return export(
                directory, KeyStore.getInstance(store.toFile(), PASSWORD.toCharArray()), alias);
    }

    private static Certificates export(Path directory, KeyStore keys, String alias)
            throws IOException, GeneralSecurityException {
        var own = (X509Certificate) keys.getCertificate(alias);
        byte[] key = keys.getKey(alias, PASSWORD.toCharArray()).getEncoded();
        return new Certificates(
                pem(directory.resolve("certificate.pem"), "CERTIFICATE", own.getEncoded()),
                pem(directory.resolve("key.pem"), "PRIVATE KEY", key),
                pem(
                        directory.resolve("trust.pem"),
                        "CERTIFICATE",
                        keys.getCertificate("ca").getEncoded()),
                own.getNotAfter().toInstant());
    }

    private static void keytool(Path store, String alias, String... more) throws Exception {
        var command =
                new ArrayList<>(
                        List.of(
                                Path.of(System.getProperty("java.home"), "bin", "keytool")
                                        .toString(),
                                "-genkeypair",
                                "-keystore",
                                store.toString(),
                                "-storepass",
                                PASSWORD,
                                "-alias",
                                alias,
                                "-dname",
                                "CN=" + alias,
                                "-keyalg",
                                "EC"));
        command.addAll(List.of(more));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, process.waitFor(), output);
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
                "certificate",
                certificate.toString(),
                "key",
                key.toString(),
                "trust",
                trust.toString(),
                "host",
                "127.0.0.1",
                "connect-timeout",
                "20s");
    }

    /** {@return these settings with one changed} */
    Map<String, String> with(String key, String value) {
        var changed = new java.util.HashMap<>(settings());
        changed.put(key, value);
        return changed;
    }
}
