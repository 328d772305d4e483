package org.gradwire.checkpoint.tests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.gradwire.checkpoint.Checkpoint;
import org.gradwire.checkpoint.CheckpointStorage;
import org.gradwire.junit.GradwireWorkers;
import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcException;
import org.gradwire.tensor.Tensor;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** A member that is lost while the group saves. */
@GradwireWorkers(value = 3, checkLeaks = false)
class LostMemberTest {
    @TempDir Path directory;

    @ParameterizedTest
    @ValueSource(ints = {0, 2})
    void theOthersFailAndTheCheckpointBeforeIsFound(int lost, List<Rpc> workers) throws Exception {
        List<Long> steps =
                Members.run(
                        workers,
                        (rpc, group) -> {
                            var storage = CheckpointStorage.directory(directory);
                            var hooked =
                                    new HookedStorage(
                                            storage,
                                            () -> {
                                                if (group.rank() == lost
                                                        && !storage.published().isEmpty()) {
                                                    rpc.shutdownNow();
                                                }
                                            });
                            var states = Map.of("a", Held.of(Tensor.ones(3)));
                            var checkpoint =
                                    Checkpoint.builder(rpc, Members.names(workers), hooked)
                                            .timeout(Members.LIMIT)
                                            .build();
                            var _ = checkpoint.save(1, states);
                            assertThrows(RpcException.class, () -> checkpoint.save(2, states));
                            return Checkpoint.latest(storage)
                                    .checkpoint()
                                    .orElseThrow()
                                    .manifest()
                                    .step();
                        });
        assertEquals(List.of(1L, 1L, 1L), steps);
    }
}
