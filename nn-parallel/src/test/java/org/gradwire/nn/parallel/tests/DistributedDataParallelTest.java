package org.gradwire.nn.parallel.tests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.autograd.AccumulateGrad;
import org.gradwire.junit.GradwireWorkers;
import org.gradwire.nn.Embedding;
import org.gradwire.nn.Linear;
import org.gradwire.nn.Module;
import org.gradwire.nn.Sequential;
import org.gradwire.nn.normalization.BatchNorm1d;
import org.gradwire.nn.parallel.CommunicationHook;
import org.gradwire.nn.parallel.DistributedDataParallel;
import org.gradwire.optim.SGD;
import org.gradwire.rpc.Rpc;
import org.gradwire.tensor.DType;
import org.gradwire.tensor.Tensor;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/** Replicas that average gradients: values, unused parameters, accumulation, buffers. */
@Timeout(120)
@GradwireWorkers(3)
class DistributedDataParallelTest {

    /** A module with a branch for each member, and one that no member uses. */
    private static final class Branches extends Module {
        final Linear shared = registerModule("shared", new Linear(2, 2, 1L));
        final Linear first = registerModule("first", new Linear(2, 2, 2L));
        final Linear second = registerModule("second", new Linear(2, 2, 3L));
        final Linear never = registerModule("never", new Linear(2, 2, 4L));

        Tensor forward(Tensor x, int rank) {
            return (rank == 0 ? first : second).forward(shared.forward(x));
        }
    }

    /** An embedding with sparse gradients, before a layer. */
    private static final class SparseModel extends Module {
        final Embedding table =
                registerModule("table", Embedding.builder(6, 2).sparse(true).build(3L));
        final Linear dense = registerModule("dense", new Linear(2, 2, 4L));

        Tensor loss(long... rows) {
            Tensor vectors = rows.length == 0 ? Tensor.ones(1, 2) : table.forward(Tensor.of(rows));
            return dense.forward(vectors).pow(2).sum();
        }
    }

    @Test
    void replicasBeginWithTheStateOfRankZero(List<Rpc> workers) {
        List<List<Tensor>> states =
                Members.run(
                        workers,
                        (_, group) -> {
                            Sequential model = Samples.perceptron(100L + group.rank());
                            var _ = DistributedDataParallel.of(group, model);
                            return Samples.copies(model.parameters());
                        });
        List<Tensor> first = Samples.copies(Samples.perceptron(100).parameters());
        states.forEach(state -> assertTrue(Samples.equal(first, state)));
    }

    @Test
    void gradientsAreAveragesToTheBit(List<Rpc> workers) {
        int steps = 4;
        for (long bucketBytes : new long[] {1, 100, 25 << 20}) {
            List<List<List<Tensor>>> found =
                    Members.run(
                            workers,
                            (_, group) -> {
                                Sequential model = Samples.perceptron(7);
                                var parallel =
                                        DistributedDataParallel.builder(group, model)
                                                .bucketBytes(bucketBytes)
                                                .build();
                                return IntStream.range(0, steps)
                                        .mapToObj(step -> {
                                            model.parameters().forEach(p -> p.zeroGrad(true));
                                            parallel.forward(m ->
                                                            Samples.loss(m, group.rank(), step))
                                                    .backward();
                                            return Samples.gradients(model);
                                        })
                                        .toList();
                            });
            Sequential alone = Samples.perceptron(7);
            for (int s = 0; s < steps; s++) {
                int step = s;
                List<Tensor> expected =
                        Samples.average(
                                IntStream.range(0, 3)
                                        .mapToObj(rank -> Samples.gradients(alone, rank, step))
                                        .toList());
                found.forEach(member -> assertTrue(Samples.equal(expected, member.get(step))));
            }
        }
    }

    @Test
    void trainingIsThatOfOneProcessWithWholeBatches(List<Rpc> workers) {
        int steps = 30;
        List<List<Tensor>> found =
                Members.run(
                        workers,
                        (_, group) -> {
                            Sequential model = Samples.perceptron(7);
                            var parallel = DistributedDataParallel.of(group, model);
                            SGD optimizer = Samples.optimizer(model);
                            for (int s = 0; s < steps; s++) {
                                int step = s;
                                optimizer.zeroGrad();
                                parallel.forward(m -> Samples.loss(m, group.rank(), step))
                                        .backward();
                                optimizer.step();
                            }
                            return Samples.copies(model.parameters());
                        });
        Sequential alone = Samples.perceptron(7);
        SGD optimizer = Samples.optimizer(alone);
        for (int step = 0; step < steps; step++) {
            optimizer.zeroGrad();
            Tensor loss = Samples.loss(alone, 0, step);
            for (int rank = 1; rank < 3; rank++) {
                loss = loss.add(Samples.loss(alone, rank, step));
            }
            loss.div(3).backward();
            optimizer.step();
        }
        assertTrue(Samples.equal(found.getFirst(), found.get(1)));
        assertTrue(Samples.equal(found.getFirst(), found.get(2)));
        List<Tensor> expected = alone.parameters();
        for (int i = 0; i < expected.size(); i++) {
            assertTrue(found.getFirst().get(i).allclose(expected.get(i).detach(), 1e-6, 1e-6));
        }
    }

    @Test
    void parametersThatSomeMembersUseGetAveragesAndOthersNone(List<Rpc> workers) {
        Tensor x = Tensor.of(new float[] {1, 2, 3, 4}, 2, 2);
        List<Branches> found =
                Members.run(
                        workers,
                        (_, group) -> {
                            var model = new Branches();
                            var parallel =
                                    DistributedDataParallel.builder(group, model)
                                            .bucketBytes(20)
                                            .build();
                            for (int step = 0; step < 3; step++) {
                                model.parameters().forEach(p -> p.zeroGrad(true));
                                parallel.forward(m -> m.forward(x, group.rank())).sum().backward();
                            }
                            return model;
                        });
        var alone = new Branches();
        List<@Nullable Tensor> first = new ArrayList<>();
        List<@Nullable Tensor> second = new ArrayList<>();
        for (int rank = 0; rank < 3; rank++) {
            alone.parameters().forEach(p -> p.zeroGrad(true));
            alone.forward(x, rank).sum().backward();
            first.add(alone.first.weight().grad());
            second.add(alone.second.weight().grad());
        }
        Tensor ofFirst = Tensor.zeros(2, 2).add(present(first.get(0))).div(3);
        Tensor ofSecond = present(second.get(1)).add(present(second.get(2))).div(3);
        for (Branches model : found) {
            assertTrue(present(model.first.weight().grad()).equal(ofFirst));
            assertTrue(present(model.second.weight().grad()).equal(ofSecond));
            assertNotNull(model.shared.weight().grad());
            assertNull(model.never.weight().grad());
        }
    }

    private static Tensor present(@Nullable Tensor gradient) {
        assertNotNull(gradient);
        return gradient;
    }

    @Test
    void gradientsAccumulateWithoutSynchronization(List<Rpc> workers) {
        List<List<List<Tensor>>> found =
                Members.run(
                        workers,
                        (_, group) -> {
                            Sequential model = Samples.perceptron(7);
                            var parallel = DistributedDataParallel.of(group, model);
                            try (var _ = parallel.noSync()) {
                                parallel.forward(m -> Samples.loss(m, group.rank(), 0)).backward();
                            }
                            List<Tensor> own = Samples.gradients(model);
                            parallel.forward(m -> Samples.loss(m, group.rank(), 1)).backward();
                            return List.of(own, Samples.gradients(model));
                        });
        Sequential alone = Samples.perceptron(7);
        List<List<Tensor>> sums = new ArrayList<>();
        for (int rank = 0; rank < 3; rank++) {
            List<Tensor> own = Samples.gradients(alone, rank, 0);
            assertTrue(Samples.equal(own, found.get(rank).getFirst()));
            Samples.loss(alone, rank, 1).backward();
            sums.add(Samples.gradients(alone));
        }
        List<Tensor> expected = Samples.average(sums);
        found.forEach(member -> assertTrue(Samples.equal(expected, member.getLast())));
    }

    @Test
    void buffersAreThoseOfRankZeroInTrainingOnly(List<Rpc> workers) {
        List<List<Tensor>> found =
                Members.run(
                        workers,
                        (_, group) -> {
                            var model =
                                    new Sequential(
                                            new Linear(Samples.INPUTS, 4, 1L), new BatchNorm1d(4));
                            var parallel = DistributedDataParallel.of(group, model);
                            for (int s = 0; s < 2; s++) {
                                int step = s;
                                parallel.forward(m -> Samples.loss(m, group.rank(), step))
                                        .backward();
                            }
                            model.train(false);
                            if (group.rank() == 1) { // alone
                                var _ = parallel.forward(m -> Samples.loss(m, 1, 2));
                            }
                            model.train(true);
                            // The buffers of rank 0 are sent before they change again.
                            var _ = parallel.forward(m -> m);
                            return Samples.copies(model.buffers());
                        });
        assertTrue(Samples.equal(found.get(0), found.get(1)));
        assertTrue(Samples.equal(found.get(0), found.get(2)));
        assertFalse(found.getFirst().getFirst().equal(Tensor.zeros(4)));
    }

    @Test
    void bucketsAreAveragedInTheOrderOfTheFirstPass(List<Rpc> workers) {
        record Seen(int index, boolean isLast, int[] shape) {}
        List<List<Seen>> found =
                Members.run(
                        workers,
                        (_, group) -> {
                            Sequential model = Samples.perceptron(7);
                            List<Seen> seen = new ArrayList<>();
                            CommunicationHook average = CommunicationHook.allReduce();
                            var parallel =
                                    DistributedDataParallel.builder(group, model)
                                            .bucketBytes(1)
                                            .communicationHook((g, bucket) -> {
                                                seen.add(
                                                        new Seen(
                                                                bucket.index(),
                                                                bucket.isLast(),
                                                                bucket.parameters()
                                                                        .getFirst()
                                                                        .shape()));
                                                return average.average(g, bucket);
                                            })
                                            .build();
                            for (int s = 0; s < 2; s++) {
                                int step = s;
                                parallel.forward(m -> Samples.loss(m, group.rank(), step))
                                        .backward();
                            }
                            return seen;
                        });
        for (List<Seen> seen : found) {
            assertEquals(List.of(0, 1, 2, 3, 0, 1, 2, 3), seen.stream().map(Seen::index).toList());
            assertEquals(
                    List.of(false, false, false, true),
                    seen.subList(4, 8).stream().map(Seen::isLast).toList());
            assertEquals(Samples.OUTPUTS, seen.get(0).shape()[0]);
            assertEquals(7, seen.get(3).shape()[0]);
            assertEquals(Samples.OUTPUTS, seen.get(4).shape()[0]);
            assertEquals(7, seen.get(7).shape()[0]);
        }
    }

    @Test
    void parametersOfSeveralTypesAreAveraged(List<Rpc> workers) {
        List<List<Tensor>> found =
                Members.run(
                        workers,
                        (_, group) -> {
                            var single = new Linear(2, 2, 1L);
                            var wide = new Linear(2, 2, 2L);
                            wide.to(DType.FLOAT64);
                            var model = new Sequential(single, wide);
                            var parallel = DistributedDataParallel.of(group, model);
                            parallel.forward(
                                            _ -> {
                                                Tensor x = Tensor.full((double) group.rank(), 1, 2);
                                                return single.forward(x)
                                                        .sum()
                                                        .to(DType.FLOAT64)
                                                        .add(
                                                                wide.forward(x.to(DType.FLOAT64))
                                                                        .sum());
                                            })
                                    .backward();
                            return Samples.gradients(model);
                        });
        for (List<Tensor> gradients : found) {
            assertTrue(gradients.get(0).equal(Tensor.ones(2, 2)));
            assertTrue(gradients.get(2).equal(Tensor.ones(DType.FLOAT64, 2, 2)));
        }
    }

    @Test
    void gradientsOfSparseEmbeddingsStaySparse(List<Rpc> workers) {
        long[][] rows = {{1, 1, 4}, {4}, {}}; // the last member uses only the dense layer
        List<SparseModel> found =
                Members.run(
                        workers,
                        (_, group) -> {
                            var model = new SparseModel();
                            var parallel = DistributedDataParallel.of(group, model);
                            for (int step = 0; step < 2; step++) {
                                model.parameters().forEach(p -> p.zeroGrad(true));
                                parallel.forward(m -> m.loss(rows[group.rank()])).backward();
                            }
                            return model;
                        });
        var alone = new SparseModel();
        List<Tensor> table = new ArrayList<>();
        for (long[] indices : rows) {
            alone.parameters().forEach(p -> p.zeroGrad(true));
            alone.loss(indices).backward();
            Tensor gradient = alone.table.weight().grad();
            table.add(gradient == null ? Tensor.zeros(6, 2) : gradient.toDense());
        }
        Tensor expected = table.get(0).add(table.get(1)).add(table.get(2)).div(3);
        for (SparseModel model : found) {
            Tensor gradient = present(model.table.weight().grad());
            assertTrue(gradient.isSparse());
            assertTrue(gradient.toDense().equal(expected));
            assertFalse(present(model.dense.weight().grad()).isSparse());
        }
    }

    @Test
    void modulesMustBeAlike(List<Rpc> workers) {
        assertRefused(
                workers,
                "worker0 has 4 parameters and buffers, and worker2 has 2; give all members of trainers the same module",
                rank -> rank == 2 ? new Linear(2, 2, 1L) : Samples.perceptron(1));
        assertRefused(
                workers,
                "the parameters and buffers of worker0 and worker1 differ at number 0, which is weight: float32[%s, 2] on worker%d; give all members of trainers the same module",
                rank -> new Linear(2, rank == 1 ? 5 : 2, 1L));
    }

    private interface Maker {
        Module make(int rank);
    }

    private static void assertRefused(List<Rpc> workers, String text, Maker maker) {
        List<CompletableFuture<String>> running =
                Members.start(
                        workers,
                        (_, group) -> {
                            Module module = maker.make(group.rank());
                            return String.valueOf(
                                    assertThrows(
                                                    IllegalArgumentException.class,
                                                    () -> DistributedDataParallel.of(group, module))
                                            .getMessage());
                        });
        for (int rank = 0; rank < 3; rank++) {
            assertEquals(text.formatted(rank == 1 ? "5" : "2", rank), running.get(rank).join());
        }
    }

    @Test
    void aModuleWithoutTrainedParametersIsRefused(List<Rpc> workers) {
        Members.run(
                workers,
                (_, group) -> {
                    var model = new Linear(2, 2, 1L);
                    model.parameters().forEach(parameter -> parameter.requiresGrad(false));
                    return assertThrows(
                            IllegalArgumentException.class,
                            () -> DistributedDataParallel.of(group, model));
                });
    }

    @Test
    void hooksEndWithTheReplica(List<Rpc> workers) {
        List<List<Tensor>> found =
                Members.run(
                        workers,
                        (_, group) -> {
                            Sequential model = Samples.perceptron(7);
                            try (var parallel = DistributedDataParallel.of(group, model)) {
                                assertEquals(
                                        "DistributedDataParallel(rank %d of 3, 4 parameters)"
                                                .formatted(group.rank()),
                                        parallel.toString());
                            }
                            return Samples.gradients(model, group.rank(), 0);
                        });
        for (int rank = 0; rank < 3; rank++) {
            assertTrue(
                    Samples.equal(
                            Samples.gradients(Samples.perceptron(7), rank, 0), found.get(rank)));
        }
    }

    @Test
    void aPassThatFailsOnOneMemberFailsOnAll(List<Rpc> workers) {
        List<CompletableFuture<Object>> running =
                Members.start(
                        workers,
                        (_, group) -> {
                            Sequential model = Samples.perceptron(7);
                            var parallel =
                                    DistributedDataParallel.builder(group, model)
                                            .bucketBytes(1)
                                            .build();
                            Tensor loss = parallel.forward(m -> Samples.loss(m, group.rank(), 0));
                            if (group.rank() == 1) {
                                model.parameters()
                                        .getFirst()
                                        .registerHook(_ -> {
                                            throw new IllegalStateException("no gradient today");
                                        });
                            }
                            loss.backward();
                            return "not reached";
                        });
        for (CompletableFuture<Object> member : running) {
            Throwable failure = assertThrows(CompletionException.class, member::join).getCause();
            assertNotNull(failure);
            assertTrue(String.valueOf(failure.getMessage()).contains("no gradient today"));
        }
        assertInstanceOf(IllegalStateException.class, running.get(1).exceptionNow());
    }

    @Test
    void aPassWithinAPassIsRefused(List<Rpc> workers) {
        List<CompletableFuture<Object>> running =
                Members.start(
                        workers,
                        (_, group) -> {
                            Sequential model = Samples.perceptron(7);
                            var parallel = DistributedDataParallel.of(group, model);
                            Tensor second = Samples.loss(model, group.rank(), 1);
                            AccumulateGrad.of(model.parameters().getLast())
                                    .addPostAccumulateHook((_, _) -> second.backward());
                            parallel.forward(m -> Samples.loss(m, group.rank(), 0)).backward();
                            return "not reached";
                        });
        for (CompletableFuture<Object> member : running) {
            Throwable failure = assertThrows(CompletionException.class, member::join);
            assertTrue(
                    failure.toString()
                            .contains(
                                    "another backward pass computes gradients of the same DistributedDataParallel; run them in sequence"),
                    failure::toString);
        }
    }

    /** The last gradient waits for the average of the first bucket. */
    @Test
    void bucketsAreAveragedWhileThePassComputesOthers(List<Rpc> workers) {
        Members.run(
                workers,
                (_, group) -> {
                    var averaged = new CountDownLatch(1);
                    CommunicationHook average = CommunicationHook.allReduce();
                    Sequential model = Samples.perceptron(7);
                    var parallel =
                            DistributedDataParallel.builder(group, model)
                                    .bucketBytes(1)
                                    .communicationHook((g, bucket) -> {
                                        Tensor result = average.average(g, bucket);
                                        averaged.countDown();
                                        return result;
                                    })
                                    .build();
                    Tensor loss = parallel.forward(m -> Samples.loss(m, group.rank(), 0));
                    model.parameters()
                            .getFirst()
                            .registerHook(gradient -> {
                                await(averaged);
                                return gradient;
                            });
                    loss.backward();
                    return true;
                });
    }

    private static void await(CountDownLatch latch) {
        try {
            assertTrue(latch.await(40, TimeUnit.SECONDS), "no bucket was averaged");
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void aHookMustReturnTheAverage(List<Rpc> workers) {
        List<CompletableFuture<Object>> running =
                Members.start(
                        workers,
                        (_, group) -> {
                            var parallel =
                                    DistributedDataParallel.builder(group, Samples.perceptron(7))
                                            .communicationHook((_, _) -> Tensor.ones(3))
                                            .build();
                            parallel.forward(m -> Samples.loss(m, group.rank(), 0)).backward();
                            return "not reached";
                        });
        for (CompletableFuture<Object> member : running) {
            Throwable failure = assertThrows(CompletionException.class, member::join);
            assertTrue(
                    failure.toString()
                            .contains(
                                    "a communication hook returned float32[3] for gradients of float32[66]; return their average"),
                    failure::toString);
        }
    }
}
