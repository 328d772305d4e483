package org.gradwire.checkpoint.tests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.checkpoint.Checkpoint;
import org.gradwire.checkpoint.CheckpointException;
import org.gradwire.checkpoint.CheckpointStorage;
import org.gradwire.checkpoint.Manifest;
import org.gradwire.checkpoint.SavedCheckpoint;
import org.gradwire.checkpoint.Stateful;
import org.gradwire.junit.GradwireWorkers;
import org.gradwire.nn.Linear;
import org.gradwire.nn.Sequential;
import org.gradwire.nn.activation.Tanh;
import org.gradwire.optim.Adam;
import org.gradwire.rpc.Rpc;
import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.io.SafeTensors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** States that a group saves, and loads again. */
@GradwireWorkers(3)
class SaveLoadTest {
    @TempDir Path directory;

    private Checkpoint checkpoint(Rpc rpc, List<Rpc> workers) {
        return Checkpoint.builder(
                        rpc, Members.names(workers), CheckpointStorage.directory(directory))
                .timeout(Members.LIMIT)
                .programVersion("1.2")
                .build();
    }

    private SavedCheckpoint open(long step) throws Exception {
        return SavedCheckpoint.open(CheckpointStorage.directory(directory), step);
    }

    /** Save at a step. */
    private Manifest save(List<Rpc> workers, long step, List<Map<String, Stateful>> states) {
        return Members.run(
                        workers,
                        (rpc, group) -> {
                            try (var checkpoint = checkpoint(rpc, workers)) {
                                return checkpoint.save(step, states.get(group.rank()));
                            }
                        })
                .getFirst();
    }

    /** Train from the newest checkpoint, and save each step. */
    private Map<String, Tensor> train(List<Rpc> workers, long seed, int to) {
        return Members.run(
                        workers,
                        (rpc, group) -> {
                            try (var checkpoint = checkpoint(rpc, workers)) {
                                var trainer = new Trainer(group, seed, 5);
                                long step = checkpoint.loadLatest(trainer.states()).orElse(0);
                                while (step++ < to) {
                                    trainer.step();
                                    var _ = checkpoint.saveAsync(step, trainer.states());
                                }
                                return trainer.tensors();
                            }
                        })
                .getFirst();
    }

    private void resumesToTheBit(List<Rpc> workers) throws Exception {
        var _ = train(workers, 1, 2);
        Map<String, Tensor> resumed = train(workers, 2, 5);
        for (long step = 1; step <= 5; step++) {
            Path published = directory.resolve("step-%08d".formatted(step));
            CheckpointStorage.directory(directory).remove(String.valueOf(published.getFileName()));
        }
        assertTrue(Trainer.equal(train(workers, 1, 5), resumed));
    }

    @Test
    void trainingResumesToTheBit(List<Rpc> workers) throws Exception {
        resumesToTheBit(workers);
    }

    @Test
    @GradwireWorkers(value = 2, backend = "tensorpipe")
    void trainingResumesToTheBitOverTensorpipe(List<Rpc> workers) throws Exception {
        resumesToTheBit(workers);
    }

    @Test
    void replicasAreWrittenOnceAndSpreadOverTheMembers(List<Rpc> workers) throws Exception {
        Map<String, Stateful> model = Map.of("model", Stateful.of(new Linear(64, 30, 1L)));
        Map<String, Stateful> both =
                Map.of(
                        "model",
                        Stateful.of(new Linear(64, 30, 1L)),
                        "more",
                        Held.of(Tensor.ones(60)));
        Manifest manifest = save(workers, 12, List.of(both, model, both));
        assertEquals(
                List.of("model/bias", "model/weight", "more/x"),
                manifest.tensors().stream().map(Manifest.SavedTensor::name).toList());
        // The weight is the largest, and goes to the first; then the rest to those with less.
        assertEquals(
                List.of(1, 0, 2),
                manifest.tensors().stream().map(t -> t.pieces().getFirst().shard()).toList());
        assertEquals(manifest, open(12).manifest());
        assertEquals(List.of("worker0", "worker1", "worker2"), manifest.members());
        assertEquals("1.2", manifest.program());
        try (Stream<Path> files = Files.list(directory.resolve("step-00000012"))) {
            assertEquals(
                    List.of(
                            "manifest.json",
                            "rank-0.safetensors",
                            "rank-1.safetensors",
                            "rank-2.safetensors"),
                    files.map(file -> String.valueOf(file.getFileName())).sorted().toList());
        }
        try (Stream<Path> all = Files.list(directory)) {
            assertEquals(1, all.count());
        }
        assertEquals(
                List.of("model/weight"),
                List.copyOf(
                        SafeTensors.load(directory.resolve("step-00000012/rank-0.safetensors"))
                                .keySet()));
    }

    @Test
    void theShardsOfAnOptimizerAreTheStateOfOneThatIsNotSharded(List<Rpc> workers)
            throws Exception {
        Map<String, Tensor> saved = train(workers, 1, 2);
        var model = new Sequential(new Linear(4, 5, 9L), new Tanh(), new Linear(5, 2, 9L));
        var optimizer = new Adam(model.parameters(), 0.1);
        open(2).load(Map.of("model", Stateful.of(model), "optimizer", Stateful.of(optimizer)));
        Map<String, Tensor> loaded =
                Trainer.tensors(
                        Map.of("model", Stateful.of(model), "optimizer", Stateful.of(optimizer)));
        saved.keySet()
                .removeIf(name -> !name.startsWith("model/") && !name.startsWith("optimizer/"));
        Map<String, Tensor> part = new HashMap<>(loaded);
        part.keySet().retainAll(saved.keySet());
        assertTrue(Trainer.equal(saved, part));
        for (int parameter = 0; parameter < 4; parameter++) {
            assertTrue(loaded.containsKey("optimizer/state.%d.exp_avg".formatted(parameter)));
        }
    }

    @Test
    void fewerMembersLoadAllButTheirDataOrder(List<Rpc> workers) throws Exception {
        var _ = train(workers, 1, 2);
        SavedCheckpoint saved = open(2);
        List<Rpc> two = workers.subList(1, 3);
        List<Map<String, Tensor>> loaded =
                Members.run(
                        two,
                        (rpc, group) -> {
                            var trainer = new Trainer(group, 2, 5);
                            try (var checkpoint = checkpoint(rpc, two)) {
                                assertEquals(2, checkpoint.loadLatest(trainer.states()).orElse(0));
                            }
                            return trainer.tensors();
                        });
        for (Manifest.SavedTensor tensor : saved.manifest().tensors()) {
            Tensor expected = saved.tensor(tensor);
            boolean isFound =
                    loaded.stream()
                            .anyMatch(state -> {
                                Tensor found = state.get(tensor.name());
                                return found != null && found.equal(expected);
                            });
            assertEquals(!tensor.name().startsWith("random-2"), isFound, tensor::name);
        }
    }

    @Test
    void nothingChangesOnAnyMemberIfOneStateDoesNotMatch(List<Rpc> workers) {
        var _ = train(workers, 1, 1);
        List<Boolean> unchanged =
                Members.run(
                        workers,
                        (rpc, group) -> {
                            var trainer = new Trainer(group, 3, 5);
                            Map<String, Tensor> before = trainer.tensors();
                            Map<String, Stateful> states = new HashMap<>(trainer.states());
                            if (group.rank() == 1) {
                                states.put("model", Stateful.of(new Linear(4, 6, 1L)));
                            }
                            try (var checkpoint = checkpoint(rpc, workers)) {
                                assertEquals(
                                        "worker1: step-00000001 of 3 members does not match the state 'model': 'weight' is missing",
                                        message(() -> checkpoint.loadLatest(states)));
                            }
                            return Trainer.equal(before, trainer.tensors());
                        });
        assertEquals(List.of(true, true, true), unchanged);
    }

    @Test
    void aFirstStartFindsNone(List<Rpc> workers) {
        List<Boolean> found =
                Members.run(
                        workers,
                        (rpc, _) -> {
                            try (var checkpoint = checkpoint(rpc, workers)) {
                                return checkpoint.loadLatest(Map.of()).isPresent();
                            }
                        });
        assertEquals(List.of(false, false, false), found);
    }

    @Test
    void theSameStepIsReplaced(List<Rpc> workers) throws Exception {
        for (float value : new float[] {1, 2}) {
            Map<String, Stateful> states = Map.of("a", Held.of(Tensor.of(value)));
            var _ = save(workers, 4, List.of(states, states, states));
        }
        SavedCheckpoint saved = open(4);
        assertEquals(2, saved.tensor(saved.manifest().tensors().getFirst()).get(0));
        assertEquals(List.of(4L), Checkpoint.steps(CheckpointStorage.directory(directory)));
        assertTrue(hasHidden());
        var _ = save(workers, 5, List.of(Map.of(), Map.of(), Map.of()));
        assertFalse(hasHidden());
    }

    private static String message(Executable failing) {
        return String.valueOf(assertThrows(CheckpointException.class, failing).getMessage());
    }

    private boolean hasHidden() throws Exception {
        try (Stream<Path> all = Files.list(directory)) {
            return all.anyMatch(file -> file.getFileName().toString().startsWith("."));
        }
    }

    @Test
    void olderOnesAreRemovedButForMultiples(List<Rpc> workers) {
        List<List<Long>> left =
                Members.run(
                        workers,
                        (rpc, _) -> {
                            var storage = CheckpointStorage.directory(directory);
                            try (var checkpoint =
                                    Checkpoint.builder(rpc, Members.names(workers), storage)
                                            .keepLast(2)
                                            .keepEvery(3)
                                            .build()) {
                                for (int step = 1; step <= 8; step++) {
                                    var _ = checkpoint.save(step, Map.of());
                                }
                            }
                            return Checkpoint.steps(storage);
                        });
        assertEquals(List.of(3L, 6L, 7L, 8L), left.getFirst());
        var builder =
                Checkpoint.builder(
                        workers.getFirst(), List.of(), CheckpointStorage.directory(directory));
        assertEquals(
                "keepLast must be 1 or more, but is 0",
                assertThrows(IllegalArgumentException.class, () -> builder.keepLast(0))
                        .getMessage());
    }
}
