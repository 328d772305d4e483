package org.gradwire.checkpoint.s3;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.checkpoint.Checkpoint;
import org.gradwire.checkpoint.SavedCheckpoint;
import org.gradwire.checkpoint.s3.Group.Table;
import org.gradwire.junit.GradwireWorkers;
import org.gradwire.rpc.Rpc;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/** Groups that save to an object store, and load from it. */
@GradwireWorkers(3)
class S3GroupTest {
    private static final int ROWS = 7;
    private static final int COLUMNS = 1_000;

    @TempDir static Path directory;
    private static S3Proxy proxy;

    @BeforeAll
    static void start() throws IOException {
        proxy = S3Proxy.start(directory);
    }

    @AfterAll
    static void stop() {
        proxy.close();
    }

    private static void save(List<Rpc> workers, String prefix, int steps) {
        var _ =
                Group.run(
                        workers,
                        proxy.storage(prefix),
                        (rank, checkpoint) -> {
                            var table = Table.of(rank, workers.size(), ROWS, COLUMNS);
                            for (int step = 1; step <= steps; step++) {
                                var _ = checkpoint.save(step, Map.of("table", table.at(step)));
                            }
                            return "saved";
                        });
    }

    private static void assertLoads(List<Rpc> workers, String prefix, long step) {
        List<Boolean> equal =
                Group.run(
                        workers,
                        proxy.storage(prefix),
                        (rank, checkpoint) -> {
                            var table = Table.of(rank, workers.size(), ROWS, COLUMNS).at(0);
                            assertEquals(
                                    OptionalLong.of(step),
                                    checkpoint.loadLatest(Map.of("table", table)));
                            return table.isAt(step);
                        });
        assertEquals(Collections.nCopies(workers.size(), true), equal);
    }

    @Test
    void theNewestIsLoadedAndOldOnesAreRemoved(List<Rpc> workers) throws IOException {
        save(workers, "newest", 3);
        assertLoads(workers, "newest", 3);
        assertEquals(List.of(2L, 3L), Checkpoint.steps(proxy.storage("newest")));
        assertEquals(2 * (1 + 3), proxy.keys("newest/").size());
    }

    @Test
    void fewerMembersLoadTheRowsOfMore(List<Rpc> workers) throws IOException {
        save(workers, "rows", 1);
        var two = Table.of(1, 2, ROWS, COLUMNS).at(0);
        SavedCheckpoint saved = SavedCheckpoint.open(proxy.storage("rows"), 1);
        saved.load(Map.of("table", two));
        assertTrue(two.isAt(1));
    }

    @Test
    void aDamagedCheckpointIsSkipped(List<Rpc> workers) throws IOException {
        save(workers, "damaged", 2);
        List<String> shards = proxy.keys("damaged/step-00000002/");
        String shard =
                shards.stream()
                        .filter(key -> key.endsWith("rank-1.safetensors"))
                        .findFirst()
                        .orElseThrow();
        byte[] bytes = proxy.client().send(S3Request.of("GET", shard)).body();
        bytes[bytes.length - 1] ^= 1;
        var _ = proxy.client().send(S3Request.of("PUT", shard).body(bytes));
        Checkpoint.Latest latest = Checkpoint.latest(proxy.storage("damaged"));
        assertEquals(1, latest.damaged().size());
        assertTrue(
                latest.damaged()
                        .getFirst()
                        .startsWith(
                                "s3://bucket/damaged/step-00000002/rank-1.safetensors: its SHA-256 is "),
                latest.damaged()::getFirst);
        assertLoads(workers, "damaged", 1);
    }
}
