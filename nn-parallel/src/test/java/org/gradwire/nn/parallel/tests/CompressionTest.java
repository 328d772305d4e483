package org.gradwire.nn.parallel.tests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.junit.GradwireWorkers;
import org.gradwire.nn.Linear;
import org.gradwire.nn.Sequential;
import org.gradwire.nn.parallel.CommunicationHook;
import org.gradwire.nn.parallel.DistributedDataParallel;
import org.gradwire.nn.parallel.PowerSgdCompression;
import org.gradwire.nn.parallel.TopKCompression;
import org.gradwire.optim.SGD;
import org.gradwire.rpc.Rpc;
import org.gradwire.tensor.DType;
import org.gradwire.tensor.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/** Communication hooks that send less than the gradients. */
@Timeout(120)
@GradwireWorkers(2)
class CompressionTest {
    private static final int WIDTH = 16;

    private static Linear model() {
        return new Linear(WIDTH, WIDTH, 3L);
    }

    private static Tensor target() {
        return Tensor.randn(new SplittableRandom(5), WIDTH, WIDTH).mul(0.3);
    }

    /** The losses and weights of a training that fits a matrix, on each member. */
    private record Fit(List<Double> losses, List<Tensor> weights) {}

    private static List<Fit> fit(List<Rpc> workers, Supplier<CommunicationHook> hook, int steps) {
        return Members.run(
                workers,
                (_, group) -> {
                    Linear model = model();
                    var parallel =
                            DistributedDataParallel.builder(group, model)
                                    .communicationHook(hook.get())
                                    .build();
                    var optimizer = new SGD(model.parameters(), 0.5);
                    List<Double> losses = new ArrayList<>();
                    for (int step = 0; step < steps; step++) {
                        Tensor x =
                                Tensor.randn(
                                        new SplittableRandom(100L * step + group.rank()), 8, WIDTH);
                        optimizer.zeroGrad();
                        Tensor loss =
                                parallel.forward(m -> m.forward(x))
                                        .sub(x.matmul(target()))
                                        .pow(2)
                                        .mean();
                        loss.backward();
                        optimizer.step();
                        losses.add(loss.item());
                    }
                    return new Fit(losses, Samples.copies(model.parameters()));
                });
    }

    private static void assertConverges(List<Fit> fits) {
        assertTrue(Samples.equal(fits.get(0).weights(), fits.get(1).weights()));
        for (Fit fit : fits) {
            double first = fit.losses().getFirst();
            double last = fit.losses().getLast();
            assertTrue(last < first / 20, () -> "losses: " + fit.losses());
        }
    }

    @Test
    void halfPrecisionIsCloseToTheAverage(List<Rpc> workers) {
        List<List<Tensor>> found =
                Members.run(
                        workers,
                        (_, group) -> {
                            Sequential model = Samples.perceptron(7);
                            var parallel =
                                    DistributedDataParallel.builder(group, model)
                                            .communicationHook(
                                                    CommunicationHook.compressed(DType.FLOAT16))
                                            .build();
                            parallel.forward(m -> Samples.loss(m, group.rank(), 0)).backward();
                            return Samples.gradients(model);
                        });
        Sequential alone = Samples.perceptron(7);
        List<Tensor> expected =
                Samples.average(
                        IntStream.range(0, 2)
                                .mapToObj(rank -> Samples.gradients(alone, rank, 0))
                                .toList());
        assertTrue(Samples.equal(found.get(0), found.get(1)));
        for (int i = 0; i < expected.size(); i++) {
            assertTrue(found.getFirst().get(i).allclose(expected.get(i), 1e-3, 1e-5));
        }
        assertThrows(
                IllegalArgumentException.class, () -> CommunicationHook.compressed(DType.INT64));
    }

    @Test
    void allOfTheTopIsTheAverage(List<Rpc> workers) {
        List<Fit> exact = fit(workers, CommunicationHook::allReduce, 5);
        List<Fit> top = fit(workers, () -> new TopKCompression(1), 5);
        assertTrue(Samples.equal(exact.getFirst().weights(), top.getFirst().weights()));
    }

    @Test
    void trainingConvergesWithFewGradients(List<Rpc> workers) {
        assertConverges(fit(workers, () -> new TopKCompression(0.1), 300));
    }

    @Test
    void trainingConvergesWithFactorsOfLowRank(List<Rpc> workers) {
        assertConverges(fit(workers, () -> new PowerSgdCompression(2, 2, 11), 300));
    }

    @Test
    void gradientsOfLowRankAreExact(List<Rpc> workers) {
        // The gradient of one sample is a matrix of rank 1, and the average over two of rank 2.
        List<Tensor> found =
                Members.run(
                        workers,
                        (_, group) -> {
                            Linear model = model();
                            var parallel =
                                    DistributedDataParallel.builder(group, model)
                                            .communicationHook(new PowerSgdCompression(2, 0, 1))
                                            .build();
                            Tensor x = Tensor.randn(new SplittableRandom(group.rank()), 1, WIDTH);
                            parallel.forward(m -> m.forward(x)).pow(2).sum().backward();
                            return Samples.gradients(model).getFirst();
                        });
        Linear alone = model();
        for (int rank = 0; rank < 2; rank++) {
            Tensor x = Tensor.randn(new SplittableRandom(rank), 1, WIDTH);
            alone.forward(x).pow(2).sum().div(2).backward();
        }
        assertTrue(found.get(0).equal(found.get(1)));
        assertTrue(found.getFirst().allclose(Samples.gradients(alone).getFirst(), 1e-3, 1e-3));
    }

    @Test
    void argumentsAreChecked() {
        assertEquals(
                "the ratio must be more than 0 and at most 1, but is 0.0",
                assertThrows(IllegalArgumentException.class, () -> new TopKCompression(0))
                        .getMessage());
        assertThrows(IllegalArgumentException.class, () -> new TopKCompression(Double.NaN));
        assertThrows(IllegalArgumentException.class, () -> new PowerSgdCompression(0, 0, 1));
        assertThrows(IllegalArgumentException.class, () -> new PowerSgdCompression(1, -1, 1));
    }
}
