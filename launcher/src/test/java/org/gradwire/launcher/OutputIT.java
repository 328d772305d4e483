package org.gradwire.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** The launcher's presentation of workers' output without a terminal. */
class OutputIT {
    private static TestDistribution distribution;

    @BeforeAll
    static void createDistribution(@TempDir Path folder) throws Exception {
        distribution = TestDistribution.create(folder);
    }

    private static LaunchedProcess steps(int workers, String... steps) throws Exception {
        List<String> args = new ArrayList<>(List.of("run", "-n", "" + workers, "steps"));
        args.addAll(List.of(steps));
        return distribution.launch(args.toArray(String[]::new));
    }

    @Test
    void everyLineIsOnItsStreamWithItsWorkersName() throws Exception {
        try (var run = steps(3, "out=first", "err=problem", "out=", "2@out=last")) {
            assertEquals(0, run.status(), run.errText());
            assertEquals(List.of("worker0 | first", "worker0 | "), linesOf("worker0", run.out()));
            assertEquals(List.of("worker1 | first", "worker1 | "), linesOf("worker1", run.out()));
            assertEquals(
                    List.of("worker2 | first", "worker2 | ", "worker2 | last"),
                    linesOf("worker2", run.out()));
            assertEquals(7, run.out().size(), run.out().toString());
            assertEquals(
                    List.of("worker0 | problem", "worker1 | problem", "worker2 | problem"),
                    run.err().stream().sorted().toList());
        }
    }

    @Test
    void namesArePaddedToOneWidth() throws Exception {
        try (var run =
                distribution.launch(
                        "run",
                        "-n2",
                        "--rank-offset=9",
                        "--world-size=11",
                        "--name-prefix=w",
                        "--rendezvous=tcp://127.0.0.1:9",
                        "--env=GRADWIRE_INSECURE=true",
                        "steps",
                        "out=x")) {
            assertEquals(0, run.status(), run.errText());
            assertEquals(List.of("w10 | x", "w9  | x"), run.out().stream().sorted().toList());
        }
    }

    @Test
    void concurrentLinesAreNeverTorn() throws Exception {
        try (var run = steps(4, "flood=1000")) {
            assertEquals(0, run.status(), run.errText());
            String filler = "åßç✓🙂".repeat(40);
            for (String worker : List.of("worker0", "worker1", "worker2", "worker3")) {
                assertEquals(expected(worker, "out", filler), linesOf(worker, run.out()));
                assertEquals(expected(worker, "err", filler), linesOf(worker, run.err()));
            }
            assertEquals(4000, run.out().size());
            assertEquals(4000, run.err().size());
        }
    }

    private static List<String> expected(String worker, String stream, String filler) {
        return IntStream.range(0, 1000)
                .mapToObj(i -> "%s | %s %d %s end".formatted(worker, stream, i, filler))
                .toList();
    }

    @Test
    void lastLineNeedsNoEnd() throws Exception {
        try (var run = steps(1, "out=whole", "raw=no end")) {
            assertEquals(0, run.status(), run.errText());
            assertEquals(List.of("worker0 | whole", "worker0 | no end"), run.out());
        }
    }

    @Test
    void progressIsThinnedOutAndItsLastStateIsKept() throws Exception {
        String bar = "";
        for (int i = 1; i <= 50; i++) {
            bar += "step " + i + "\\r";
        }
        try (var run = steps(1, "raw=" + bar, "out=done", "raw=epoch 1\\repoch 2\\r")) {
            assertEquals(0, run.status(), run.errText());
            List<String> lines = run.out();
            assertTrue(lines.getFirst().matches("worker0 \\| step \\d+"), lines.toString());
            assertEquals("worker0 | epoch 2", lines.getLast());
            assertTrue(lines.contains("worker0 | done"), lines.toString());
            assertTrue(lines.size() <= 4, lines.toString());
        }
    }

    @Test
    void warningOfTheVectorModuleIsLeftOut() throws Exception {
        try (var run =
                distribution.launch(
                        "run",
                        "-n1",
                        "--jvm-arg=--add-modules=jdk.incubator.vector",
                        "steps",
                        "err=WARNING: Using incubator modules: others",
                        "out=x")) {
            assertEquals(0, run.status(), run.errText());
            assertEquals(List.of("worker0 | WARNING: Using incubator modules: others"), run.err());
        }
    }

    @Test
    void linesHaveNoPrefixWithoutOne() throws Exception {
        try (var run = distribution.launch("run", "-n2", "--no-prefix", "steps", "out=x")) {
            assertEquals(0, run.status(), run.errText());
            assertEquals(List.of("x", "x"), run.out());
        }
    }

    @Test
    void groupEndsWhenItsOutputIsClosed() throws Exception {
        List<String> command = new ArrayList<>();
        command.addAll(List.of("bash", "-c", "\"$@\" | head -n 1; exit ${PIPESTATUS[0]}", "bash"));
        command.addAll(distribution.command("run", "-n2", "steps", "flood=100000", "wait"));
        try (var run = LaunchedProcess.start(new ProcessBuilder(command))) {
            assertEquals(141, run.status(), run.errText());
            assertEquals(1, run.out().size());
        }
    }

    private static List<String> linesOf(String worker, List<String> lines) {
        return lines.stream().filter(line -> line.startsWith(worker + " ")).toList();
    }
}
