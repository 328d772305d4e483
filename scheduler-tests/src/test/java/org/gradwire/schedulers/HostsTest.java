package org.gradwire.schedulers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** {@code gradwire hosts}, over two hosts with servers of ssh. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class HostsTest {
    private static final String TOKEN_FILE = "GRADWIRE_AUTHENTICATION_TOKEN_FILE=";

    private @Nullable SshHosts network;

    @BeforeAll
    void createHosts(@TempDir Path folder) throws Exception {
        Project.require(true, "ip", "ssh", "ssh-keygen", "sshd");
        network = SshHosts.create(folder);
    }

    @AfterAll
    void removeHosts() {
        if (network != null) {
            network.close();
        }
    }

    private SshHosts network() {
        return Objects.requireNonNull(network);
    }

    private static String encoded(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    private static Set<String> sorted(Stream<String> lines) {
        return lines.collect(Collectors.toCollection(TreeSet::new));
    }

    /** Start a run whose workers wait, two on each host. */
    private Run waiting() throws Exception {
        return waiting(4, "h1,h2", "--workers=2");
    }

    private Run waiting(int workers, String... options) throws Exception {
        Run run = network().probe(List.of(options), "wait");
        Run.await("all workers", () -> !run.isAlive() || waitingWorkers(run) == workers);
        assertTrue(run.isAlive(), () -> run.output() + network().errors());
        return run;
    }

    private static long waitingWorkers(Run run) {
        return run.output().lines().filter(line -> line.endsWith("waiting")).count();
    }

    @Test
    void workersOfTwoHostsCallEachOther() throws Exception {
        try (Run run = network().hosts("h1,h2", "-n", "2", "--", "hello")) {
            assertEquals(0, run.awaitStatus(), () -> run.output() + network().errors());
            assertEquals("worker0 | " + Project.GREETING + "\n", run.output());
        }
        network().awaitNothingLeft();
    }

    @Test
    void argumentsArriveUnchangedAndEachLineOnceOnItsStream() throws Exception {
        List<String> odd =
                List.of(
                        "",
                        "two words",
                        "a'b\"c",
                        "$HOME `id` \\",
                        "line\nbreak",
                        "--",
                        "--workers",
                        "-x",
                        "*",
                        "ünï",
                        "~",
                        "a;b|c&d>e#f!g",
                        "%s");
        String added = "x y='$z'";
        try (Run run =
                network()
                        .probe(
                                List.of("h1:1,h2", "--workers=2", "--env=ADDED=" + added),
                                odd.toArray(String[]::new))) {
            assertEquals(0, run.awaitStatus(), () -> run.output() + network().errors());
            for (int rank = 0; rank < 3; rank++) {
                String prefix = "worker" + rank + " | ";
                Stream<String> first =
                        Stream.of(rank + " of 3 with a token, added " + encoded(added));
                Stream<String> rest = odd.stream().map(text -> "argument " + encoded(text));
                assertEquals(
                        Stream.concat(first, rest).map(prefix::concat).toList(),
                        run.output().lines().filter(line -> line.startsWith(prefix)).toList());
            }
            assertEquals(3L * (1 + odd.size()), run.output().lines().count(), run::output);
            assertEquals(
                    sorted(IntStream.range(0, 3).mapToObj(i -> "worker" + i + " | error of " + i)),
                    sorted(network().errors().lines().filter(line -> line.startsWith("worker"))));
        }
        network().awaitNothingLeft();
    }

    @Test
    void workersGetCertificates() throws Exception {
        // They wait, since the first host gives certificates to the others while its workers run.
        try (Run run = waiting(2, "h1,h2", "--secure")) {
            String added = encoded("null");
            assertEquals(
                    sorted(
                            IntStream.range(0, 2)
                                    .mapToObj(rank ->
                                            "worker%d | %d of 2 with a certificate, added %s"
                                                    .formatted(rank, rank, added))),
                    sorted(run.output().lines().filter(line -> line.contains(" of 2 with "))));
            run.signal("TERM");
            assertEquals(143, run.awaitStatus(), () -> network().errors());
        }
        network().awaitNothingLeft();
    }

    @Test
    void failureOfAWorkerEndsAllAndIsReported() throws Exception {
        try (Run run = network().probe(List.of("h1,h2", "--workers=2"), "fail", "3", "3")) {
            assertEquals(3, run.awaitStatus(), () -> run.output() + network().errors());
            List<String> errors = network().errors().lines().toList();
            assertEquals(
                    "gradwire: worker3 on h2 failed first: exit code 3; h1 ended when asked (143)",
                    errors.getLast());
            assertTrue(
                    errors.stream()
                            .anyMatch(line ->
                                    line.matches(
                                            "gradwire: h2: worker3 \\(process \\d+\\) failed first: exit code 3, .*")),
                    errors::toString);
        }
        network().awaitNothingLeft();
    }

    @Test
    void secretIsInNoCommandLineAndNoEnvironment() throws Exception {
        try (Run run = waiting()) {
            List<String> visible = network().processes().stream().map(HostsTest::visible).toList();
            Set<String> files =
                    sorted(
                            visible.stream()
                                    .flatMap(text -> Stream.of(text.split("\0")))
                                    .filter(entry -> entry.startsWith(TOKEN_FILE))
                                    .map(entry -> entry.substring(TOKEN_FILE.length())));
            assertEquals(2, files.size(), "token files, one for each host: " + files);
            for (String file : files) {
                String token = Files.readString(Path.of(file)).strip();
                assertEquals(43, token.length());
                assertTrue(visible.stream().noneMatch(text -> text.contains(token)));
            }
            run.signal("TERM");
            run.awaitStatus();
        }
        network().awaitNothingLeft();
    }

    /** {@return the command line and the environment of a process; empty if it has ended} */
    private static String visible(ProcessHandle process) {
        Path folder = Path.of("/proc/" + process.pid());
        try {
            return Files.readString(folder.resolve("cmdline"), StandardCharsets.ISO_8859_1)
                    + "\0"
                    + Files.readString(folder.resolve("environ"), StandardCharsets.ISO_8859_1);
        } catch (IOException _) {
            return "";
        }
    }

    @Test
    void signalEndsAllHosts() throws Exception {
        try (Run run = waiting()) {
            run.signal("TERM");
            assertEquals(143, run.awaitStatus(), () -> network().errors());
            assertEquals(
                    "gradwire: stopped by a signal; h1 ended when asked (143); h2 ended when asked (143)",
                    network().errors().lines().toList().getLast());
        }
        network().awaitNothingLeft();
    }

    @Test
    void killedLauncherLeavesNothing() throws Exception {
        try (Run run = waiting()) {
            run.signal("KILL");
            assertEquals(137, run.awaitStatus());
        }
        network().awaitNothingLeft();
    }

    @Test
    void brokenConnectionEndsAllHosts() throws Exception {
        try (Run run = waiting()) {
            ProcessHandle second =
                    run.children().stream()
                            .filter(child -> visible(child).contains("\0h2\0"))
                            .findFirst()
                            .orElseThrow();
            second.destroyForcibly();
            assertEquals(137, run.awaitStatus(), () -> network().errors());
            assertTrue(
                    network().errors().contains("gradwire: the launcher on h2 failed"),
                    () -> network().errors());
        }
        network().awaitNothingLeft();
    }

    @Test
    void unreachableHostEndsTheOthersAndIsNamed() throws Exception {
        try (Run run = network().probe(List.of("h1,h0"), "wait")) {
            assertEquals(126, run.awaitStatus(), () -> network().errors());
            String errors = network().errors();
            assertTrue(
                    errors.contains(
                            "gradwire: h0 cannot be reached: ssh: connect to host h0 port 22: Connection refused"),
                    errors);
        }
        network().awaitNothingLeft();
    }

    @Test
    void hostWithoutGradwireIsNamed() throws Exception {
        try (Run run = network().probe(List.of("h1", "--directory=/nowhere at all"))) {
            assertEquals(2, run.awaitStatus(), () -> network().errors());
            assertTrue(
                    network()
                            .errors()
                            .startsWith(
                                    "gradwire: h1: there is no program /nowhere at all/gradwire: copy Gradwire to this host, or name its directory with --directory DIR\n"),
                    () -> network().errors());
        }
        network().awaitNothingLeft();
    }
}
