package org.gradwire.collective.tests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.collective.ProcessGroup;
import org.gradwire.collective.ReduceOp;
import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.RpcFuture;
import org.gradwire.tensor.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Groups, their names, and members that are ahead of others. */
@Timeout(60)
class GroupsTest {

    @Test
    void membersHaveTheirRanksInTheOrderOfTheNames() {
        try (Workers workers = new Workers(3);
                ProcessGroup group =
                        ProcessGroup.of(workers.get(1), "some", List.of("worker2", "worker1"))) {
            assertEquals("some", group.name());
            assertEquals(1, group.rank());
            assertEquals(2, group.size());
            assertEquals(List.of("worker2", "worker1"), group.members());
            assertEquals("ProcessGroup(some, rank 1 of 2)", group.toString());
            assertTrue(group.failure().isEmpty());
        }
    }

    @Test
    void membersAreNamedOnceAndIncludeTheWorker() {
        try (Workers workers = new Workers(2)) {
            Rpc rpc = workers.get(0);
            for (List<String> names : List.of(List.of("worker1"), List.of("worker0", "worker0"))) {
                var failure =
                        assertThrows(
                                IllegalArgumentException.class,
                                () -> ProcessGroup.of(rpc, "some", names));
                assertEquals(
                        "the members of the group some are %s: name each once, and worker0 among them"
                                .formatted(names),
                        failure.getMessage());
            }
            assertThrows(
                    RpcException.class,
                    () -> ProcessGroup.of(rpc, "some", List.of("worker0", "worker9")));
        }
    }

    /** Messages for a group that a worker has not made are kept, and found when it makes it. */
    @Test
    void aMemberMayBeAheadOfTheOthers() {
        try (Workers workers = new Workers(2);
                ProcessGroup ahead = workers.group(0, "all")) {
            List<RpcFuture<Tensor>> begun = new ArrayList<>();
            for (int i = 0; i < 100; i++) {
                begun.add(ahead.allReduceAsync(Tensor.scalar(i), ReduceOp.SUM));
            }
            awaitMetric(workers.get(1), "num_early_collective_messages", "100");
            try (ProcessGroup late = workers.group(1, "all")) {
                for (int i = 0; i < 100; i++) {
                    assertEquals(3 * i, late.allReduce(Tensor.scalar(2 * i), ReduceOp.SUM).item());
                    assertEquals(3 * i, begun.get(i).join().item());
                }
            }
            awaitMetric(workers.get(1), "num_early_collective_messages", "0");
            awaitMetric(workers.get(1), "num_process_groups", "0");
        }
    }

    /** A member that needs nothing from the others waits when it is far ahead of them. */
    @Test
    void aMemberThatIsFarAheadWaits() {
        try (Workers workers = new Workers(2)) {
            List<Double> sums =
                    workers.run(
                            "all",
                            group -> {
                                double sum = 0;
                                for (int i = 0; i < 2_000; i++) {
                                    sum +=
                                            group.reduce(Tensor.ones(1), ReduceOp.SUM, 0)
                                                    .map(Tensor::item)
                                                    .orElse(0.0);
                                }
                                return sum;
                            });
            assertEquals(List.of(4_000.0, 0.0), sums);
        }
    }

    /** Early messages end with the group of their sender. */
    @Test
    void messagesForAGroupThatIsNeverMadeEnd() {
        try (Workers workers = new Workers(2)) {
            ProcessGroup ahead =
                    ProcessGroup.of(workers.get(0), "all", workers.names(), Duration.ofMillis(300));
            RpcFuture<Tensor> sum = ahead.allReduceAsync(Tensor.ones(2), ReduceOp.SUM);
            awaitMetric(workers.get(1), "num_early_collective_messages", "1");
            assertThrows(RpcException.class, sum::join);
            awaitMetric(workers.get(1), "num_early_collective_messages", "0");
            ahead.close();
        }
    }

    private static void awaitMetric(Rpc rpc, String metric, String value) {
        while (!value.equals(rpc.debugInfo().get(metric))) {
            Thread.onSpinWait();
        }
    }

    @Test
    void groupsOfOneNameAreMadeAgain() {
        try (Workers workers = new Workers(2)) {
            for (int i = 0; i < 5; i++) {
                int round = i;
                List<Double> sums =
                        workers.run(
                                "again",
                                group ->
                                        group.allReduce(Tensor.scalar(round), ReduceOp.SUM).item());
                assertEquals(List.of(2.0 * i, 2.0 * i), sums);
            }
        }
    }

    @Test
    void groupsOfSeveralThreadsDoNotMix() {
        int threads = 4;
        try (Workers workers = new Workers(3)) {
            List<List<CompletableFuture<Boolean>>> running = new ArrayList<>();
            for (int t = 0; t < threads; t++) {
                int factor = t + 1;
                running.add(workers.start("group" + t, group -> runsAlone(group, factor)));
            }
            for (List<CompletableFuture<Boolean>> group : running) {
                for (CompletableFuture<Boolean> member : group) {
                    assertTrue(member.join());
                }
            }
        }
    }

    private static boolean runsAlone(ProcessGroup group, int factor) {
        boolean right = true;
        for (int i = 0; i < 60; i++) {
            int elements = i % 3 == 0 ? 20_000 : 5;
            Tensor mine = Tensor.full(factor * (group.rank() + i), elements);
            Tensor sum = group.allReduce(mine, ReduceOp.SUM);
            right &= sum.equal(Tensor.full(factor * 3 * (1 + i), elements));
        }
        return right;
    }
}
