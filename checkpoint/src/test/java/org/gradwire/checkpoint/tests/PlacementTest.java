package org.gradwire.checkpoint.tests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.checkpoint.Checkpoint;
import org.gradwire.checkpoint.CheckpointException;
import org.gradwire.checkpoint.CheckpointStorage;
import org.gradwire.checkpoint.Manifest;
import org.gradwire.checkpoint.Rows;
import org.gradwire.checkpoint.SavedCheckpoint;
import org.gradwire.checkpoint.Stateful;
import org.gradwire.junit.GradwireWorkers;
import org.gradwire.nn.Linear;
import org.gradwire.rpc.Rpc;
import org.gradwire.tensor.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/** States that are loaded into other places and under other names. */
@GradwireWorkers(3)
class PlacementTest {
    @TempDir Path directory;

    private SavedCheckpoint open() throws Exception {
        return SavedCheckpoint.open(CheckpointStorage.directory(directory), 1);
    }

    private Manifest save(List<Rpc> workers, List<Map<String, Stateful>> states) {
        return Members.run(
                        workers,
                        (rpc, group) -> {
                            try (var checkpoint =
                                    Checkpoint.of(rpc, Members.names(workers), directory)) {
                                return checkpoint.save(1, states.get(group.rank()));
                            }
                        })
                .getFirst();
    }

    private static String message(Executable failing) {
        return String.valueOf(assertThrows(CheckpointException.class, failing).getMessage());
    }

    @Test
    void rowsAreDividedAnewForAnyNumberOfMembers(List<Rpc> workers) throws Exception {
        Tensor whole = Tensor.arange(20).view(10, 2);
        List<Map<String, Stateful>> shards =
                IntStream.range(0, 3)
                        .mapToObj(rank -> {
                            Stateful shard = Held.rows(Rows.of(rank, 3, 10), whole);
                            return Map.of("table", shard);
                        })
                        .toList();
        Manifest manifest = save(workers, shards);
        assertEquals(List.of(10, 2), manifest.tensors().getFirst().shape());
        assertEquals(
                List.of(4, 3, 3),
                manifest.tensors().getFirst().pieces().stream().map(Manifest.Piece::rows).toList());
        SavedCheckpoint saved = open();
        assertTrue(whole.equal(saved.tensor(manifest.tensors().getFirst())));
        for (int members : new int[] {1, 2, 3, 4, 7, 12}) {
            for (int rank = 0; rank < members; rank++) {
                Rows rows = Rows.of(rank, members, 10);
                Held shard = Held.rows(rows, whole.mul(0));
                saved.load(Map.of("table", shard));
                assertTrue(whole.narrow(0, rows.first(), rows.count()).equal(shard.x()));
            }
        }
        Held other = Held.rows(new Rows(0, 3, 11), Tensor.zeros(11, 2));
        assertTrue(
                message(() -> saved.load(Map.of("table", other)))
                        .contains("'table/x' has shape [10, 2]"));
    }

    @Test
    void namesAreMapped(List<Rpc> workers) throws Exception {
        var linear = new Linear(3, 2, 1L);
        Map<String, Stateful> states = Map.of("encoder", Stateful.of(linear));
        var _ = save(workers, List.of(states, states, states));
        var other = new Linear(3, 2, 2L);
        Map<String, Stateful> wanted = Map.of("model", Stateful.of(other));
        assertEquals(
                "step-00000001 of 3 members does not match the state 'model': 'weight' is missing",
                message(() -> open().load(wanted)));
        open().load(wanted, name -> Optional.of(name.replace("encoder/", "model/")));
        assertTrue(
                Trainer.equal(linear.stateDict(), other.stateDict()),
                () -> other.stateDict().toString());
        assertTrue(
                message(() -> open().load(wanted, _ -> Optional.of("model/weight")))
                        .contains("two tensors are mapped to 'model/weight'"));
    }

    @Test
    void rowsThatOverlapOrLeaveGapsAreNotSaved(List<Rpc> workers) {
        Tensor whole = Tensor.arange(20).view(10, 2);
        for (int first : new int[] {3, 5}) {
            List<String> messages =
                    Members.run(
                            workers,
                            (rpc, group) -> {
                                Rows rows =
                                        group.rank() == 0
                                                ? new Rows(0, 4, 10)
                                                : new Rows(first, 10 - first, 10);
                                Map<String, Stateful> states =
                                        Map.of("table", Held.rows(rows, whole));
                                try (var checkpoint =
                                        Checkpoint.of(rpc, Members.names(workers), directory)) {
                                    return message(() -> checkpoint.save(1, states));
                                }
                            });
            assertEquals(
                    "worker0: the rows of 'table/x' from 4 on are not held by exactly one member; divide its 10 rows without gaps and overlaps",
                    messages.getFirst());
        }
    }
}
