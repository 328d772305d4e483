package org.gradwire.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** What the workers run, and what they are told. */
class ProgramIT {
    private static TestDistribution distribution;

    @BeforeAll
    static void createDistribution(@TempDir Path folder) throws Exception {
        distribution = TestDistribution.create(folder);
    }

    @Test
    void archiveOfClassesThatTheJvmCannotUseIsPassedOverInSilence(@TempDir Path folder)
            throws Exception {
        TestDistribution withArchive = TestDistribution.create(folder);
        Path home = withArchive.home();
        Files.writeString(home.resolve("lib.jsa"), "of another JVM");
        Files.writeString(home.resolve("lib.jsa.place"), home + "\n");
        assertEquals(2, new Distribution(home).classArchive().size());
        try (var run = withArchive.launch("run", "-n1", "--env=A=b", "steps", "env=A")) {
            assertEquals(0, run.status(), run.errText());
            assertEquals(List.of("worker0 | A=b"), run.out());
            assertEquals("", run.errText());
        }
    }

    @Test
    void workersFindTheirPlaceInTheirEnvironment() throws Exception {
        try (var run =
                distribution.launch(
                        "run",
                        "-n2",
                        "--backend=inproc",
                        "--env=A=b=c",
                        "steps",
                        "env=GRADWIRE_NAME",
                        "env=GRADWIRE_RANK",
                        "env=GRADWIRE_WORLD_SIZE",
                        "env=GRADWIRE_BACKEND",
                        "env=A",
                        "env=GRADWIRE_RENDEZVOUS")) {
            assertEquals(0, run.status(), run.errText());
            for (int rank : List.of(0, 1)) {
                String prefix = "worker" + rank + " | ";
                List<String> lines =
                        run.out().stream().filter(line -> line.startsWith(prefix)).toList();
                assertEquals(
                        Stream.of(
                                        "GRADWIRE_NAME=worker" + rank,
                                        "GRADWIRE_RANK=" + rank,
                                        "GRADWIRE_WORLD_SIZE=2",
                                        "GRADWIRE_BACKEND=inproc",
                                        "A=b=c")
                                .map(prefix::concat)
                                .toList(),
                        lines.subList(0, 5));
                assertTrue(
                        lines.get(5)
                                .matches(
                                        ".*GRADWIRE_RENDEZVOUS=file:///.*/gradwire-run-\\d+/store"),
                        lines.get(5));
            }
            assertEquals(
                    1,
                    run.out().stream()
                            .filter(line -> line.contains("RENDEZVOUS"))
                            .map(line -> line.substring(line.indexOf("file")))
                            .distinct()
                            .count());
        }
    }

    @Test
    void secondLauncherJoinsWithItsOwnRanks() throws Exception {
        try (var run =
                distribution.launch(
                        "run",
                        "-n2",
                        "--join=host.example:29500",
                        "--rank-offset=2",
                        "--world-size=4",
                        "--env=GRADWIRE_INSECURE=true",
                        "steps",
                        "env=GRADWIRE_NAME",
                        "env=GRADWIRE_WORLD_SIZE",
                        "env=GRADWIRE_RENDEZVOUS")) {
            assertEquals(0, run.status(), run.errText());
            assertEquals(
                    List.of(
                            "worker2 | GRADWIRE_NAME=worker2",
                            "worker2 | GRADWIRE_RENDEZVOUS=tcp://host.example:29500",
                            "worker2 | GRADWIRE_WORLD_SIZE=4",
                            "worker3 | GRADWIRE_NAME=worker3",
                            "worker3 | GRADWIRE_RENDEZVOUS=tcp://host.example:29500",
                            "worker3 | GRADWIRE_WORLD_SIZE=4"),
                    run.out().stream().sorted().toList());
        }
    }

    @Test
    void tableOfProgramsTellsWorkersAndPrefix() throws Exception {
        try (var steps = distribution.launch("run", "steps", "out=x");
                var plain = distribution.launch("run", "plain", "out=x")) {
            assertEquals(0, steps.status(), steps.errText());
            assertEquals(3, steps.out().size());
            assertEquals(0, plain.status(), plain.errText());
            assertEquals(List.of("x", "x"), plain.out());
        }
    }

    @Test
    void mainClassIsNamedDirectlyAndArgumentsPassUnchanged() throws Exception {
        try (var run =
                distribution.launch(
                        "run",
                        "-n1",
                        "test.programs/test.programs.Steps",
                        "out=--workers",
                        "out=@x",
                        "out=ä b",
                        "--help")) {
            assertEquals(1, run.status());
            assertEquals(
                    List.of("worker0 | --workers", "worker0 | @x", "worker0 | ä b"), run.out());
            assertTrue(run.errText().contains("IllegalArgumentException: --help"), run.errText());
        }
    }

    @Test
    void unknownProgramIsAnErrorThatListsThoseThereAre() throws Exception {
        try (var run = distribution.launch("run", "tarin")) {
            assertEquals(2, run.status());
            assertEquals(
                    List.of(
                            "gradwire: no program 'tarin'; expected module/main.Class or one of",
                            "  plain",
                            "  steps  Do what the arguments say"),
                    run.err());
        }
    }

    @Test
    void mainClassThatDoesNotExistIsReportedByTheWorker() throws Exception {
        try (var run = distribution.launch("run", "-n1", "test.programs/test.programs.Nothing")) {
            assertEquals(1, run.status());
            assertTrue(run.errText().contains("test.programs.Nothing"), run.errText());
        }
    }

    @Test
    void usersOwnModulesAreOnTheModulePath(@TempDir Path folder) throws Exception {
        Path module = folder.resolve("other.programs");
        TestDistribution.compile("other.programs", module);
        try (var named =
                        distribution.launch(
                                "run",
                                "-n1",
                                "-p",
                                folder.toString(),
                                "other.programs/other.programs.Hello");
                var listed =
                        distribution.launch(
                                "run", "-n1", "-p", module.toString(), "hello", "you")) {
            assertEquals(0, named.status(), named.errText());
            assertEquals(List.of("worker0 | hello []"), named.out());
            assertEquals(0, listed.status(), listed.errText());
            assertEquals(List.of("worker0 | hello [you]"), listed.out());
        }
    }

    @Test
    void modulePathThatDoesNotExistIsAnError() throws Exception {
        try (var run = distribution.launch("run", "-p", "/no/such", "steps")) {
            assertEquals(2, run.status());
            assertEquals(List.of("gradwire: --module-path: there is no /no/such"), run.err());
        }
    }

    @Test
    void benchRunsTheProgramOfItsOwnFolderWithEveryArgument(@TempDir Path folder) throws Exception {
        var own = TestDistribution.create(folder);
        Path module = own.home().resolve("bench-lib/other.programs");
        TestDistribution.compile("other.programs", module);
        Files.writeString(
                module.resolve("META-INF/gradwire/programs.properties"),
                "bench=other.programs/other.programs.Hello\nbench.workers=1\nbench.prefix=false\n");
        try (var run = own.launch("bench", "--quick", "--json", "x")) {
            assertEquals(0, run.status(), run.errText());
            assertEquals(List.of("hello [--quick, --json, x]"), run.out());
        }
    }
}
