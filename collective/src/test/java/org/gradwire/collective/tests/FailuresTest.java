package org.gradwire.collective.tests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.collective.CollectiveMismatchException;
import org.gradwire.collective.ProcessGroup;
import org.gradwire.collective.ReduceOp;
import org.gradwire.rpc.RpcConnectionException;
import org.gradwire.rpc.RpcErrorKind;
import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.RpcTimeoutException;
import org.gradwire.tensor.DType;
import org.gradwire.tensor.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.stream.Stream;

/** Operations that cannot succeed fail on all members. */
@Timeout(60)
class FailuresTest {
    private static final Map<String, String> SITES =
            Map.of("gradwire.collective.call-sites", "true");

    private static final Tensor X = Tensor.ones(2);

    /** The operation of the first member, that of the others, and their texts. */
    record Mismatch(
            Workers.Member<Object> first,
            String firstText,
            Workers.Member<Object> others,
            String othersText) {
        @Override
        public String toString() {
            return firstText + " and " + othersText;
        }
    }

    static Stream<Mismatch> mismatches() {
        return Stream.of(
                new Mismatch(
                        g -> g.allReduce(X, ReduceOp.SUM),
                        "allReduce(SUM, float32[2])",
                        g -> g.allReduce(X, ReduceOp.MAX),
                        "allReduce(MAX, float32[2])"),
                new Mismatch(
                        g -> g.allReduce(X, ReduceOp.SUM),
                        "allReduce(SUM, float32[2])",
                        g -> g.allReduce(Tensor.ones(100, 200), ReduceOp.SUM),
                        "allReduce(SUM, float32[100, 200])"),
                new Mismatch(
                        g -> g.allGather(X),
                        "allGather(float32[2])",
                        g -> g.allGather(Tensor.ones(DType.FLOAT64, 2)),
                        "allGather(float64[2])"),
                new Mismatch(
                        g -> g.allReduce(Tensor.ones(2, 2).toSparse(1), ReduceOp.SUM),
                        "allReduce(SUM, float32[2, 2] (sparse, sparseDim 1))",
                        g -> g.allReduce(Tensor.ones(2, 2).toSparse(2), ReduceOp.SUM),
                        "allReduce(SUM, float32[2, 2] (sparse, sparseDim 2))"),
                new Mismatch(
                        g -> g.allReduce(X.toSparse(), ReduceOp.SUM),
                        "allReduce(SUM, float32[2] (sparse, sparseDim 1))",
                        g -> g.allReduce(X, ReduceOp.SUM),
                        "allReduce(SUM, float32[2])"),
                new Mismatch(
                        g -> g.allReduce(List.of(X, X, X, X), ReduceOp.SUM),
                        "allReduce(SUM, float32[2], float32[2], float32[2] and 1 more)",
                        g -> g.allReduce(List.of(X, X, X, Tensor.ones(7)), ReduceOp.SUM),
                        "float32[2] and 1 more); their tensors 3 are float32["),
                new Mismatch(
                        g -> g.broadcast(List.of(X, X), 0),
                        "broadcast(float32[2], float32[2], root 0)",
                        g -> g.broadcast(X, 0),
                        "broadcast(float32[2], root 0)"),
                new Mismatch(
                        g -> g.broadcast(X, 1),
                        "broadcast(float32[2], root 1)",
                        g -> g.broadcast(X, 0),
                        "broadcast(float32[2], root 0)"),
                new Mismatch(
                        g -> g.scatter(List.of(), 1),
                        "scatter(root 1)",
                        g -> g.scatter(List.of(), 0),
                        "scatter(root 0)"),
                new Mismatch(
                        g -> g.reduce(X, ReduceOp.SUM, 0),
                        "reduce(SUM, float32[2], root 0)",
                        g -> g.gather(X, 2),
                        "gather(float32[2], root 2)"),
                new Mismatch(
                        g -> {
                            g.barrier();
                            return true;
                        },
                        "barrier()",
                        g -> g.reduceScatter(List.of(X, X, X), ReduceOp.SUM),
                        "reduceScatter(SUM, float32[2])"));
    }

    @ParameterizedTest
    @MethodSource("mismatches")
    void aMismatchFailsOnAllAtOnce(Mismatch mismatch) {
        try (Workers workers = new Workers(3)) {
            List<RpcException> failures =
                    workers.run(
                            "all",
                            group -> {
                                RpcException first =
                                        failure(
                                                group,
                                                group.rank() == 0
                                                        ? mismatch.first
                                                        : mismatch.others);
                                RpcException later = failure(group, g -> g.allGather(X));
                                assertEquals(first.getMessage(), later.getMessage());
                                return later;
                            });
            for (RpcException failure : failures) {
                assertInstanceOf(CollectiveMismatchException.class, failure);
                assertNames(mismatch.firstText, failure);
                assertNames(mismatch.othersText, failure);
                assertNames("operation 1 of the group all", failure);
            }
        }
    }

    /** Run until a failure: members that need not wait end before they know of it. */
    private static RpcException failure(ProcessGroup group, Workers.Member<Object> member) {
        try {
            Object _ = member.run(group);
        } catch (RpcException e) {
            return e;
        }
        return assertThrows(RpcException.class, group::barrier);
    }

    private static void assertNames(String part, RpcException failure) {
        assertTrue(failure.getMessage().contains(part), failure.getMessage());
    }

    @Test
    void aMismatchNamesTheCallingLines() {
        try (Workers workers = new Workers(2, SITES)) {
            List<RpcException> failures =
                    workers.run(
                            "all",
                            group ->
                                    group.rank() == 0
                                            ? assertThrows(
                                                    RpcException.class,
                                                    () -> group.allReduce(X, ReduceOp.SUM))
                                            : assertThrows(
                                                    RpcException.class, () -> group.allGather(X)));
            for (RpcException failure : failures) {
                assertTrue(
                        failure.getMessage()
                                .matches(
                                        ".*allReduce\\(SUM, float32\\[2\\]\\) at FailuresTest.java:\\d+.*"),
                        failure.getMessage());
                assertTrue(
                        failure.getMessage()
                                .matches(
                                        ".*allGather\\(float32\\[2\\]\\) at FailuresTest.java:\\d+.*"),
                        failure.getMessage());
            }
        }
    }

    @Test
    void otherMembersAreAMismatch() {
        try (Workers workers = new Workers(2)) {
            List<CompletableFuture<RpcException>> running = new ArrayList<>();
            List<List<String>> orders =
                    List.of(List.of("worker0", "worker1"), List.of("worker1", "worker0"));
            for (int rank = 0; rank < 2; rank++) {
                int mine = rank;
                running.add(
                        Workers.onThread(() -> {
                            ProcessGroup group =
                                    ProcessGroup.of(
                                            workers.get(mine),
                                            "all",
                                            orders.get(mine),
                                            Workers.LIMIT);
                            return assertThrows(RpcException.class, group::barrier);
                        }));
            }
            for (CompletableFuture<RpcException> failed : running) {
                RpcException failure = failed.join();
                assertInstanceOf(CollectiveMismatchException.class, failure);
                assertNames("[0, 1]", failure);
                assertNames("[1, 0]", failure);
            }
        }
    }

    @Test
    void aLostMemberFailsTheOperationOnAllSurvivorsWhichMakeANewGroup() {
        try (Workers workers = new Workers(4)) {
            var ready = new CyclicBarrier(4);
            List<CompletableFuture<Double>> running =
                    workers.start(
                            "all",
                            group -> {
                                group.barrier();
                                await(ready);
                                if (group.rank() == 3) {
                                    workers.get(3).shutdownNow();
                                    return 0.0;
                                }
                                RpcException failure =
                                        assertThrows(
                                                RpcException.class,
                                                () -> group.allReduce(X, ReduceOp.SUM));
                                assertInstanceOf(RpcConnectionException.class, failure);
                                assertNames("worker3", failure);
                                assertEquals(
                                        failure.getMessage(),
                                        group.failure().orElseThrow().getMessage());
                                return sumWithout(workers, group.rank());
                            });
            for (int rank = 0; rank < 3; rank++) {
                assertEquals(6.0, running.get(rank).join());
            }
        }
    }

    private static double sumWithout(Workers workers, int rank) {
        try (ProcessGroup survivors =
                ProcessGroup.of(workers.get(rank), "all", Workers.names(3), Workers.LIMIT)) {
            return survivors.allReduce(X, ReduceOp.SUM).sum().item();
        }
    }

    private static void await(CyclicBarrier barrier) {
        try {
            barrier.await();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void aMemberThatDoesNotTakePartIsNamedAfterTheTimeout() {
        try (Workers workers = new Workers(2);
                ProcessGroup group =
                        ProcessGroup.of(
                                workers.get(0), "all", workers.names(), Duration.ofMillis(300))) {
            var failure =
                    assertThrows(RpcTimeoutException.class, () -> group.allReduce(X, ReduceOp.SUM));
            assertNames("worker1", failure);
            assertNames("operation 1 of the group all, allReduce(SUM, float32[2])", failure);
        }
    }

    @Test
    void anOperationFailsWhenAMemberHasClosedTheGroup() {
        try (Workers workers = new Workers(2)) {
            List<Boolean> ends =
                    workers.run(
                            "all",
                            group -> {
                                group.barrier();
                                if (group.rank() == 1) {
                                    return true;
                                }
                                var failure = assertThrows(RpcException.class, group::barrier);
                                assertEquals(RpcErrorKind.SHUTDOWN, failure.kind());
                                return true;
                            });
            assertEquals(List.of(true, true), ends);
        }
    }

    @Test
    void aClosedGroupRefusesOperations() {
        try (Workers workers = new Workers(1)) {
            ProcessGroup group = workers.group(0, "all");
            group.barrier();
            group.close();
            group.close();
            var failure = assertThrows(RpcException.class, group::barrier);
            assertEquals("the group all is closed on worker0", failure.getMessage());
            assertEquals(RpcErrorKind.SHUTDOWN, failure.kind());
        }
    }

    @Test
    void anAbortedGroupFailsOnAllMembersWithTheReason() {
        try (Workers workers = new Workers(3)) {
            List<CompletableFuture<String>> running =
                    workers.start(
                            "all",
                            group -> {
                                if (group.rank() == 1) {
                                    group.abort("no data today");
                                }
                                return String.valueOf(
                                        assertThrows(
                                                        RpcException.class,
                                                        () -> group.allReduce(X, ReduceOp.SUM))
                                                .getMessage());
                            });
            for (CompletableFuture<String> member : running) {
                String text = member.join();
                assertTrue(text.contains("worker1 aborted the group all: no data today"), text);
            }
        }
    }
}
