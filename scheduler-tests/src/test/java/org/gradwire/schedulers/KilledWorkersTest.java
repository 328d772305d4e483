package org.gradwire.schedulers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** The training of the language model while its workers are killed, each of them once. */
@Timeout(300)
class KilledWorkersTest {
    private static final int WORKERS = 3; // a trainer and two servers
    private static final int STEPS = 60;
    private static final int STEPS_PER_CHECKPOINT = 10;

    @TempDir Path folder;

    private Run train(String output) throws IOException {
        List<String> command =
                Project.launcher(
                        "run",
                        "--workers=" + WORKERS,
                        "--restarts=10",
                        "train",
                        "--steps=" + STEPS,
                        "--seconds=600",
                        "--steps-per-checkpoint=" + STEPS_PER_CHECKPOINT,
                        "--batch=16",
                        "--output=" + folder.resolve(output));
        return Run.start(folder, Map.of(), command);
    }

    private CheckpointContent newest(String output) {
        return CheckpointContent.newest(folder.resolve(output));
    }

    @Test
    void resultIsThatOfAnUndisturbedRun() throws Exception {
        try (Run undisturbed = train("undisturbed")) {
            undisturbed.succeed();
        }
        try (Run run = train("disturbed")) {
            for (int rank = 0; rank < WORKERS; rank++) {
                kill(run, rank);
            }
            String output = run.succeed();
            assertEquals(WORKERS, count(output, "training continues from step"), output);
            for (int rank = 0; rank < WORKERS; rank++) {
                assertEquals(1, count(output, "worker" + rank + " was lost"), output);
                assertEquals(1, count(output, "worker" + rank + " has returned"), output);
            }
        }
        CheckpointContent expected = newest("undisturbed");
        assertEquals(STEPS, expected.step());
        expected.assertSame(newest("disturbed"));
    }

    /** Kill a worker after the next checkpoint, and wait until the training continues. */
    private void kill(Run run, int rank) {
        int wanted = (rank + 1) * STEPS_PER_CHECKPOINT;
        Run.await(
                "checkpoint of step " + wanted,
                () -> CheckpointContent.newestStep(folder.resolve("disturbed")) >= wanted);
        assertTrue(run.worker(rank).destroyForcibly());
        Run.await(
                "training after the end of worker" + rank,
                () -> count(run.output(), "training continues from step") == rank + 1);
    }

    private static int count(String text, String wanted) {
        return text.split(wanted, -1).length - 1;
    }
}
