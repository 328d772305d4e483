package org.gradwire.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The end of a group: by a failure, by a signal, with its launcher. */
class GroupIT {
    private static final Duration SOON = Duration.ofSeconds(2);

    private static TestDistribution distribution;

    @BeforeAll
    static void createDistribution(@TempDir Path folder) throws Exception {
        distribution = TestDistribution.create(folder);
    }

    private static LaunchedProcess steps(int workers, String... steps) throws Exception {
        List<String> args =
                new ArrayList<>(List.of("run", "-n", "" + workers, "--grace=2s", "steps"));
        args.addAll(List.of(steps));
        return distribution.launch(args.toArray(String[]::new));
    }

    @Test
    void firstFailureEndsTheGroupAndIsReported() throws Exception {
        try (var run = steps(3, "2@exit=0", "pid", "1@err=about to fail", "1@exit=7", "wait")) {
            assertEquals(7, run.status());
            String report = run.errText();
            assertTrue(report.contains("exit code 7"), report);
            assertTrue(
                    report.matches(
                            "(?s).*gradwire: worker1 \\(process \\d+\\) failed first: exit code 7,"
                                    + " \\d+\\.\\d s after its start\n"
                                    + "gradwire: its last lines on standard error:\n"
                                    + "    about to fail\n"
                                    + "gradwire: worker0 ended when asked \\(\\d+\\);"
                                    + " worker2 (had finished|ended when asked \\(\\d+\\))"),
                    report);
            Processes.awaitEnd(pidsPrinted(run), Duration.ZERO);
        }
    }

    private static List<ProcessHandle> pidsPrinted(LaunchedProcess run) {
        return run.out().stream()
                .filter(line -> line.contains("pid "))
                .flatMap(line -> ProcessHandle.of(pid(line)).stream())
                .toList();
    }

    private static long pid(String line) {
        return Long.parseLong(line.substring(line.lastIndexOf(' ') + 1));
    }

    @Test
    void uncaughtExceptionIsAFailureWithItsStackTraceInTheReport() throws Exception {
        try (var run = steps(1, "fail=boom")) {
            assertEquals(1, run.status());
            assertTrue(
                    run.errText()
                            .contains(
                                    "    Exception in thread \"main\""
                                            + " java.lang.IllegalStateException: boom\n    \tat "),
                    run.errText());
        }
    }

    @Test
    void killedWorkerEndsTheGroup() throws Exception {
        try (var run = steps(3, "pid", "wait")) {
            List<ProcessHandle> workers = run.awaitProcesses("pid", 3);
            ProcessHandle victim = run.awaitProcesses("worker1 +\\| pid", 1).getFirst();
            victim.destroyForcibly();
            assertEquals(137, run.status());
            assertTrue(
                    run.errText()
                            .contains(
                                    "worker1 (process %d) failed first: ended by SIGKILL (137)"
                                            .formatted(victim.pid())),
                    run.errText());
            Processes.awaitEnd(workers, Duration.ZERO);
        }
    }

    @ParameterizedTest
    @CsvSource({"INT,130", "TERM,143", "HUP,129"})
    void signalIsPassedOnAndEndsTheGroup(String signal, int status) throws Exception {
        try (var run = steps(2, "say-goodbye", "pid", "wait")) {
            List<ProcessHandle> workers = run.awaitProcesses("pid", 2);
            run.signal(signal);
            assertEquals(status, run.status());
            Processes.awaitEnd(workers, Duration.ZERO);
            assertEquals(
                    List.of("worker0 | goodbye", "worker1 | goodbye"),
                    run.out().stream().filter(line -> line.contains("goodbye")).sorted().toList());
            assertTrue(run.errText().contains("stopped by a signal"), run.errText());
        }
    }

    @Test
    void controlCThatAlsoReachesTheWorkersIsNoFailure() throws Exception {
        List<String> command = new ArrayList<>(List.of("setsid"));
        command.addAll(distribution.command("run", "-n4", "steps", "pid", "wait"));
        try (var run = LaunchedProcess.start(new ProcessBuilder(command))) {
            List<ProcessHandle> workers = run.awaitProcesses("pid", 4);
            run.signalGroup("INT");
            assertEquals(130, run.status());
            Processes.awaitEnd(workers, Duration.ZERO);
            assertFalse(run.errText().contains("failed"), run.errText());
            assertTrue(run.errText().contains("stopped by a signal"), run.errText());
        }
    }

    @Test
    void workerThatDoesNotEndWhenAskedIsKilled() throws Exception {
        try (var run = steps(2, "0@never-end", "pid", "wait")) {
            List<ProcessHandle> workers = run.awaitProcesses("pid", 2);
            run.signal("TERM");
            assertEquals(143, run.status());
            Processes.awaitEnd(workers, Duration.ZERO);
            assertTrue(
                    run.errText()
                            .contains(
                                    "worker0 was killed, since it did not end when asked;"
                                            + " worker1 ended when asked (143)"),
                    run.errText());
        }
    }

    @Test
    void workersEndWhenTheirLauncherIsKilled() throws Exception {
        try (var run =
                steps(
                        2,
                        "0@never-end",
                        "0@start=sleep 1000",
                        "0@start=setsid sleep 1001",
                        "pid",
                        "wait")) {
            List<ProcessHandle> workers = run.awaitProcesses("pid", 2);
            List<ProcessHandle> started = run.awaitProcesses("started", 2);
            run.handle().destroyForcibly();
            List<ProcessHandle> gone = new ArrayList<>(workers);
            gone.add(started.getFirst());
            Processes.awaitEnd(gone, SOON);
            assertTrue(Processes.runs(started.getLast()), "meant to outlive the run");
            started.getLast().destroyForcibly();
        }
    }

    @Test
    void leftoverProcessesAreEndedExceptDaemons() throws Exception {
        try (var run = steps(2, "0@start=sleep 1000", "1@start=setsid sleep 1001")) {
            assertEquals(0, run.status(), run.errText());
            long left = Long.parseLong(run.awaitOut("worker0 \\| started (\\d+)", 1).getFirst());
            assertFalse(ProcessHandle.of(left).filter(Processes::runs).isPresent());
            ProcessHandle meant = run.awaitProcesses("worker1 \\| started", 1).getFirst();
            assertTrue(Processes.runs(meant));
            meant.destroyForcibly();
            assertTrue(
                    run.errText()
                            .matches(
                                    "gradwire: ending processes that workers left running: \\d+ .*sleep"),
                    run.errText());
        }
    }

    @Test
    void groupIsEndedAtItsTimeout() throws Exception {
        try (var run = distribution.launch("run", "-n1", "--timeout=1s", "steps", "pid", "wait")) {
            assertEquals(124, run.status());
            assertTrue(run.errText().contains("not finished after --timeout 1.0 s"), run.errText());
            assertFalse(pidsPrinted(run).stream().anyMatch(Processes::runs));
        }
    }

    @Test
    void workersHaveNoStandardInput() throws Exception {
        try (var run = steps(1, "stdin")) {
            assertEquals(0, run.status(), run.errText());
            assertEquals(List.of("worker0 | stdin -1"), run.out());
        }
    }
}
