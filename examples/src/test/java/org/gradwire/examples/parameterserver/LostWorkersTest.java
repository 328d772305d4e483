package org.gradwire.examples.parameterserver;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.checkpoint.Checkpoint;
import org.gradwire.checkpoint.CheckpointStorage;
import org.gradwire.checkpoint.StoredFile;
import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.RpcOptions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** The training of the parameter server while a worker is replaced by a later process. */
@Timeout(120)
class LostWorkersTest {
    private static final Hyperparameters OPTIONS = Hyperparameters.DEFAULT.withSteps(60);
    private static final int WORKERS = 3;

    @TempDir Path folder;
    private final String meeting = "inproc://" + UUID.randomUUID();
    private final List<Rpc> workers = new ArrayList<>();

    /** Start a worker; {@return whether both trainings had equal results, when it ends} */
    private CompletableFuture<Boolean> start(int rank, int restart, CheckpointStorage storage) {
        Rpc worker =
                Rpc.init(
                        RpcOptions.builder()
                                .rank(rank)
                                .dynamicGroup()
                                .backend("inproc")
                                .rendezvous(meeting)
                                .set("gradwire.quorum", Integer.toString(WORKERS))
                                .set("gradwire.restart", Integer.toString(restart))
                                .build());
        synchronized (workers) {
            workers.add(worker);
        }
        CompletableFuture<Boolean> end = new CompletableFuture<>();
        Thread.ofPlatform()
                .start(() -> {
                    try (worker) {
                        end.complete(ParameterServer.run(worker, OPTIONS, storage));
                    } catch (RuntimeException e) {
                        end.completeExceptionally(e);
                    }
                });
        return end;
    }

    @AfterEach
    void close() {
        workers.forEach(Rpc::shutdownNow);
    }

    /** A storage that replaces a worker once, before its third checkpoint is published. */
    private final class ReplacingStorage implements CheckpointStorage {
        private final CheckpointStorage storage;
        private final int replaced;
        private final CompletableFuture<Boolean> later = new CompletableFuture<>();
        private int published;

        private ReplacingStorage(CheckpointStorage storage, int replaced) {
            this.storage = storage;
            this.replaced = replaced;
        }

        @Override
        public void publish(String name, String attempt, byte[] manifest) throws IOException {
            published++;
            if (published == 3) {
                var _ =
                        start(replaced, 1, this)
                                .whenComplete((isEqual, failure) -> {
                                    if (failure == null) {
                                        later.complete(isEqual);
                                    } else {
                                        later.completeExceptionally(failure);
                                    }
                                });
            }
            storage.publish(name, attempt, manifest);
        }

        @Override
        public List<String> published() throws IOException {
            return storage.published();
        }

        @Override
        public void write(String name, String attempt, String file, Content content)
                throws IOException {
            storage.write(name, attempt, file, content);
        }

        @Override
        public StoredFile open(String name, String file) throws IOException {
            return storage.open(name, file);
        }

        @Override
        public void remove(String name) throws IOException {
            storage.remove(name);
        }

        @Override
        public void removeAttempts() throws IOException {
            storage.removeAttempts();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 2})
    void theResultIsThatOfOneProcess(int replaced) throws Exception {
        var directory = CheckpointStorage.directory(folder);
        var storage = new ReplacingStorage(directory, replaced);
        List<CompletableFuture<Boolean>> ends = new ArrayList<>();
        for (int rank = 0; rank < WORKERS; rank++) {
            ends.add(start(rank, 0, storage));
        }
        assertTrue(storage.later.get(60, TimeUnit.SECONDS), "the later process");
        for (int rank = 0; rank < WORKERS; rank++) {
            boolean isReplaced = rank == replaced;
            boolean hasEnded =
                    ends.get(rank)
                            .handle((_, failure) ->
                                    isReplaced ? failure instanceof RpcException : failure == null)
                            .get(60, TimeUnit.SECONDS);
            assertTrue(hasEnded, "worker " + rank);
        }
        assertEquals((long) OPTIONS.steps(), Checkpoint.steps(directory).getLast());
    }
}
