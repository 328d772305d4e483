package org.gradwire.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.spi.process.FreePort;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** {@code run --secure}: each worker has a certificate of the run. */
class SecureIT {
    private static final String CERTIFICATE = "GRADWIRE_CERTIFICATE";
    private static final String IDENTITY = "GRADWIRE_IDENTITY";
    private static final Pattern LINE = Pattern.compile("(worker\\d) *\\| (\\w+)=(.*)");

    private static TestDistribution distribution;

    @BeforeAll
    static void createDistribution(@TempDir Path folder) throws Exception {
        distribution = TestDistribution.create(folder);
    }

    @Test
    void eachWorkerHasACertificateWithItsNameUntilTheRunEnds() throws Exception {
        try (var run =
                distribution.launch(
                        "run",
                        "-n2",
                        "--secure",
                        "steps",
                        "env=" + CERTIFICATE,
                        "env=" + IDENTITY,
                        "wait")) {
            run.awaitOut(IDENTITY + "=(.*)", 2);
            Map<String, String> found = values(run.out());
            String identity = value(found, "worker0" + IDENTITY);
            assertEquals(identity, found.get("worker1" + IDENTITY));
            assertTrue(identity.matches("spiffe://gradwire/[-0-9a-f]{36}/\\{worker}"), identity);
            for (String worker : List.of("worker0", "worker1")) {
                Path certificate = Path.of(value(found, worker + CERTIFICATE));
                assertEquals(
                        List.of(List.of(6, identity.replace("{worker}", worker))),
                        List.copyOf(read(certificate).getSubjectAlternativeNames()));
            }
            Path folder = Path.of(value(found, "worker0" + CERTIFICATE)).getParent();
            try (Stream<Path> files = Files.list(folder)) {
                List<Path> all = files.toList();
                assertEquals(5, all.size(), "the authority's key is deleted: " + all);
                for (Path file : all) {
                    assertEquals("rw-------", mode(file), file::toString);
                }
            }
            run.signal("TERM");
            assertNotEquals(0, run.status());
            assertFalse(Files.exists(folder), "left: " + folder);
        }
    }

    private static String value(Map<String, String> found, String key) {
        return Objects.requireNonNull(found.get(key), () -> key + " is not in " + found);
    }

    private static X509Certificate read(Path file) throws Exception {
        try (var in = Files.newInputStream(file)) {
            return (X509Certificate)
                    CertificateFactory.getInstance("X.509").generateCertificate(in);
        }
    }

    private static String mode(Path file) throws Exception {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
    }

    /** Two launchers, as on two machines: certificates of one authority, and one token. */
    @Test
    void aSecondLauncherGetsCertificatesWithAJoinToken(@TempDir Path folder) throws Exception {
        Path token = folder.resolve("join.token");
        int port = FreePort.choose();
        try (var first =
                distribution.launch(
                        "run",
                        "-n1",
                        "--secure",
                        "--world-size=2",
                        "--rendezvous=tcp://127.0.0.1:" + port,
                        "--join-token-file=" + token,
                        "steps",
                        "env=" + CERTIFICATE,
                        "env=" + IDENTITY,
                        "wait")) {
            first.awaitOut(IDENTITY + "=(.*)", 1);
            try (var second =
                    distribution.launch(
                            "run",
                            "-n1",
                            "--secure",
                            "--world-size=2",
                            "--rank-offset=1",
                            "--join=127.0.0.1:" + port,
                            "--join-token-file=" + token,
                            "steps",
                            "env=" + CERTIFICATE,
                            "env=" + IDENTITY,
                            "wait")) {
                second.awaitOut(IDENTITY + "=(.*)", 1);
                Map<String, String> found = values(first.out());
                found.putAll(values(second.out()));
                String identity = value(found, "worker0" + IDENTITY);
                assertEquals(identity, found.get("worker1" + IDENTITY));
                for (String worker : List.of("worker0", "worker1")) {
                    Path certificate = Path.of(value(found, worker + CERTIFICATE));
                    assertEquals(
                            List.of(List.of(6, identity.replace("{worker}", worker))),
                            List.copyOf(read(certificate).getSubjectAlternativeNames()));
                }
                assertFalse(Files.exists(token), "all workers have certificates");
                Path own = Path.of(value(found, "worker0" + CERTIFICATE));
                assertFalse(
                        Files.exists(own.resolveSibling("authority.p12")), "nor is the authority");
                second.signal("TERM");
                assertNotEquals(0, second.status());
            }
            first.signal("TERM");
            assertNotEquals(0, first.status());
        }
    }

    private static Map<String, String> values(List<String> lines) {
        Map<String, String> found = new HashMap<>();
        for (String line : lines) {
            Matcher parts = LINE.matcher(line);
            if (parts.find()) {
                found.put(parts.group(1) + parts.group(2), parts.group(3));
            }
        }
        return found;
    }

    @Test
    void aPartOfAGroupNeedsAJoinToken() throws Exception {
        try (var run =
                distribution.launch(
                        "run",
                        "-n2",
                        "--secure",
                        "--world-size=4",
                        "--env=GRADWIRE_INSECURE=true",
                        "--rendezvous=tcp://host.example:29500",
                        "steps")) {
            assertEquals(2, run.status());
            assertTrue(run.errText().contains("--join-token-file"), run.errText());
        }
    }
}
