package org.gradwire.collective.tests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.autograd.distributed.AutogradContext;
import org.gradwire.autograd.distributed.DistAutograd;
import org.gradwire.collective.ProcessGroup;
import org.gradwire.collective.ReduceOp;
import org.gradwire.rpc.Rpc;
import org.gradwire.tensor.DType;
import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.function.Function;

/**
 * The gradients of operations are those of the same function computed on one worker: the sum of the
 * losses of all members, by the tensors of each.
 */
@Timeout(60)
class GradientsTest {
    private static final int SIZE = 3;

    private final long seed = Seeds.next();
    private final SplittableRandom random = new SplittableRandom(seed);

    /** A differentiable operation, and its results by rank, computed on one worker. */
    enum Operation {
        SUM(
                (g, x) -> List.of(g.allReduce(x.getFirst(), ReduceOp.SUM)),
                all -> repeated(List.of(sum(firsts(all))))),
        MEAN(
                (g, x) -> List.of(g.allReduce(x.getFirst(), ReduceOp.MEAN)),
                all -> repeated(List.of(sum(firsts(all)).div(SIZE)))),
        BROADCAST(
                (g, x) -> List.of(g.broadcast(x.getFirst(), 1)),
                all -> repeated(List.of(all.get(1).getFirst()))),
        ALL_GATHER((g, x) -> g.allGather(x.getFirst()), all -> repeated(firsts(all))),
        SUM_OF_LISTS((g, x) -> g.allReduce(x, ReduceOp.SUM), Operation::sums),
        MEAN_OF_LISTS(
                (g, x) -> g.allReduce(x, ReduceOp.MEAN),
                all -> repeated(sums(all).getFirst().stream().map(sum -> sum.div(SIZE)).toList())),
        BROADCAST_OF_LISTS((g, x) -> g.broadcast(x, 2), all -> repeated(all.get(2))),
        ALL_GATHER_OF_LISTS(
                (g, x) -> g.allGather(x).stream().flatMap(List::stream).toList(),
                all -> repeated(all.stream().flatMap(List::stream).toList())),
        REDUCE_SCATTER(
                (g, x) -> List.of(g.reduceScatter(x, ReduceOp.SUM)),
                all -> columns(all).stream().map(column -> List.of(sum(column))).toList()),
        REDUCE_SCATTER_MEAN(
                (g, x) -> List.of(g.reduceScatter(x, ReduceOp.MEAN)),
                all ->
                        columns(all).stream()
                                .map(column -> List.of(sum(column).div(SIZE)))
                                .toList()),
        ALL_TO_ALL(ProcessGroup::allToAll, Operation::columns);

        private final Distributed distributed;
        private final Function<List<List<Tensor>>, List<List<Tensor>>> local;

        interface Distributed {
            List<Tensor> apply(ProcessGroup group, List<Tensor> tensors);
        }

        Operation(Distributed distributed, Function<List<List<Tensor>>, List<List<Tensor>>> local) {
            this.distributed = distributed;
            this.local = local;
        }

        private static List<Tensor> firsts(List<List<Tensor>> all) {
            return all.stream().map(List::getFirst).toList();
        }

        private static Tensor sum(List<Tensor> tensors) {
            return tensors.stream().reduce(Ops::add).orElseThrow();
        }

        private static List<List<Tensor>> repeated(List<Tensor> results) {
            return List.of(results, results, results);
        }

        private static List<List<Tensor>> sums(List<List<Tensor>> all) {
            return repeated(columns(all).stream().map(Operation::sum).toList());
        }

        private static List<List<Tensor>> columns(List<List<Tensor>> rows) {
            List<List<Tensor>> columns = new ArrayList<>();
            for (int i = 0; i < SIZE; i++) {
                int column = i;
                columns.add(rows.stream().map(row -> row.get(column)).toList());
            }
            return columns;
        }
    }

    @ParameterizedTest
    @EnumSource
    void gradientsAreThoseOfOneWorker(Operation operation) {
        List<List<Tensor>> inputs = new ArrayList<>();
        List<List<Tensor>> weights = new ArrayList<>(); // of the results in the loss, by rank
        for (int rank = 0; rank < SIZE; rank++) {
            inputs.add(leaves());
            weights.add(Samples.tensors(random, SIZE * SIZE, DType.FLOAT64, 2, 3));
        }
        List<List<Tensor>> expected = localGradients(operation, inputs, weights);
        try (Workers workers = new Workers(SIZE)) {
            List<List<Tensor>> gradients =
                    workers.run(
                            "all",
                            group -> {
                                List<Tensor> mine = copies(inputs.get(group.rank()));
                                List<Tensor> results = operation.distributed.apply(group, mine);
                                loss(results, weights.get(group.rank())).backward();
                                return gradients(mine);
                            });
            assertGradients(operation, expected, gradients);
        }
    }

    /** All members run their distributed passes at the same time. */
    @ParameterizedTest
    @EnumSource
    void gradientsInDistributedContextsAreThoseOfOneWorker(Operation operation) {
        List<List<Tensor>> inputs = new ArrayList<>();
        List<List<Tensor>> weights = new ArrayList<>();
        for (int rank = 0; rank < SIZE; rank++) {
            inputs.add(leaves());
            weights.add(Samples.tensors(random, SIZE * SIZE, DType.FLOAT64, 2, 3));
        }
        List<List<Tensor>> expected = localGradients(operation, inputs, weights);
        try (Workers workers = new Workers(SIZE)) {
            List<List<Tensor>> gradients =
                    workers.run(
                            "all",
                            group -> {
                                Rpc rpc = workers.get(group.rank());
                                List<Tensor> mine = copies(inputs.get(group.rank()));
                                try (AutogradContext context = DistAutograd.context(rpc)) {
                                    List<Tensor> results = operation.distributed.apply(group, mine);
                                    context.backward(loss(results, weights.get(group.rank())));
                                    Map<Tensor, Tensor> found = context.gradients();
                                    assertFalse(found.isEmpty());
                                    return mine.stream()
                                            .map(leaf ->
                                                    found.getOrDefault(
                                                            leaf, Tensor.zerosLike(leaf).detach()))
                                            .toList();
                                }
                            });
            assertGradients(operation, expected, gradients);
        }
    }

    private void assertGradients(
            Operation operation, List<List<Tensor>> expected, List<List<Tensor>> gradients) {
        for (int rank = 0; rank < SIZE; rank++) {
            assertEquals(SIZE, gradients.get(rank).size());
            for (int i = 0; i < SIZE; i++) {
                assertTrue(
                        expected.get(rank).get(i).allclose(gradients.get(rank).get(i)),
                        "%s on rank %d, input %d, seed %d".formatted(operation, rank, i, seed));
            }
        }
    }

    private List<Tensor> leaves() {
        return Samples.tensors(random, SIZE, DType.FLOAT64, 2, 3).stream()
                .map(tensor -> tensor.requiresGrad(true))
                .toList();
    }

    private static List<Tensor> copies(List<Tensor> tensors) {
        return tensors.stream().map(x -> x.detach().clone().requiresGrad(true)).toList();
    }

    private static Tensor loss(List<Tensor> results, List<Tensor> weights) {
        Tensor loss = Tensor.zeros(DType.FLOAT64);
        for (int i = 0; i < results.size(); i++) {
            Tensor result = results.get(i);
            loss = loss.add(result.mul(result).mul(weights.get(i)).sum());
        }
        return loss;
    }

    private static List<List<Tensor>> localGradients(
            Operation operation, List<List<Tensor>> inputs, List<List<Tensor>> weights) {
        List<List<Tensor>> all = inputs.stream().map(GradientsTest::copies).toList();
        List<List<Tensor>> results = operation.local.apply(all);
        Tensor loss = Tensor.zeros(DType.FLOAT64);
        for (int rank = 0; rank < SIZE; rank++) {
            loss = loss.add(loss(results.get(rank), weights.get(rank)));
        }
        loss.backward();
        return all.stream().map(GradientsTest::gradients).toList();
    }

    private static List<Tensor> gradients(List<Tensor> leaves) {
        return leaves.stream()
                .map(leaf -> {
                    Tensor gradient = leaf.grad();
                    return gradient == null ? Tensor.zerosLike(leaf).detach() : gradient;
                })
                .toList();
    }

    /** Tensors of a list without a gradient are exchanged with the others. */
    @Test
    void listsMayHaveTensorsOfIntegers() {
        try (Workers workers = new Workers(2)) {
            List<List<Double>> found =
                    workers.run(
                            "all",
                            group -> {
                                int rank = group.rank();
                                Tensor x = Tensor.full(1.0f + rank, 2).requiresGrad(true);
                                List<Tensor> mixed = List.of(Tensor.of(10L + rank), x);
                                List<Tensor> sums = group.allReduce(mixed, ReduceOp.SUM);
                                List<Tensor> sent = group.broadcast(mixed, 1);
                                List<List<Tensor>> all = group.allGather(mixed);
                                Tensor loss = sums.get(1).mul(rank + 1).sum();
                                loss = loss.add(sent.get(1).mul(10).sum());
                                loss.add(all.get(1).get(1).mul(100).sum()).backward();
                                return List.of(
                                        sums.getFirst().item(),
                                        sent.getFirst().item(),
                                        all.getFirst().getFirst().item(),
                                        Objects.requireNonNull(x.grad()).sum().item());
                            });
            assertEquals(List.of(21.0, 11.0, 10.0, 2 * 3.0), found.get(0));
            assertEquals(List.of(21.0, 11.0, 10.0, 2 * 223.0), found.get(1));
        }
    }

    @Test
    void operationsWithoutAGradientRefuseTensorsThatRequireOne() {
        try (Workers workers = new Workers(1);
                ProcessGroup group = workers.group(0, "all")) {
            Tensor x = Tensor.ones(2).requiresGrad(true);
            String refused =
                    "this operation is not differentiable, and the tensor requires a gradient; pass tensor.detach(), or run it within GradMode.noGrad()";
            List<Runnable> operations =
                    List.of(
                            () -> group.reduce(x, ReduceOp.SUM, 0),
                            () -> group.gather(x, 0),
                            () -> group.scatter(List.of(x), 0),
                            () -> group.allReduce_(x, ReduceOp.SUM),
                            () -> group.allReduceAsync(x, ReduceOp.SUM));
            for (Runnable operation : operations) {
                var failure = assertThrows(IllegalArgumentException.class, operation::run);
                assertEquals(refused, failure.getMessage());
            }
            var failure =
                    assertThrows(
                            IllegalArgumentException.class, () -> group.allReduce(x, ReduceOp.MAX));
            assertEquals(
                    "MAX is not differentiable, and the tensor requires a gradient; reduce with SUM or MEAN, or pass tensor.detach()",
                    failure.getMessage());
        }
    }
}
