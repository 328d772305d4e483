package org.gradwire.examples.parameterserver;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.gradwire.autograd.distributed.DistAutograd;
import org.gradwire.examples.Workers;
import org.gradwire.rpc.Rpc;
import org.gradwire.tensor.Tensor;
import org.junit.jupiter.api.Test;

import java.util.List;

/** Seven rows over three servers: 0 and 1, 2 and 3, 4 to 6. */
class ShardedEmbeddingTest {
    private static final int ROWS = 7;
    private static final int DIM = 3;
    private static final long SEED = 5;
    private static final List<String> SERVERS = List.of("worker1", "worker2", "worker3");

    private interface Body {
        void run(Rpc rpc, ShardedEmbedding table);
    }

    private static void withTable(Body body) throws Exception {
        Workers.print(
                1 + SERVERS.size(),
                rpc -> {
                    if (rpc.self().id() == 0) {
                        try (var table =
                                ShardedEmbedding.create(
                                        rpc, SERVERS, SERVERS.size(), ROWS, DIM, SEED)) {
                            body.run(rpc, table);
                        }
                    }
                });
    }

    private static void assertSameElements(Tensor expected, Tensor actual) {
        assertArrayEquals(expected.shape(), actual.shape());
        assertArrayEquals(expected.toFloatArray(), actual.toFloatArray());
    }

    @Test
    void lookUpsReturnTheRowsOfTheWholeTable() throws Exception {
        var whole = new EmbeddingShard(0, ROWS, DIM, SEED);
        List<Tensor> lookUps =
                List.of(
                        Tensor.of(6L, 0L, 3L, 3L, 1L, 4L, 2L, 5L, 0L),
                        Tensor.of(new long[] {5, 1, 4, 4}, 2, 2),
                        Tensor.of(2L));
        withTable((_, table) -> {
            assertSameElements(whole.weight(), table.weight());
            lookUps.forEach(rows -> assertSameElements(whole.forward(rows), table.forward(rows)));
        });
    }

    @Test
    void gradientsReachOnlyTheRowsOfLookUps() throws Exception {
        withTable((rpc, table) -> {
            try (var context = DistAutograd.context(rpc)) {
                context.backward(table.forward(Tensor.of(6L, 0L, 6L, 4L)).sum());
                assertArrayEquals(
                        new int[] {1, 2}, // row 0, and rows 4 and 6; worker2 had no call
                        List.of(table.shards().getFirst(), table.shards().getLast()).stream()
                                .mapToInt(shard ->
                                        shard.module()
                                                .forward(
                                                        EmbeddingShard::gradientRows, context.id()))
                                .toArray());
            }
        });
    }

    @Test
    void moreServersThanRowsAreRefused() throws Exception {
        withTable((rpc, _) -> {
            var failure =
                    assertThrows(
                            IllegalArgumentException.class,
                            () ->
                                    ShardedEmbedding.create(
                                            rpc, SERVERS, SERVERS.size(), 2, DIM, SEED));
            assertEquals(
                    "a table of 2 rows cannot be spread over 3 servers; start fewer workers",
                    failure.getMessage());
        });
    }
}
