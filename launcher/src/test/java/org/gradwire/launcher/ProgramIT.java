package org.gradwire.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The program of the workers, its arguments and environment. */
class ProgramIT {
    private static TestDistribution distribution;

    @BeforeAll
    static void createDistribution(@TempDir Path folder) throws Exception {
        distribution = TestDistribution.create(folder);
    }

    @Test
    void unusableClassArchiveIsIgnoredSilently(@TempDir Path folder) throws Exception {
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
    void workersReadTheirRankFromTheirEnvironment() throws Exception {
        try (var run =
                distribution.launch(
                        "run",
                        "-n2",
                        "--backend=tensorpipe",
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
                                        "GRADWIRE_BACKEND=tensorpipe",
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
    void programTableSetsWorkersAndPrefix() throws Exception {
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
    void unknownProgramIsAnErrorThatListsTheKnownOnes() throws Exception {
        try (var run = distribution.launch("run", "tarin")) {
            assertEquals(2, run.status());
            assertEquals(
                    List.of(
                            "gradwire: no program 'tarin'; expected module/main.Class or one of",
                            "  plain",
                            "  steps  Run the steps in the arguments"),
                    run.err());
        }
    }

    @Test
    void unknownProgramGetsASuggestion() throws Exception {
        try (var run = distribution.launch("run", "stpes")) {
            assertEquals(2, run.status());
            assertEquals(
                    "gradwire: no program 'stpes' (did you mean 'steps'?); expected"
                            + " module/main.Class or one of",
                    run.err().getFirst());
        }
    }

    @Test
    void unknownOptionGetsASuggestion() throws Exception {
        try (var run = distribution.launch("run", "--worker=3", "steps")) {
            assertEquals(2, run.status());
            assertEquals(
                    List.of(
                            "gradwire: Unknown option: '--worker=3' (did you mean '--workers'?)",
                            "See: ./gradwire run --help"),
                    run.err());
        }
    }

    @Test
    void launcherOptionAfterTheProgramIsPassedOnWithAWarning() throws Exception {
        try (var run = distribution.launch("run", "-n1", "steps", "out=x", "--workers", "3")) {
            assertEquals(1, run.status());
            assertEquals(
                    "gradwire: --workers comes after the program and is passed to it; for the"
                            + " launcher put it before: ./gradwire run --workers 3 steps",
                    run.err().getFirst());
            assertEquals(List.of("worker0 | x"), run.out());
        }
    }

    @Test
    void inprocIsRefusedForSeveralProcesses() throws Exception {
        Map<String, String> places =
                Map.of(
                        "--backend=inproc",
                        "--backend",
                        "--jvm-arg=-Dgradwire.backend=inproc",
                        "-Dgradwire.backend=inproc",
                        "--env=GRADWIRE_BACKEND=inproc",
                        "GRADWIRE_BACKEND");
        for (var place : places.entrySet()) {
            try (var run = distribution.launch("run", "-n2", place.getKey(), "steps", "out=x")) {
                assertEquals(2, run.status());
                assertEquals(
                        List.of(
                                "gradwire: the backend inproc connects workers of one JVM, but each of these 2 workers is a separate process: leave %s out, or name tensorpipe"
                                        .formatted(place.getValue())),
                        run.err());
                assertEquals(List.of(), run.out());
            }
        }
        try (var alone = distribution.launch("run", "-n1", "--backend=inproc", "steps", "out=x")) {
            assertEquals(0, alone.status(), alone.errText());
        }
    }

    @Test
    void missingModuleIsRefusedWithTheOptionForIt(@TempDir Path folder) throws Exception {
        try (var run =
                distribution.launch("run", "-p", folder.toString(), "my.module/my.module.Main")) {
            assertEquals(2, run.status());
            assertEquals(
                    List.of(
                            "gradwire: there is no module my.module in %s or %s; name the folder or jar that holds it: -p PATH, before the program"
                                    .formatted(distribution.lib(), folder)),
                    run.err());
        }
    }

    @Test
    void moduleOfAnotherFolderOfTheDistributionIsRefusedWithThatFolder(@TempDir Path folder)
            throws Exception {
        TestDistribution own = TestDistribution.create(folder);
        Path extra = own.home().resolve("other-lib");
        TestDistribution.compile("other.programs", extra.resolve("other.programs"));
        try (var run = own.launch("run", "other.programs/other.programs.Hello")) {
            assertEquals(2, run.status());
            assertEquals(
                    List.of(
                            "gradwire: there is no module other.programs in %s; it is in %s, so add -p %s, before the program"
                                    .formatted(own.lib(), extra, extra)),
                    run.err());
        }
    }

    @Test
    void missingRequiredModuleIsReportedWithTheOptionForIt() throws Exception {
        try (var run =
                distribution.launch("run", "-n1", "--jvm-arg=--add-modules=no.such", "steps")) {
            assertEquals(1, run.status());
            List<String> report =
                    run.err().stream().filter(line -> !line.contains("failed first")).toList();
            assertEquals(
                    List.of(
                            "gradwire: it printed nothing on standard error; its last lines on standard output:",
                            "    Error occurred during initialization of boot layer",
                            "    java.lang.module.FindException: Module no.such not found",
                            "gradwire: name the folder or jar that holds module no.such, before the program: -p PATH"),
                    report);
        }
    }

    @Test
    void missingMainClassIsReportedByTheWorker() throws Exception {
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
    void missingModulePathIsAnError() throws Exception {
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
