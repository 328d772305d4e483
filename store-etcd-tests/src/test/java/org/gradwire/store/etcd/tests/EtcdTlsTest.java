package org.gradwire.store.etcd.tests;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.rpc.RpcConfigurationException;
import org.gradwire.spi.Store;
import org.gradwire.spi.process.FreePort;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** An etcd with TLS, whose certificate is for {@code 127.0.0.1}. */
class EtcdTlsTest {
    private static final String PASSWORD = "for-this-test";

    @TempDir private static Path directory = Path.of("");
    private static Path certificate = Path.of("");
    private static int port;
    private static @Nullable Process server;

    @BeforeAll
    static void start() throws Exception {
        Path binary = EtcdCluster.binary();
        Path keys = directory.resolve("etcd.p12");
        makeKeys(keys);
        KeyStore store = KeyStore.getInstance(keys.toFile(), PASSWORD.toCharArray());
        certificate = pem("CERTIFICATE", store.getCertificate("etcd").getEncoded());
        Path key = pem("PRIVATE KEY", store.getKey("etcd", PASSWORD.toCharArray()).getEncoded());
        port = FreePort.choose();
        String client = "https://127.0.0.1:" + port;
        String peer = "http://127.0.0.1:" + FreePort.choose();
        server =
                new ProcessBuilder(
                                binary.toString(),
                                "--data-dir=" + directory.resolve("data"),
                                "--cert-file=" + certificate,
                                "--key-file=" + key,
                                "--listen-client-urls=" + client,
                                "--advertise-client-urls=" + client,
                                "--listen-peer-urls=" + peer,
                                "--initial-advertise-peer-urls=" + peer,
                                "--initial-cluster=default=" + peer)
                        .redirectErrorStream(true)
                        .redirectOutput(directory.resolve("etcd.log").toFile())
                        .start();
    }

    private static void makeKeys(Path keys) throws Exception {
        List<String> command =
                List.of(
                        Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                        "-genkeypair",
                        "-alias",
                        "etcd",
                        "-keyalg",
                        "EC",
                        "-dname",
                        "CN=etcd",
                        "-ext",
                        "san=ip:127.0.0.1",
                        "-keystore",
                        keys.toString(),
                        "-storepass",
                        PASSWORD);
        assertEquals(0, new ProcessBuilder(command).inheritIO().start().waitFor());
    }

    private static Path pem(String kind, byte[] bytes) throws Exception {
        String text = Base64.getMimeEncoder().encodeToString(bytes);
        return Files.writeString(
                directory.resolve(kind + ".pem"),
                "-----BEGIN %s-----%n%s%n-----END %s-----%n".formatted(kind, text, kind));
    }

    @AfterAll
    static void stop() throws Exception {
        if (server != null) {
            server.destroyForcibly().waitFor();
        }
    }

    private static Store open(String host, Duration timeout, Map<String, String> settings) {
        return EtcdStores.open("etcds://%s:%d/tls".formatted(host, port), 0, 0, timeout, settings);
    }

    @Test
    void itIsTrustedByTheSettingOfItsAuthorities() {
        var trust = Map.of("gradwire.etcd.trust", certificate.toString());
        try (Store store = open("127.0.0.1", EtcdStores.LONG, trust)) {
            store.set("key", new byte[] {1});
            assertArrayEquals(new byte[] {1}, store.get("key", EtcdStores.LONG));
        }
    }

    /** The server replies by then, as another store has shown. */
    @Test
    void anUnknownAuthorityAndAnotherNameAreRefused() {
        var trust = Map.of("gradwire.etcd.trust", certificate.toString());
        open("127.0.0.1", EtcdStores.LONG, trust).close();
        assertRefused("127.0.0.1", Map.of(), "PKIX path building failed");
        assertRefused("localhost", trust, "localhost");
    }

    private static void assertRefused(String host, Map<String, String> settings, String reason) {
        String text =
                assertThrows(
                                RpcConfigurationException.class,
                                () -> open(host, Duration.ofSeconds(3), settings))
                        .getMessage();
        assertTrue(text.contains(reason), text);
    }

    @Test
    void aFileWithoutCertificatesIsNamed() throws Exception {
        Path empty = Files.createFile(directory.resolve("empty.pem"));
        String text =
                assertThrows(
                                RpcConfigurationException.class,
                                () ->
                                        open(
                                                "127.0.0.1",
                                                EtcdStores.LONG,
                                                Map.of("gradwire.etcd.trust", empty.toString())))
                        .getMessage();
        assertTrue(
                text.startsWith("gradwire.etcd.trust=%s cannot be used: ".formatted(empty)), text);
        assertTrue(Objects.requireNonNull(server).isAlive());
    }
}
