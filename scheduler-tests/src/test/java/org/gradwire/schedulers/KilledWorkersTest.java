package org.gradwire.schedulers;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** The training of the language model while its workers are killed, each of them once. */
@Timeout(120)
class KilledWorkersTest {
    /**
     * The order in which a sum is computed depends on how far the JVM has compiled its loop, so the
     * last digits of float32 differ, and each step adds to that.
     */
    private static final double LIMIT = 1e-5;

    private static final int STEPS = 240;
    private static final int STEPS_PER_SNAPSHOT = 20;

    @TempDir Path folder;

    private Run train(int workers, String output) throws IOException {
        List<String> command =
                Project.launcher(
                        "run",
                        "--workers=" + workers,
                        "--restarts=10",
                        "train",
                        "--steps=" + STEPS,
                        "--seconds=600",
                        "--steps-per-snapshot=" + STEPS_PER_SNAPSHOT,
                        "--batch=64",
                        "--output=" + folder.resolve(output));
        return Run.start(folder, Map.of(), command);
    }

    private SnapshotContent snapshot(String output) throws IOException {
        return SnapshotContent.read(folder.resolve(output).resolve("snapshot.safetensors"));
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 4}) // with one trainer, and with two
    void resultIsThatOfAnUndisturbedRun(int workers) throws Exception {
        try (Run undisturbed = train(workers, "undisturbed")) {
            undisturbed.succeed();
        }
        try (Run run = train(workers, "disturbed")) {
            for (int rank = workers - 1; rank >= 0; rank--) {
                kill(run, rank, workers - rank);
            }
            String output = run.succeed();
            assertEquals(workers, count(output, "training continues from step"), output);
            for (int rank = 0; rank < workers; rank++) {
                assertEquals(1, count(output, "worker" + rank + " was lost"), output);
                assertEquals(1, count(output, "worker" + rank + " has returned"), output);
            }
        }
        SnapshotContent expected = snapshot("undisturbed");
        assertEquals(STEPS, expected.step());
        expected.assertNear(snapshot("disturbed"), LIMIT);
    }

    /** Kill a worker after the next snapshot, and wait until the training continues. */
    private void kill(Run run, int rank, int kills) throws IOException {
        Path file = folder.resolve("disturbed").resolve("snapshot.safetensors");
        int wanted = kills * STEPS_PER_SNAPSHOT;
        Run.await(
                "snapshot of step " + wanted,
                () -> Files.exists(file) && SnapshotContent.read(file).step() >= wanted);
        run.worker(rank).destroyForcibly();
        Run.await(
                "training after the end of worker" + rank,
                () -> count(run.output(), "training continues from step") == kills);
    }

    private static int count(String text, String wanted) {
        return text.split(wanted, -1).length - 1;
    }
}
