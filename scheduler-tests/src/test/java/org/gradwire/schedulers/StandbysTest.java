package org.gradwire.schedulers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Standbys of the launcher: JVMs that become the workers that failed. */
@Timeout(180)
class StandbysTest {
    private static final String MAIN_CLASS = "org.gradwire.runtime.standby.Standby";

    private static final String WORKERS = "--workers=2";

    @TempDir Path folder;

    /** Start two workers that do steps together until a file exists. */
    private Run start(String option) throws IOException {
        List<String> command =
                Project.launcher(
                        "run",
                        option,
                        "--restarts=3",
                        "--standbys=1",
                        "--module-path=" + Project.distribution().resolve("bench-lib"),
                        "org.gradwire.bench/org.gradwire.bench.recovery.RecoveryWorker",
                        stopFile().toString());
        return Run.start(folder, Map.of(), command);
    }

    private Path stopFile() {
        return folder.resolve("stop");
    }

    private static Optional<ProcessHandle> standby(Run run) {
        return run.children().stream()
                .filter(ProcessHandle::isAlive)
                .filter(child -> commandLine(child).contains(MAIN_CLASS))
                .filter(child -> !run.output().contains(" " + child.pid() + " ")) // no worker
                .findFirst();
    }

    private static String commandLine(ProcessHandle process) {
        try {
            return Files.readString(Path.of("/proc/" + process.pid() + "/cmdline"));
        } catch (IOException _) {
            return ""; // it has ended
        }
    }

    private static ProcessHandle awaitStandby(Run run) {
        Run.await("standby: " + run.output(), () -> standby(run).isPresent());
        return standby(run).orElseThrow();
    }

    /** Wait until a process has done the first step of a worker after a change. */
    private static void awaitStep(Run run, int rank, long pid) {
        String line = "first %d %d ".formatted(rank, pid);
        Run.await(line, () -> run.output().contains(line));
    }

    @ParameterizedTest
    @ValueSource(strings = {WORKERS, "--secure"}) // two workers are the default
    void standbyBecomesTheKilledWorkerAndAnotherOneStarts(String option) throws Exception {
        try (Run run = start(option)) {
            ProcessHandle first = awaitStandby(run);
            ProcessHandle worker = run.worker(1);
            awaitStep(run, 1, worker.pid());
            assertTrue(worker.destroyForcibly());
            awaitStep(run, 1, first.pid());
            ProcessHandle second = awaitStandby(run);
            assertFalse(second.equals(first), "it is a worker");
            Files.createFile(stopFile());
            run.succeed();
            assertFalse(first.isAlive());
            assertFalse(second.isAlive());
        }
    }

    @Test
    void workerStartsInItsOwnProcessWhenTheStandbyHasEnded() throws Exception {
        try (Run run = start(WORKERS)) {
            ProcessHandle standby = awaitStandby(run);
            ProcessHandle worker = run.worker(0);
            awaitStep(run, 0, worker.pid());
            assertTrue(standby.destroyForcibly());
            standby.onExit().join();
            assertTrue(worker.destroyForcibly());
            worker.onExit().join();
            Run.await("restart", () -> run.children().stream().anyMatch(this::isRestarted));
            awaitStep(run, 0, run.worker(0).pid());
            awaitStandby(run);
            Files.createFile(stopFile());
            run.succeed();
        }
    }

    private boolean isRestarted(ProcessHandle child) {
        try {
            Path environment = Path.of("/proc/" + child.pid() + "/environ");
            return Files.readString(environment).contains("GRADWIRE_RESTART=1");
        } catch (IOException _) {
            return false; // it has ended
        }
    }

    @Test
    void standbyEndsWithItsLauncher() throws Exception {
        try (Run run = start(WORKERS)) {
            ProcessHandle standby = awaitStandby(run);
            run.signal("KILL");
            Run.await("end of the standby", () -> !standby.isAlive());
            assertEquals(137, run.awaitStatus());
        }
    }
}
