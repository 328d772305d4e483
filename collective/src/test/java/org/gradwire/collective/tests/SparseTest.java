package org.gradwire.collective.tests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.collective.ProcessGroup;
import org.gradwire.collective.ReduceOp;
import org.gradwire.tensor.DType;
import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;

/** The reduction of sparse tensors. */
@Timeout(60)
class SparseTest {
    private static final int ROUNDS = 30;

    private final long seed = Seeds.next();
    private final SplittableRandom random = new SplittableRandom(seed);

    /** The sparse tensors of all members. */
    private record Case(ReduceOp op, List<Tensor> tensors) {
        String about(int rank, long seed) {
            return "%s of %s on rank %d, seed %d".formatted(op, tensors, rank, seed);
        }
    }

    /** The results are those of the dense tensors, and have the same bits on all members. */
    @ParameterizedTest
    @CsvSource({"1, inproc", "2, inproc", "4, inproc", "3, tensorpipe"})
    void resultsAreThoseOfDenseTensors(int size, String backend) {
        List<Case> program = new ArrayList<>();
        for (int i = 0; i < ROUNDS; i++) {
            program.add(sample(size));
        }
        List<List<List<Tensor>>> results;
        try (Workers workers = new Workers(size, backend, Map.of())) {
            results = workers.run("all", g -> program.stream().map(each -> both(g, each)).toList());
        }
        for (int i = 0; i < ROUNDS; i++) {
            Tensor first = results.getFirst().get(i).getFirst();
            for (int rank = 0; rank < size; rank++) {
                String about = program.get(i).about(rank, seed);
                Tensor sparse = results.get(rank).get(i).getFirst();
                assertTrue(sparse.isSparse() && sparse.isCoalesced(), about);
                assertTrue(sparse.toDense().equal(results.get(rank).get(i).get(1)), about);
                assertTrue(sparse.indices().equal(first.indices()), about);
                assertTrue(sparse.heldValues().equal(first.heldValues()), about);
                assertEquals(first.dtype(), sparse.dtype(), about);
            }
        }
    }

    private static List<Tensor> both(ProcessGroup group, Case each) {
        Tensor mine = each.tensors.get(group.rank());
        Tensor sparse =
                mine.isCoalesced()
                        ? group.allReduceAsync(mine, each.op).join()
                        : group.allReduce(mine, each.op);
        return List.of(sparse, group.allReduce(mine.coalesce().toDense(), each.op));
    }

    private Case sample(int size) {
        DType dtype = Samples.dtype(random);
        while (dtype == DType.BOOL) {
            dtype = Samples.dtype(random);
        }
        boolean mean = dtype.isFloating() && random.nextBoolean();
        int[][] shapes = {{1}, {20}, {4, 5}, {3, 2, 4}, {0}, {1_000, 16}};
        int[] shape = shapes[random.nextInt(shapes.length)];
        int sparseDims = random.nextInt(1, shape.length + 1);
        List<Tensor> tensors = new ArrayList<>();
        for (int rank = 0; rank < size; rank++) {
            tensors.add(sparse(dtype, shape, sparseDims));
        }
        return new Case(mean ? ReduceOp.MEAN : ReduceOp.SUM, tensors);
    }

    /** {@return a tensor with a random number of elements, some of them at the same index} */
    private Tensor sparse(DType dtype, int[] shape, int sparseDims) {
        boolean empty = Arrays.stream(shape).anyMatch(length -> length == 0);
        int nnz = empty ? 0 : random.nextInt(shape[0] * 2);
        long[][] indices = new long[sparseDims][nnz];
        for (int d = 0; d < sparseDims; d++) {
            for (int i = 0; i < nnz; i++) {
                indices[d][i] = random.nextInt(shape[d]);
            }
        }
        int[] valueShape = new int[1 + shape.length - sparseDims];
        valueShape[0] = nnz;
        System.arraycopy(shape, sparseDims, valueShape, 1, valueShape.length - 1);
        Tensor columns = nnz == 0 ? Tensor.zeros(DType.INT64, sparseDims, 0) : Tensor.of(indices);
        Tensor uncoalesced =
                Tensor.sparseCoo(columns, Samples.tensor(random, dtype, valueShape), shape);
        return random.nextBoolean() ? uncoalesced : uncoalesced.coalesce();
    }

    /** The gradients of an embedding, of which each member uses other rows. */
    @Test
    void gradientsOfAnEmbeddingAreReduced() {
        try (Workers workers = new Workers(2)) {
            List<Tensor> gradients =
                    workers.run(
                            "all",
                            group -> {
                                Tensor weight = Tensor.ones(5, 2).requiresGrad(true);
                                Tensor rows = Tensor.of(0L, 3L, 3L + group.rank());
                                Ops.embedding(weight, rows, true).sum().backward();
                                Tensor gradient = Objects.requireNonNull(weight.grad());
                                return group.allReduce(gradient, ReduceOp.MEAN);
                            });
            for (Tensor gradient : gradients) {
                assertTrue(gradient.indices().equal(Tensor.of(new long[][] {{0, 3, 4}})));
                assertTrue(
                        gradient.heldValues()
                                .equal(
                                        Tensor.of(
                                                new float[][] {
                                                    {1, 1}, {1.5f, 1.5f}, {0.5f, 0.5f}
                                                })));
            }
        }
    }

    @Test
    void resultsShareNoMemoryWithArguments() {
        try (Workers workers = new Workers(1);
                ProcessGroup group = workers.group(0, "all")) {
            Tensor mine = Tensor.ones(3).toSparse();
            Tensor sum = group.allReduce(mine, ReduceOp.SUM);
            sum.heldValues().fill_(7);
            assertTrue(mine.toDense().equal(Tensor.ones(3)));
        }
    }

    @Test
    void otherOperationsAndGradientsAreRefused() {
        try (Workers workers = new Workers(1);
                ProcessGroup group = workers.group(0, "all")) {
            Tensor x = Tensor.ones(2).toSparse();
            String dense =
                    "collective operations take dense tensors, and allReduce a sparse one alone; call toDense()";
            assertWrong(
                    "MAX of sparse tensors; they are reduced with SUM or MEAN, or call toDense()",
                    () -> group.allReduce(x, ReduceOp.MAX));
            assertWrong(dense, () -> group.allReduce_(x, ReduceOp.SUM));
            assertWrong(dense, () -> group.allReduce(List.of(x, x), ReduceOp.SUM));
            assertWrong(dense, () -> group.broadcast(x, 0));
            assertWrong(
                    "this operation is not differentiable, and the tensor requires a gradient; pass tensor.detach(), or run it within GradMode.noGrad()",
                    () ->
                            group.allReduce(
                                    Tensor.ones(2).toSparse().requiresGrad(true), ReduceOp.SUM));
        }
    }

    private static void assertWrong(String text, Runnable operation) {
        assertEquals(
                text, assertThrows(IllegalArgumentException.class, operation::run).getMessage());
    }
}
