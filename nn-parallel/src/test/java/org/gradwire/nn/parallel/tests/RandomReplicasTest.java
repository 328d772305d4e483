package org.gradwire.nn.parallel.tests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.junit.GradwireWorkers;
import org.gradwire.nn.Module;
import org.gradwire.nn.parallel.DistributedDataParallel;
import org.gradwire.rpc.Rpc;
import org.gradwire.tensor.DType;
import org.gradwire.tensor.Tensor;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * Random modules, of which each member uses random parameters in each pass, compared with sums in
 * the order of the ranks. {@code -Dnn-parallel.seed=N} replays a run.
 */
@Timeout(120)
@GradwireWorkers(3)
class RandomReplicasTest {
    private static final int MEMBERS = 3;
    private static final int CASES = 25;
    private static final int PASSES = 4;

    /** Parameters of random sizes and types. */
    private static final class Parameters extends Module {
        private final List<Tensor> all = new ArrayList<>();

        Parameters(long seed) {
            var random = new SplittableRandom(seed);
            int count = random.nextInt(1, 9);
            for (int i = 0; i < count; i++) {
                DType dtype = random.nextInt(4) == 0 ? DType.FLOAT64 : DType.FLOAT32;
                Tensor values = Tensor.randn(random, dtype, random.nextInt(1, 60));
                all.add(registerParameter("p" + i, values));
            }
        }

        /** {@return a loss that uses some parameters, at least one, in some order} */
        Tensor loss(SplittableRandom random) {
            Tensor loss = Tensor.zeros();
            int first = random.nextInt(all.size());
            for (int i = 0; i < all.size(); i++) {
                Tensor parameter = all.get((first + i) % all.size());
                boolean isUsed = i == 0 || random.nextInt(3) > 0;
                double factor = random.nextDouble(-2, 2);
                if (isUsed) {
                    loss = loss.add(parameter.mul(parameter).mul(factor).sum());
                }
            }
            return loss;
        }
    }

    /** A random case; all members and the comparison derive the same one from its seed. */
    private record Case(long seed) {
        SplittableRandom pass(int rank, int number) {
            return new SplittableRandom(seed + 1000L * (rank + 1) + number);
        }

        /** {@return whether members average in a pass; the last one always does} */
        boolean averages(int number) {
            return number == PASSES - 1 || new SplittableRandom(seed - number).nextInt(3) > 0;
        }

        long bucketBytes() {
            return new SplittableRandom(seed).nextLong(1, 400);
        }
    }

    @Test
    void gradientsAreSumsInTheOrderOfTheRanks(List<Rpc> workers) {
        long seed = Long.getLong("nn-parallel.seed", System.nanoTime());
        System.out.println("seed of the random replicas: -Dnn-parallel.seed=" + seed);
        for (int i = 0; i < CASES; i++) {
            var some = new Case(seed + 1_000_000L * i);
            List<List<@Nullable Tensor>> expected = expected(some);
            List<List<@Nullable Tensor>> found =
                    Members.run(
                            workers,
                            (_, group) ->
                                    train(
                                            some,
                                            group.rank(),
                                            DistributedDataParallel.builder(
                                                            group, new Parameters(some.seed()))
                                                    .bucketBytes(some.bucketBytes())
                                                    .build()));
            for (int rank = 0; rank < MEMBERS; rank++) {
                assertSame(expected.get(rank), found.get(rank), "case " + i + " of seed " + seed);
            }
        }
    }

    private static List<@Nullable Tensor> train(
            Case some, int rank, DistributedDataParallel<Parameters> parallel) {
        try (parallel) {
            for (int pass = 0; pass < PASSES; pass++) {
                SplittableRandom random = some.pass(rank, pass);
                if (some.averages(pass)) {
                    parallel.forward(m -> m.loss(random)).backward();
                } else {
                    try (var _ = parallel.noSync()) {
                        parallel.forward(m -> m.loss(random)).backward();
                    }
                }
            }
        }
        return gradients(parallel.module());
    }

    private static List<@Nullable Tensor> gradients(Parameters module) {
        List<@Nullable Tensor> gradients = new ArrayList<>();
        module.parameters().forEach(parameter -> gradients.add(parameter.grad()));
        return gradients;
    }

    /** {@return the gradients of each member, computed in one process} */
    private static List<List<@Nullable Tensor>> expected(Case some) {
        List<Parameters> replicas =
                IntStream.range(0, MEMBERS).mapToObj(_ -> new Parameters(some.seed())).toList();
        for (int pass = 0; pass < PASSES; pass++) {
            for (int rank = 0; rank < MEMBERS; rank++) {
                replicas.get(rank).loss(some.pass(rank, pass)).backward();
            }
            if (some.averages(pass)) {
                average(replicas);
            }
        }
        return replicas.stream().map(RandomReplicasTest::gradients).toList();
    }

    private static void average(List<Parameters> replicas) {
        for (int i = 0; i < replicas.getFirst().all.size(); i++) {
            Tensor sum = null;
            boolean isUsed = false;
            for (Parameters replica : replicas) {
                Tensor gradient = replica.all.get(i).grad();
                isUsed |= gradient != null;
                Tensor term = gradient == null ? Tensor.zerosLike(replica.all.get(i)) : gradient;
                sum = sum == null ? term.clone() : sum.add(term);
            }
            assertNotNull(sum);
            Tensor mean = sum.div(MEMBERS);
            for (Parameters replica : replicas) {
                var _ = isUsed ? replica.all.get(i).grad(mean.clone()) : mean;
            }
        }
    }

    private static void assertSame(
            List<@Nullable Tensor> expected, List<@Nullable Tensor> found, String text) {
        assertEquals(expected.size(), found.size(), text);
        for (int i = 0; i < expected.size(); i++) {
            Tensor right = expected.get(i);
            Tensor gradient = found.get(i);
            if (right == null) {
                assertNull(gradient, text);
            } else {
                assertNotNull(gradient, text);
                assertTrue(gradient.equal(right), text);
            }
        }
    }
}
