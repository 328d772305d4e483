package org.gradwire.schedulers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * The training with which {@code ./gradwire bench --recovery} measures the time that a kill costs.
 */
@Timeout(300)
class RecoveredTrainingTest {
    private static final int WORKERS = 2;
    private static final int STEPS = 30; // before the kill

    @TempDir Path folder;

    private Run start(int stepsPerCheckpoint) throws IOException {
        List<String> command =
                Project.launcher(
                        "run",
                        "--workers=" + WORKERS,
                        "--restarts=1",
                        "--module-path=" + Project.distribution().resolve("bench-lib"),
                        "org.gradwire.bench/org.gradwire.bench.recovery.TrainingWorker",
                        stopFile().toString(),
                        folder.toString(),
                        Integer.toString(stepsPerCheckpoint));
        return Run.start(folder, Map.of(), command);
    }

    private Path stopFile() {
        return folder.resolve("stop");
    }

    private long newestStep() {
        try {
            Path file = folder.resolve("newest");
            return Files.exists(file) ? Long.parseLong(Files.readString(file)) : 0;
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /** Wait until each worker has reported its first new step after a number of changes. */
    private static void awaitReports(Run run, int changes) {
        for (int rank = 0; rank < WORKERS; rank++) {
            String report = "first %d ".formatted(rank);
            Run.await(
                    report + "after " + changes + " changes",
                    () -> run.output().split(report, -1).length - 1 == changes + 1);
        }
    }

    @ParameterizedTest(name = "a checkpoint each {0} steps")
    @ValueSource(ints = {10, 100_000})
    void workersReportAStepThatWasNotDoneBeforeTheKill(int stepsPerCheckpoint) throws Exception {
        try (Run run = start(stepsPerCheckpoint)) {
            awaitReports(run, 0);
            Run.await("steps", () -> newestStep() >= STEPS);
            ProcessHandle killed = run.worker(1);
            long before = newestStep();
            assertTrue(killed.destroyForcibly());
            awaitReports(run, 1);
            assertTrue(newestStep() > before, "steps that are repeated do not count");
            Files.createFile(stopFile());
            run.succeed();
            assertEquals(newestStep(), CheckpointContent.newestStep(folder));
        }
    }
}
