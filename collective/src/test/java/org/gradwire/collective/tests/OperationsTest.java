package org.gradwire.collective.tests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.collective.ProcessGroup;
import org.gradwire.collective.ReduceOp;
import org.gradwire.rpc.RpcFuture;
import org.gradwire.tensor.DType;
import org.gradwire.tensor.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;

/** Each operation gives what is computed from the tensors of all members. */
class OperationsTest {
    private static final int ROUNDS = 30;

    private final long seed = Seeds.next();
    private final RandomOperations operations = new RandomOperations(seed);

    @ParameterizedTest
    @CsvSource({"1, inproc", "2, inproc", "3, inproc", "4, inproc", "5, inproc", "3, tensorpipe"})
    void anyProgramGivesTheValuesOfAll(int size, String backend) {
        List<RandomOperations.Case> program = new ArrayList<>();
        for (int i = 0; i < ROUNDS; i++) {
            program.add(operations.next(size));
        }
        List<List<List<Tensor>>> results;
        try (Workers workers = new Workers(size, backend, Map.of())) {
            results =
                    workers.run(
                            "all",
                            group -> program.stream().map(c -> c.member().run(group)).toList());
        }
        for (int rank = 0; rank < size; rank++) {
            for (int i = 0; i < ROUNDS; i++) {
                assertSame(program.get(i), rank, results.get(rank).get(i));
            }
        }
    }

    private void assertSame(RandomOperations.Case expected, int rank, List<Tensor> actual) {
        String text = "%s on rank %d, seed %d".formatted(expected.text(), rank, seed);
        List<Tensor> values = expected.expected().get(rank);
        assertEquals(values.size(), actual.size(), text);
        for (int i = 0; i < values.size(); i++) {
            assertEquals(values.get(i).dtype(), actual.get(i).dtype(), text);
            assertEquals(
                    Arrays.toString(values.get(i).shape()),
                    Arrays.toString(actual.get(i).shape()),
                    text);
            assertTrue(values.get(i).equal(actual.get(i)), text);
        }
    }

    /** A caller may change its tensor as soon as an operation has returned. */
    @ParameterizedTest
    @CsvSource({"7, inproc", "100000, inproc", "7, tensorpipe", "100000, tensorpipe"})
    void tensorsMayChangeAfterAnOperation(int elements, String backend) {
        try (Workers workers = new Workers(3, backend, Map.of())) {
            List<Boolean> right =
                    workers.run(
                            "all",
                            group -> {
                                boolean all = true;
                                Tensor mine = Tensor.full(group.rank() + 1, elements);
                                for (int i = 0; i < 20; i++) {
                                    all &=
                                            group.allReduce(mine, ReduceOp.SUM)
                                                    .equal(Tensor.full(6 + 3 * i, elements));
                                    mine.add_(1);
                                }
                                for (int i = 0; i < 20; i++) {
                                    Tensor sent = Tensor.full(i, elements);
                                    Tensor received = group.broadcast(sent, 1);
                                    all &= received.equal(Tensor.full(i, elements));
                                    sent.mul_(-1);
                                }
                                return all;
                            });
            assertEquals(List.of(true, true, true), right);
        }
    }

    /** Sizes around the limits: 32 KiB and, for two members, 4 MiB. */
    @ParameterizedTest
    @CsvSource({"2, inproc", "3, inproc", "2, tensorpipe", "3, tensorpipe"})
    void anAllReduceOfAnySizeLeavesItsArgumentsAsTheyAre(int size, String backend) {
        var random = new SplittableRandom(seed);
        try (Workers workers = new Workers(size, backend, Map.of())) {
            for (int elements : List.of(8_192, 8_193, 1_048_576, 1_048_577)) {
                List<Tensor> all = Samples.tensors(random, size, DType.FLOAT32, elements);
                List<Tensor> before = all.stream().map(Tensor::clone).toList();
                for (ReduceOp op : ReduceOp.values()) {
                    String text = "%s of %d elements, seed %d".formatted(op, elements, seed);
                    Tensor expected = Samples.reduced(op, before);
                    for (Tensor result :
                            workers.run(
                                    "all", group -> group.allReduce(all.get(group.rank()), op))) {
                        assertTrue(expected.equal(result), text);
                    }
                    for (int rank = 0; rank < size; rank++) {
                        assertTrue(before.get(rank).equal(all.get(rank)), text);
                    }
                }
            }
        }
    }

    @Test
    void resultsHaveMemoryOfTheirOwn() {
        try (Workers workers = new Workers(2)) {
            List<Double> sums =
                    workers.run(
                            "all",
                            group -> {
                                Tensor mine = Tensor.full(1, 4);
                                List<Tensor> all = group.allGather(mine);
                                all.forEach(tensor -> tensor.mul_(0));
                                group.barrier();
                                return mine.sum().item();
                            });
            assertEquals(List.of(4.0, 4.0), sums);
        }
    }

    @Test
    void manyOperationsMayBeInFlight() {
        try (Workers workers = new Workers(3)) {
            List<List<Double>> results =
                    workers.run(
                            "all",
                            group -> {
                                List<RpcFuture<Tensor>> futures = new ArrayList<>();
                                for (int i = 0; i < 500; i++) {
                                    futures.add(
                                            group.allReduceAsync(
                                                    Tensor.scalar(1.0 * i + group.rank()),
                                                    ReduceOp.MEAN));
                                }
                                return futures.stream()
                                        .map(future -> future.join().item())
                                        .toList();
                            });
            for (List<Double> values : results) {
                assertEquals(500, values.size());
                for (int i = 0; i < 500; i++) {
                    assertEquals(i + 1, values.get(i));
                }
            }
        }
    }

    @Test
    void aBarrierWaitsForAll() {
        try (Workers workers = new Workers(3)) {
            var arrived = new AtomicInteger();
            List<Integer> seen =
                    workers.run(
                            "all",
                            group -> {
                                arrived.incrementAndGet();
                                group.barrier();
                                return arrived.get();
                            });
            assertEquals(List.of(3, 3, 3), seen);
        }
    }

    @Test
    void wrongArgumentsAreNamedAndBreakNothing() {
        try (Workers workers = new Workers(2)) {
            workers.run(
                    "all",
                    group -> {
                        assertArguments(group);
                        group.barrier();
                        return true;
                    });
        }
    }

    private static void assertArguments(ProcessGroup group) {
        Tensor x = Tensor.ones(2);
        assertWrong(
                "MEAN of tensors of int64; it is for floating-point tensors: use SUM, or convert them with to(DType.FLOAT32)",
                () -> group.allReduce(Tensor.of(1L, 2L), ReduceOp.MEAN));
        assertWrong(
                "SUM of tensors of bool; MIN is their conjunction, MAX their disjunction, or convert them with to(DType.INT32)",
                () -> group.allReduce(Tensor.of(true, false), ReduceOp.SUM));
        Tensor huge = Tensor.ones(1).expand(1 << 30);
        assertWrong(
                "allReduce takes at most 2147483647 elements of a type in one list, but here are 2147483648 or more of float32; use several lists",
                () -> group.allReduce(List.of(huge, huge), ReduceOp.SUM));
        assertWrong(
                "the root 2 is not a rank of the group all, which has 2 members",
                () -> group.broadcast(x, 2));
        assertWrong(
                "1 tensors for the 2 members of the group all; give one for each",
                () -> group.allToAll(List.of(x)));
        assertWrong(
                "collective operations take dense tensors, and allReduce a sparse one alone; call toDense()",
                () -> group.allGather(x.toSparse()));
        assertWrong(
                "broadcast takes at least one tensor; the list is empty",
                () -> group.broadcast(List.of(), 0));
        assertWrong(
                "SUM of tensors of bool; MIN is their conjunction, MAX their disjunction, or convert them with to(DType.INT32)",
                () -> group.allReduce(List.of(x, Tensor.of(true)), ReduceOp.SUM));
        assertWrong(
                "reduceScatter takes tensors of one type and shape, not float32[2] and float32[3]",
                () -> group.reduceScatter(List.of(x, Tensor.ones(3)), ReduceOp.SUM));
    }

    private static void assertWrong(String text, Runnable operation) {
        assertEquals(
                text, assertThrows(IllegalArgumentException.class, operation::run).getMessage());
    }
}
