package org.gradwire.checkpoint.tests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.checkpoint.Checkpoint;
import org.gradwire.checkpoint.CheckpointStorage;
import org.gradwire.checkpoint.SavedCheckpoint;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A training that is killed at random moments, and resumed, against one that is not. {@code
 * -Dcheckpoint.kills=N} and {@code -Dcheckpoint.seed=N} repeat it.
 */
class CrashTest {
    private static final int KILLS = Integer.getInteger("checkpoint.kills", 3);
    private static final int LAST_STEP = 10 * KILLS; // so that the last kills find work too
    private static final int LONGEST_MILLIS = 250;

    @TempDir Path directory;

    private static Process start(Path checkpoints) throws IOException {
        return ChildJvm.start(
                CrashProgram.class.getModule().getName(),
                CrashProgram.class.getName(),
                List.of(checkpoints.toString(), Integer.toString(LAST_STEP)));
    }

    private static void complete(Path checkpoints) throws Exception {
        Process process = start(checkpoints);
        try (BufferedReader lines = process.inputReader()) {
            var _ = lines.lines().toList();
        }
        assertTrue(process.waitFor(60, TimeUnit.SECONDS));
        assertEquals(0, process.exitValue(), "see target/children.log");
    }

    /** Kill a process some time after it has saved a step, or has nothing to do. */
    private static void kill(Process process, long nanos) throws Exception {
        try (BufferedReader lines = process.inputReader()) {
            if (lines.readLine() != null) {
                LockSupport.parkNanos(nanos); // the random moment, not a wait for an event
            }
            process.destroyForcibly(); // SIGKILL
        }
        assertTrue(process.waitFor(60, TimeUnit.SECONDS));
    }

    @Test
    void afterEachKillTheNewestIsCompleteAndTrainingEndsWithTheSameBits() throws Exception {
        long seed = Long.getLong("checkpoint.seed", new SplittableRandom().nextLong());
        System.out.println("-Dcheckpoint.seed=" + seed);
        var random = new SplittableRandom(seed);
        Path undisturbed = directory.resolve("undisturbed");
        Path killed = directory.resolve("killed");
        complete(undisturbed);
        CheckpointStorage storage = CheckpointStorage.directory(killed);
        long before = 0;
        int torn = 0;
        for (int kill = 0; kill < KILLS; kill++) {
            kill(start(killed), random.nextLong(TimeUnit.MILLISECONDS.toNanos(LONGEST_MILLIS)));
            Checkpoint.Latest latest = Checkpoint.latest(storage);
            assertEquals(List.of(), latest.damaged());
            SavedCheckpoint saved = latest.checkpoint().orElseThrow();
            long step = saved.manifest().step();
            assertTrue(step > before || step == LAST_STEP, () -> step + " after the kill");
            assertSame(undisturbed, saved);
            before = step;
            torn += attempts(killed);
        }
        System.out.println(torn + " attempts were left by kills");
        complete(killed);
        SavedCheckpoint last = Checkpoint.latest(storage).checkpoint().orElseThrow();
        assertEquals(LAST_STEP, last.manifest().step());
        assertSame(undisturbed, last);
    }

    private static int attempts(Path checkpoints) {
        String[] hidden = checkpoints.toFile().list((_, name) -> name.startsWith("."));
        return hidden == null ? 0 : hidden.length;
    }

    /** Manifests have the digests of all shards, so equal ones have the same bits. */
    private static void assertSame(Path undisturbed, SavedCheckpoint saved) throws IOException {
        long step = saved.manifest().step();
        assertEquals(
                SavedCheckpoint.open(CheckpointStorage.directory(undisturbed), step).manifest(),
                saved.manifest());
    }
}
