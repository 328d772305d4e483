package org.gradwire.nn.parallel.tests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.junit.GradwireWorkers;
import org.gradwire.nn.Linear;
import org.gradwire.nn.Sequential;
import org.gradwire.nn.normalization.BatchNorm1d;
import org.gradwire.nn.parallel.DistributedDataParallel;
import org.gradwire.optim.SGD;
import org.gradwire.rpc.Rpc;
import org.gradwire.tensor.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/** Members with different numbers of batches. */
@Timeout(120)
@GradwireWorkers(3)
class UnevenInputsTest {

    @Test
    void membersWithoutBatchesCountAsZeros(List<Rpc> workers) {
        for (int[] steps : new int[][] {{2, 5, 0}, {0, 0, 3}, {3, 3, 3}, {0, 0, 0}, {1, 0, 2}}) {
            List<List<Tensor>> found =
                    Members.run(
                            workers,
                            (_, group) -> {
                                Sequential model = Samples.perceptron(7);
                                var parallel =
                                        DistributedDataParallel.builder(group, model)
                                                .bucketBytes(1)
                                                .build();
                                var optimizer = new SGD(model.parameters(), 0.3);
                                parallel.join(
                                        () -> train(parallel, optimizer, group.rank(), steps));
                                return Samples.copies(model.parameters());
                            });
            List<Tensor> expected = alone(steps);
            for (List<Tensor> member : found) {
                for (int i = 0; i < expected.size(); i++) {
                    assertTrue(member.get(i).allclose(expected.get(i), 1e-6, 1e-6));
                }
            }
            assertTrue(Samples.equal(found.get(0), found.get(1)));
            assertTrue(Samples.equal(found.get(0), found.get(2)));
        }
    }

    private static void train(
            DistributedDataParallel<Sequential> parallel, SGD optimizer, int rank, int[] steps) {
        for (int s = 0; s < steps[rank]; s++) {
            int step = s;
            optimizer.zeroGrad();
            parallel.forward(m -> Samples.loss(m, rank, step)).backward();
            optimizer.step();
        }
    }

    private static List<Tensor> alone(int[] steps) {
        Sequential model = Samples.perceptron(7);
        var optimizer = new SGD(model.parameters(), 0.3);
        for (int step = 0; step < 5; step++) {
            optimizer.zeroGrad();
            for (int rank = 0; rank < 3; rank++) {
                if (step < steps[rank]) {
                    Samples.loss(model, rank, step).div(3).backward();
                }
            }
            optimizer.step();
        }
        return Samples.copies(model.parameters());
    }

    /** A member without batches gets the buffers of one that was among the last. */
    @Test
    void buffersAreThoseOfTheLast(List<Rpc> workers) {
        List<List<Tensor>> found =
                Members.run(
                        workers,
                        (_, group) -> {
                            var model =
                                    new Sequential(
                                            new Linear(Samples.INPUTS, 4, 1L), new BatchNorm1d(4));
                            var parallel = DistributedDataParallel.of(group, model);
                            var optimizer = new SGD(model.parameters(), 0.3);
                            parallel.join(() ->
                                    train(parallel, optimizer, group.rank(), new int[] {0, 1, 4}));
                            return Samples.copies(model.buffers());
                        });
        assertTrue(Samples.equal(found.get(0), found.get(1)));
        assertTrue(Samples.equal(found.get(0), found.get(2)));
        assertEquals(4, found.getFirst().getLast().item()); // the number of batches
    }

    @Test
    void aTrainingThatFailsOnOneMemberFailsOnAll(List<Rpc> workers) {
        List<CompletableFuture<Object>> running =
                Members.start(
                        workers,
                        (_, group) -> {
                            Sequential model = Samples.perceptron(7);
                            var parallel = DistributedDataParallel.of(group, model);
                            parallel.join(() -> {
                                if (group.rank() == 2) {
                                    throw new IllegalStateException("no batch today");
                                }
                                train(
                                        parallel,
                                        Samples.optimizer(model),
                                        group.rank(),
                                        new int[] {3, 0, 0});
                            });
                            return "not reached";
                        });
        for (CompletableFuture<Object> member : running) {
            Throwable failure = assertThrows(CompletionException.class, member::join);
            assertTrue(failure.toString().contains("no batch today"), failure::toString);
        }
    }
}
