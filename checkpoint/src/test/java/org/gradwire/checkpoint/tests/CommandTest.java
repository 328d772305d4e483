package org.gradwire.checkpoint.tests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.checkpoint.Checkpoint;
import org.gradwire.checkpoint.CheckpointStorage;
import org.gradwire.checkpoint.Rows;
import org.gradwire.checkpoint.Stateful;
import org.gradwire.junit.GradwireWorkers;
import org.gradwire.rpc.Rpc;
import org.gradwire.tensor.Tensor;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** The output of {@code ./gradwire checkpoint}. */
@GradwireWorkers(2)
class CommandTest {
    @TempDir Path directory;

    /** A state with a whole tensor, and rows of one. */
    private record Values(float value, int rank) implements Stateful {
        @Override
        public Map<String, Tensor> stateDict() {
            return Map.of("all", Tensor.full(value, 2, 2), "rows", Tensor.ones(1, 4));
        }

        @Override
        public void loadStateDict(Map<String, Tensor> state) {
            throw new AssertionError("nothing is loaded");
        }

        @Override
        public Map<String, Rows> rows() {
            return Map.of("rows", new Rows(rank, 1, 2));
        }
    }

    @BeforeEach
    void save(List<Rpc> workers) {
        var _ =
                Members.run(
                        workers,
                        (rpc, group) -> {
                            try (var checkpoint =
                                    Checkpoint.builder(
                                                    rpc,
                                                    Members.names(workers),
                                                    CheckpointStorage.directory(directory))
                                            .programVersion("7")
                                            .build()) {
                                for (int step = 1; step <= 2; step++) {
                                    var _ =
                                            checkpoint.save(
                                                    step,
                                                    Map.of("s", new Values(step, group.rank())));
                                }
                            }
                            return "saved";
                        });
    }

    /** {@return the output of a command, and its exit code in the last line} */
    private String run(String... arguments) throws Exception {
        Process process =
                ChildJvm.start(
                        "org.gradwire.checkpoint",
                        "org.gradwire.checkpoint.cli.CheckpointCommand",
                        List.of(arguments));
        byte[] printed = process.getInputStream().readAllBytes();
        assertTrue(process.waitFor(60, TimeUnit.SECONDS));
        return new String(printed, StandardCharsets.UTF_8) + process.exitValue();
    }

    @Test
    void checkpointsAreListedShownAndCompared() throws Exception {
        String path = directory.toString();
        long bytes = 0;
        for (int rank = 0; rank < 2; rank++) {
            bytes +=
                    Files.size(
                            directory.resolve("step-00000002/rank-%d.safetensors".formatted(rank)));
        }
        assertEquals(
                """
                step  members  tensors  bytes  program  state
                1     2        2        %d    7        ok
                2     2        2        %d    7        ok
                0\
                """
                        .formatted(bytes, bytes),
                run("ls", path));
        assertEquals(
                """
                step: 2
                program: 7
                members: [worker0, worker1]
                name    dtype    shape   bytes  placement                    norm
                s/all   float32  [2, 2]  16     worker0                      4.00000
                s/rows  float32  [2, 4]  32     worker0[0..0] worker1[1..1]  2.82843
                0\
                """,
                run("show", path));
        assertEquals(
                """
                [{"name":"s/all","difference":"norm of the difference 2.00000"}]
                1\
                """,
                run("diff", path, "1", "2", "--json"));
    }

    @Test
    void damageIsNamed() throws Exception {
        Path shard = directory.resolve("step-00000001/rank-1.safetensors");
        byte[] damaged = Files.readAllBytes(shard);
        damaged[damaged.length - 1] ^= 1;
        Files.write(shard, damaged);
        String found = run("verify", directory.toString(), "--json");
        assertTrue(found.contains("\"state\":\"" + shard + ": its SHA-256 is "), found);
        assertTrue(found.contains("{\"step\":2,\"members\":2,\"tensors\":2,"), found);
        assertTrue(found.endsWith("\n1"), found);
        assertEquals("2", run("list", directory.toString()));
    }
}
