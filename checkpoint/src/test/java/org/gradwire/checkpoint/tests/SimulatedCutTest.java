package org.gradwire.checkpoint.tests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.checkpoint.CheckpointStorage;
import org.gradwire.checkpoint.SavedCheckpoint;
import org.gradwire.checkpoint.Stateful;
import org.gradwire.checkpoint.tests.functions.Ledger;
import org.gradwire.junit.GradwireWorkers;
import org.gradwire.junit.Workers;
import org.gradwire.nn.Linear;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Random programs in simulated time, over a network that delays and reorders messages, and repeats
 * those of the process group: a checkpoint has both ends of a call or none, and a gradient on both
 * sides or on none.
 */
@Timeout(120)
class SimulatedCutTest {
    private static final int WORKERS = 4;

    @TempDir Path directory;

    @RepeatedTest(12)
    @GradwireWorkers(
            value = WORKERS,
            backend = "faulty",
            simulated = true,
            settings = {
                "gradwire.faulty.messages-to-fail=",
                "gradwire.faulty.messages-to-delay=*:0s..50ms",
                "gradwire.faulty.requests-to-repeat=COLLECTIVE_REQ:0.1",
                "gradwire.faulty.requests-to-reorder=*:0.1"
            })
    void noCallAndNoGradientIsHalfInACheckpoint(Workers workers) throws IOException {
        var training = new SimulatedTraining(workers, directory, -1);
        training.run().forEach(failure -> assertNull(failure, () -> "seed " + workers.seed()));
        assertTrue(
                training.saved().contains((long) SimulatedTraining.STEPS),
                () -> "seed " + workers.seed());
        assertCutsAreConsistent(training, "seed " + workers.seed());
    }

    @RepeatedTest(6)
    @GradwireWorkers(
            value = WORKERS,
            backend = "faulty",
            simulated = true,
            checkLeaks = false,
            settings = {
                "gradwire.faulty.messages-to-fail=",
                "gradwire.faulty.messages-to-delay=*:0s..50ms"
            })
    void aMemberThatStopsLeavesCompleteCheckpointsOnly(Workers workers) throws IOException {
        int leaver = Math.floorMod(workers.seed(), workers.size());
        var training = new SimulatedTraining(workers, directory, leaver);
        var failures = training.run();
        String seed = "seed " + workers.seed();
        for (int rank = 0; rank < WORKERS; rank++) { // all others miss it at the last save
            assertTrue(
                    rank == leaver || SimulatedTraining.isOfLoss(failures.get(rank)),
                    seed + failures);
        }
        assertFalse(training.saved().contains((long) SimulatedTraining.STEPS), seed);
        assertCutsAreConsistent(training, seed);
    }

    private void assertCutsAreConsistent(SimulatedTraining training, String seed)
            throws IOException {
        for (long step : training.saved()) {
            List<Ledger> ledgers = new ArrayList<>();
            List<Linear> replicas = new ArrayList<>();
            List<Linear> remotes = new ArrayList<>();
            Map<String, Stateful> states = new HashMap<>();
            for (int rank = 0; rank < WORKERS; rank++) {
                ledgers.add(new Ledger(WORKERS));
                replicas.add(new Linear(2, 1, 100));
                remotes.add(new Linear(2, 1, 200));
                states.putAll(
                        SimulatedTraining.states(
                                rank,
                                ledgers.get(rank),
                                Stateful.of(replicas.get(rank)),
                                Stateful.of(remotes.get(rank))));
            }
            SavedCheckpoint.open(CheckpointStorage.directory(directory), step).load(states);
            assertLedgersAgree(ledgers, seed + ", step " + step);
            for (int rank = 0; rank < WORKERS; rank++) {
                assertTrue(
                        areEqual(replicas.get(rank), remotes.get(rank)), seed + ", step " + step);
            }
        }
    }

    private static void assertLedgersAgree(List<Ledger> ledgers, String text) {
        for (int from = 0; from < WORKERS; from++) {
            for (int to = 0; to < WORKERS; to++) {
                assertEquals(
                        ledgers.get(from).paid(to),
                        ledgers.get(to).received(from),
                        "%s, from worker%d to worker%d".formatted(text, from, to));
            }
        }
    }

    private static boolean areEqual(Linear one, Linear other) {
        return one.weight().equal(other.weight()) && one.bias().equal(other.bias());
    }
}
