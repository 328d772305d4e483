package org.gradwire.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The workers' token: in a private file that is deleted with the run. */
class TokenIT {
    private static final String VARIABLE = "GRADWIRE_AUTHENTICATION_TOKEN";
    private static final String FILE_VARIABLE = "GRADWIRE_AUTHENTICATION_TOKEN_FILE";
    private static final String OWN = "a token that the user has chosen";
    private static final Duration SOON = Duration.ofSeconds(10);

    private static TestDistribution distribution;

    @BeforeAll
    static void createDistribution(@TempDir Path folder) throws Exception {
        distribution = TestDistribution.create(folder);
    }

    private static LaunchedProcess launch(Map<String, String> environment, String... args)
            throws IOException {
        var builder = new ProcessBuilder(distribution.command(args));
        builder.environment().putAll(environment);
        return LaunchedProcess.start(builder);
    }

    private static LaunchedProcess launchAndWait(Map<String, String> environment)
            throws IOException {
        return launch(
                environment,
                "run",
                "-n2",
                "steps",
                "env=" + VARIABLE,
                "env=" + FILE_VARIABLE,
                "pid",
                "wait");
    }

    /** Wait until both workers print the path of their token file, which must be the same. */
    private static Path tokenFile(LaunchedProcess run) throws InterruptedException {
        List<String> files = run.awaitOut(FILE_VARIABLE + "=(.*)", 2);
        assertEquals(files.getFirst(), files.getLast());
        return Path.of(files.getFirst());
    }

    private static String mode(Path file) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
    }

    /** {@return the processes whose command line or environment has a text} */
    private static List<Path> processesThatShow(String text) throws IOException {
        try (Stream<Path> entries = Files.list(Path.of("/proc"))) {
            return entries.filter(entry -> entry.getFileName().toString().matches("\\d+"))
                    .flatMap(entry -> Stream.of(entry.resolve("cmdline"), entry.resolve("environ")))
                    .filter(file -> content(file).contains(text))
                    .toList();
        }
    }

    private static String content(Path file) {
        try {
            return Files.readString(file, StandardCharsets.ISO_8859_1);
        } catch (IOException _) {
            return ""; // the process has ended
        }
    }

    private static void awaitGone(Path file) throws InterruptedException {
        long deadlineNanos = System.nanoTime() + SOON.toNanos();
        while (Files.exists(file)) {
            if (System.nanoTime() > deadlineNanos) {
                fail(file + " is still there after " + SOON);
            }
            Thread.sleep(10);
        }
    }

    @Test
    void newTokenIsReadableForThisUserOnlyAndVisibleInNoProcess() throws Exception {
        try (var run = launchAndWait(Map.of())) {
            Path file = tokenFile(run);
            run.awaitProcesses("pid", 2);
            String token = Files.readString(file).strip();
            assertEquals(43, token.length());
            assertEquals("rw-------", mode(file));
            assertEquals("rwx------", mode(file.resolveSibling("")));
            assertEquals(List.of(), processesThatShow(token));
            assertEquals(List.of("null", "null"), run.awaitOut(VARIABLE + "=(.*)", 2));
            run.signal("TERM");
            assertEquals(143, run.status());
            assertFalse(Files.exists(file.resolveSibling("")), "left: " + file.resolveSibling(""));
        }
    }

    @Test
    void anotherUserReadsNeitherTokenNorStore() throws Exception {
        assumeTrue(
                (int) Files.getAttribute(Path.of("/proc/self"), "unix:uid") == 0,
                "skipped: only root can act as another user");
        try (var run = launchAndWait(Map.of())) {
            Path file = tokenFile(run);
            for (String command : List.of("cat " + file, "ls " + file.resolveSibling(""))) {
                List<String> asNobody = new ArrayList<>(List.of("setpriv", "--reuid=65534"));
                asNobody.addAll(List.of("--regid=65534", "--clear-groups"));
                asNobody.addAll(List.of(command.split(" ")));
                var process = new ProcessBuilder(asNobody).redirectErrorStream(true).start();
                String said =
                        new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
                assertNotEquals(0, process.waitFor(), said);
                assertTrue(said.contains("Permission denied"), said);
            }
            run.signal("TERM");
            assertEquals(143, run.status());
        }
    }

    @Test
    void eachRunHasItsOwnTokenAndDeletesIt() throws Exception {
        List<String> files = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            try (var run = launch(Map.of(), "run", "-n1", "steps", "env=" + FILE_VARIABLE)) {
                assertEquals(0, run.status(), run.errText());
                files.addAll(run.awaitOut(FILE_VARIABLE + "=(.*)", 1));
            }
        }
        assertNotEquals(files.getFirst(), files.getLast());
        for (String file : files) {
            assertFalse(Files.exists(Path.of(file).getParent()), file);
        }
    }

    @Test
    void tokenIsDeletedWhenTheLauncherIsKilled() throws Exception {
        try (var run = launchAndWait(Map.of())) {
            Path file = tokenFile(run);
            List<ProcessHandle> workers = run.awaitProcesses("pid", 2);
            assertTrue(Files.exists(file));
            run.handle().destroyForcibly();
            awaitGone(file.resolveSibling(""));
            Processes.awaitEnd(workers, SOON);
        }
    }

    @Test
    void tokenInTheLaunchersEnvironmentIsPassedOnInAFile() throws Exception {
        try (var run = launchAndWait(Map.of(VARIABLE, OWN))) {
            Path file = tokenFile(run);
            run.awaitProcesses("pid", 2);
            assertEquals(OWN + "\n", Files.readString(file));
            assertEquals(List.of("null", "null"), run.awaitOut(VARIABLE + "=(.*)", 2));
            Path launchersOwn = Path.of("/proc/" + run.handle().pid() + "/environ");
            assertEquals(List.of(launchersOwn), processesThatShow(OWN));
        }
    }

    @Test
    void fileOfTheUserIsPassedOnAndKept(@TempDir Path folder) throws Exception {
        Path file = Files.writeString(folder.resolve("token"), OWN);
        try (var run =
                launch(
                        Map.of(),
                        "run",
                        "-n2",
                        "--world-size=4",
                        "--rendezvous=tcp://host.example:29500",
                        "--token-file=" + file,
                        "steps",
                        "env=" + FILE_VARIABLE)) {
            assertEquals(file, tokenFile(run));
            assertEquals(0, run.status(), run.errText());
        }
        assertEquals(OWN, Files.readString(file));
    }

    @Test
    void groupOfSeveralMachinesWithoutATokenDoesNotStart() throws Exception {
        String where = "--join=host.example:29500";
        try (var run =
                launch(
                        Map.of(),
                        "run",
                        "-n2",
                        where,
                        "--rank-offset=2",
                        "--world-size=4",
                        "steps",
                        "out=x")) {
            assertEquals(2, run.status());
            assertEquals(List.of(), run.out());
            assertTrue(run.errText().contains("./gradwire token FILE"), run.errText());
            assertTrue(run.errText().contains("--token-file FILE"), run.errText());
        }
    }

    @Test
    void tokenInTheCommandLineIsRefused() throws Exception {
        for (String arg :
                List.of(
                        "--env=" + VARIABLE + "=" + OWN,
                        "--jvm-arg=-Dgradwire.authentication-token=" + OWN)) {
            try (var run = launch(Map.of(), "run", arg, "steps", "out=x")) {
                assertEquals(2, run.status());
                assertEquals(List.of(), run.out());
                assertTrue(run.errText().contains("--token-file FILE"), run.errText());
                assertFalse(run.errText().contains(OWN), run.errText());
            }
        }
    }
}
