package org.gradwire.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.launcher.console.ExitStatus;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Workers that fail and are started again. */
class RestartIT {
    private static TestDistribution distribution;

    @BeforeAll
    static void createDistribution(@TempDir Path folder) throws Exception {
        distribution = TestDistribution.create(folder);
    }

    private static LaunchedProcess run(String options, String... steps) throws Exception {
        List<String> args = new ArrayList<>(List.of("run", "--grace=2s"));
        args.addAll(List.of(options.split(" ")));
        args.add("steps");
        args.addAll(List.of(steps));
        return distribution.launch(args.toArray(String[]::new));
    }

    private static long linesWith(LaunchedProcess run, String text) {
        return run.out().stream().filter(line -> line.contains(text)).count();
    }

    @Test
    void killedWorkerIsStartedAgainWhileTheOthersContinue() throws Exception {
        try (var run =
                run(
                        "-n 2 --restarts 3",
                        "ready",
                        "env=GRADWIRE_RESTART",
                        "env=GRADWIRE_GROUP",
                        "1@0#pid",
                        "1@0#wait")) {
            run.awaitProcesses("pid", 1).getFirst().destroyForcibly();
            assertEquals(0, run.status(), run.errText());
            assertEquals(2, linesWith(run, "GRADWIRE_RESTART=0"), run.out().toString());
            assertEquals(1, linesWith(run, "GRADWIRE_RESTART=1"), run.out().toString());
            assertEquals(3, linesWith(run, "GRADWIRE_GROUP=dynamic"), run.out().toString());
            assertTrue(
                    run.errText()
                            .matches(
                                    "(?s).*gradwire: worker1 \\(process \\d+\\) failed: ended by SIGKILL"
                                            + " \\(137\\), \\d+\\.\\d s after its start; it is restarted"
                                            + " \\(restart 1 of 3\\)\n"
                                            + "gradwire: finished after 1 restarts\n?"),
                    run.errText());
        }
    }

    @Test
    void workerThatNeverJoinedIsNotStartedAgain() throws Exception {
        try (var run = run("-n 2 --restarts 3", "1@exit=5", "wait")) {
            assertEquals(5, run.status());
            assertTrue(
                    run.errText()
                            .contains(
                                    "gradwire: it is not restarted: it had not joined its group, so a"
                                            + " restart would probably fail too"),
                    run.errText());
        }
    }

    @Test
    void runEndsWhenItsRestartsAreUsed() throws Exception {
        try (var run = run("-n 1 --restarts 2", "ready", "out=begun", "exit=9")) {
            assertEquals(9, run.status());
            assertEquals(3, linesWith(run, "begun"), run.out().toString());
            assertTrue(
                    run.errText().contains("it is not restarted: 2 of 2 restarts are used"),
                    run.errText());
        }
    }

    @Test
    void workerThatFailsAfterItHasLeftIsNotStartedAgain() throws Exception {
        try (var run =
                run("-n 2 --restarts 3", "ready", "left", "1@exit=9", "pid", "0@out=end", "wait")) {
            ProcessHandle other = run.awaitProcesses("pid", 1).getFirst();
            run.awaitErr("it is not restarted, as it had left its group; the run continues with 1");
            assertTrue(other.isAlive());
            other.destroyForcibly();
            assertEquals(137, run.status(), run.errText());
            assertTrue(
                    run.errText().contains("it is not restarted: it had left its group"),
                    run.errText());
        }
    }

    @Test
    void runContinuesWithTheLeastNumberOfWorkers() throws Exception {
        try (var run =
                run("-n 1..2 --restarts 0", "ready", "1@exit=9", "pid", "0@out=end", "wait")) {
            ProcessHandle other = run.awaitProcesses("pid", 1).getFirst();
            run.awaitErr(
                    "it is not restarted, as 0 of 0 restarts are used; the run continues with 1");
            assertTrue(other.isAlive());
            other.destroyForcibly();
            assertEquals(137, run.status(), run.errText());
        }
    }

    @Test
    void allWorkersAreStartedAgainAsANewGroup() throws Exception {
        try (var run =
                run(
                        "-n 2 --restarts 1 --on-failure restart-all",
                        "ready",
                        "env=GRADWIRE_RENDEZVOUS",
                        "env=GRADWIRE_GROUP",
                        "1@0#exit=3",
                        "0#wait")) {
            assertEquals(0, run.status(), run.errText());
            assertEquals(2, linesWith(run, "/store-1"), run.out().toString());
            assertEquals(4, linesWith(run, "GRADWIRE_GROUP=null"), run.out().toString());
            assertTrue(
                    run.errText().contains("; all workers are restarted (restart 1 of 1)"),
                    run.errText());
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "-n 2 --restarts x | --restarts x must be a number, or a number in a time such as 10/1h",
                "-n 2 --on-failure again | --on-failure again must be restart-worker, restart-all or end",
                "-n 2..1 | '2..1' must begin with 1 or more, and end with no less",
                "-n 2 --standbys 1 | --standbys 1 must be 0, or a number of processes with --restarts N",
                "-n 2 --restarts 1 --standbys -1 | --standbys -1 must be 0",
                "-n 2 --restarts 1 --on-failure restart-all --standbys 1 | --standbys 1 must be 0",
                "-n 2 --restarts 1 --rendezvous tcp://127.0.0.1:29999 | workers that are restarted need a rendezvous that outlives rank 0, unlike tcp://127.0.0.1:29999",
            })
    void contradictionIsRefused(String options, String message) throws Exception {
        try (var run = run(options, "out=begun")) {
            assertEquals(ExitStatus.BAD_USAGE, run.status());
            assertTrue(run.errText().contains(message), run.errText());
            assertFalse(run.out().toString().contains("begun"));
        }
    }
}
