package org.gradwire.checkpoint.tests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.checkpoint.Checkpoint;
import org.gradwire.checkpoint.CheckpointException;
import org.gradwire.checkpoint.CheckpointStorage;
import org.gradwire.checkpoint.Stateful;
import org.gradwire.junit.GradwireWorkers;
import org.gradwire.nn.Linear;
import org.gradwire.rpc.Rpc;
import org.gradwire.tensor.DType;
import org.gradwire.tensor.Layout;
import org.gradwire.tensor.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Saves that fail on some member, and saves in the background. */
@GradwireWorkers(3)
class FailureTest {
    @TempDir Path directory;

    private Checkpoint checkpoint(Rpc rpc, List<Rpc> workers, CheckpointStorage storage) {
        return Checkpoint.builder(rpc, Members.names(workers), storage)
                .timeout(Members.LIMIT)
                .build();
    }

    private List<String> files() throws IOException {
        try (Stream<Path> all = Files.list(directory)) {
            return all.map(file -> String.valueOf(file.getFileName())).sorted().toList();
        }
    }

    @Test
    void aFailureOfAnyOperationOnAnyMemberLeavesTheCheckpointBefore(List<Rpc> workers)
            throws IOException {
        int failures = 0;
        for (int member = 0; member < 3; member++) {
            for (int operation = 0; operation < (member == 0 ? 2 : 1); operation++) {
                int failing = member;
                int number = operation;
                List<String> texts =
                        Members.run(
                                workers,
                                (rpc, group) -> {
                                    boolean fails = group.rank() == failing;
                                    var storage =
                                            HookedStorage.failing(directory, fails ? number : -1);
                                    Map<String, Stateful> states =
                                            Map.of("model", Stateful.of(new Linear(3, 2, 1L)));
                                    try (var checkpoint = checkpoint(rpc, workers, storage)) {
                                        CheckpointException failure =
                                                assertThrows(
                                                        CheckpointException.class,
                                                        () -> checkpoint.save(7, states));
                                        return String.valueOf(failure.getMessage());
                                    }
                                });
                String expected = "worker%d: the disk is full".formatted(member);
                assertEquals(List.of(expected, expected, expected), texts);
                assertEquals(List.of(), files());
                failures++;
            }
        }
        assertEquals(4, failures);
    }

    @Test
    void theSameInstanceSavesAfterAFailure(List<Rpc> workers) throws IOException {
        var _ =
                Members.run(
                        workers,
                        (rpc, group) -> {
                            var storage =
                                    HookedStorage.failing(directory, group.rank() == 1 ? 0 : -1);
                            try (var checkpoint = checkpoint(rpc, workers, storage)) {
                                assertThrows(
                                        CheckpointException.class,
                                        () -> checkpoint.save(1, Map.of()));
                                return checkpoint.save(2, Map.of());
                            }
                        });
        assertEquals(List.of("step-00000002"), files());
    }

    private List<String> messages(List<Rpc> workers, List<Long> steps, List<Tensor> values) {
        return Members.run(
                workers,
                (rpc, group) -> {
                    var storage = CheckpointStorage.directory(directory);
                    Tensor value = values.get(group.rank());
                    Map<String, Stateful> states = Map.of("a", new Constant(value));
                    try (var checkpoint = checkpoint(rpc, workers, storage)) {
                        return String.valueOf(
                                assertThrows(
                                                CheckpointException.class,
                                                () ->
                                                        checkpoint.save(
                                                                steps.get(group.rank()), states))
                                        .getMessage());
                    }
                });
    }

    /** A state that does not change. */
    private record Constant(Tensor value) implements Stateful {
        @Override
        public Map<String, Tensor> stateDict() {
            return Map.of("x", value);
        }

        @Override
        public void loadStateDict(Map<String, Tensor> state) {
            throw new AssertionError("nothing is loaded");
        }
    }

    @Test
    void replicasThatDifferAreNotSaved(List<Rpc> workers) throws IOException {
        Tensor one = Tensor.ones(2);
        List<String> found =
                messages(workers, List.of(1L, 1L, 1L), List.of(one, one, Tensor.of(1f, 2f)));
        assertTrue(
                found.getFirst()
                        .contains(
                                "'a/x' has different values on worker0 and worker2; give states of single members different names, such as random-2"),
                found::getFirst);
        List<String> types =
                messages(workers, List.of(1L, 1L, 1L), List.of(one, one.to(DType.FLOAT64), one));
        assertTrue(
                types.getLast().contains("different types or shapes on worker0 and worker1"),
                types::getLast);
        assertEquals(List.of(), files());
    }

    @Test
    void stepsThatDifferAreNotSaved(List<Rpc> workers) throws IOException {
        Tensor one = Tensor.ones(2);
        List<String> found = messages(workers, List.of(1L, 1L, 2L), List.of(one, one, one));
        assertTrue(found.getFirst().contains("worker2.result.step is 2; expected 1"));
        assertEquals(List.of(), files());
    }

    @Test
    void aStateThatCannotBeCopiedFailsOnAllMembers(List<Rpc> workers) throws IOException {
        Tensor sparse = Tensor.zeros(Layout.SPARSE_COO, DType.FLOAT32, 2);
        List<String> found =
                messages(
                        workers,
                        List.of(1L, 1L, 1L),
                        List.of(Tensor.zeros(2), sparse, Tensor.zeros(2)));
        String expected = "worker1: 'a/x' is sparse, and cannot be saved; save toDense() of it";
        assertEquals(List.of(expected, expected, expected), found);
        assertEquals(List.of(), files());
    }

    @Test
    void whatEarlierAttemptsLeftIsRemoved(List<Rpc> workers) throws IOException {
        Path left = directory.resolve(".step-00000001.01234567-0123-0123-0123-0123456789ab.tmp");
        Files.createDirectories(left);
        Files.writeString(left.resolve("rank-0.safetensors"), "torn");
        Path outside = Files.createDirectory(directory.resolve("outside"));
        Files.writeString(outside.resolve("kept"), "kept");
        Files.createSymbolicLink(left.resolve("link"), outside);
        var _ =
                Members.run(
                        workers,
                        (rpc, _) -> {
                            var storage = CheckpointStorage.directory(directory);
                            try (var checkpoint = checkpoint(rpc, workers, storage)) {
                                return checkpoint.save(2, Map.of());
                            }
                        });
        assertEquals(List.of("outside", "step-00000002"), files());
        assertTrue(Files.exists(outside.resolve("kept")));
    }

    private static void await(CountDownLatch latch) throws IOException {
        try {
            if (!latch.await(40, TimeUnit.SECONDS)) {
                throw new IOException("the test did not release the save");
            }
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
    }

    @Test
    void statesMayChangeWhileASaveRuns(List<Rpc> workers) throws Exception {
        var released = new CountDownLatch(1);
        List<Tensor> before =
                Members.run(
                        workers,
                        (rpc, _) -> {
                            var linear = new Linear(3, 2, 1L);
                            Tensor weight = linear.stateDict().get("weight");
                            Tensor copy = java.util.Objects.requireNonNull(weight).clone();
                            var storage =
                                    new HookedStorage(
                                            CheckpointStorage.directory(directory),
                                            () -> await(released));
                            Map<String, Stateful> states = Map.of("model", Stateful.of(linear));
                            try (var checkpoint = checkpoint(rpc, workers, storage)) {
                                CompletableFuture<?> save = checkpoint.saveAsync(1, states);
                                assertFalse(save.isDone());
                                var _ = weight.zero_();
                                released.countDown();
                                assertEquals(1, checkpoint.await().orElseThrow().step());
                                assertTrue(save.isDone());
                                assertTrue(checkpoint.await().isEmpty());
                            }
                            return copy;
                        });
        var loaded = new Linear(3, 2, 5L);
        Checkpoint.latest(CheckpointStorage.directory(directory))
                .checkpoint()
                .orElseThrow()
                .load(Map.of("model", Stateful.of(loaded)));
        Tensor weight = loaded.stateDict().get("weight");
        assertTrue(before.getFirst().equal(java.util.Objects.requireNonNull(weight)));
    }

    @Test
    void theNextSaveThrowsTheFailureOfTheOneBefore(List<Rpc> workers) throws IOException {
        var _ =
                Members.run(
                        workers,
                        (rpc, group) -> {
                            var storage =
                                    HookedStorage.failing(directory, group.rank() == 2 ? 0 : -1);
                            try (var checkpoint = checkpoint(rpc, workers, storage)) {
                                CompletableFuture<?> first = checkpoint.saveAsync(1, Map.of());
                                assertThrows(ExecutionException.class, first::get);
                                assertThrows(
                                        CheckpointException.class,
                                        () -> checkpoint.saveAsync(2, Map.of()));
                                var _ = checkpoint.saveAsync(3, Map.of());
                                return checkpoint.saveAsync(4, Map.of());
                            }
                        });
        assertEquals(List.of("step-00000003", "step-00000004"), files());
    }

    @Test
    void namesAreChecked(List<Rpc> workers) throws IOException {
        List<String> found =
                Members.run(
                        workers,
                        (rpc, _) -> {
                            var storage = CheckpointStorage.directory(directory);
                            Map<String, Stateful> states =
                                    Map.of("../a", new Constant(Tensor.ones(1)));
                            try (var checkpoint = checkpoint(rpc, workers, storage)) {
                                return String.valueOf(
                                        assertThrows(
                                                        CheckpointException.class,
                                                        () -> checkpoint.save(1, states))
                                                .getMessage());
                            }
                        });
        assertTrue(found.getFirst().contains("'../a' cannot be the name of a state"));
    }
}
