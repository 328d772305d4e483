package org.gradwire.checkpoint.tests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.checkpoint.CheckpointStorage;
import org.gradwire.checkpoint.ElasticTrainer;
import org.gradwire.checkpoint.ElasticTraining;
import org.gradwire.checkpoint.Stateful;
import org.gradwire.junit.GradwireWorkers;
import org.gradwire.rpc.Rpc;
import org.gradwire.tensor.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** Attempts of a training whose states cannot be used: they are closed, and their groups too. */
@GradwireWorkers(1)
class FailedAttemptTest {
    @TempDir Path directory;

    /** An attempt without steps. */
    private static final class Attempt implements ElasticTraining.Attempt {
        private final Supplier<Map<String, Stateful>> states;
        private boolean isClosed;

        private Attempt(Supplier<Map<String, Stateful>> states) {
            this.states = states;
        }

        @Override
        public Map<String, Stateful> states() {
            return states.get();
        }

        @Override
        public boolean wantsMore(long steps) {
            return false;
        }

        @Override
        public void step(long number) {
            throw new AssertionError("no step was wanted");
        }

        @Override
        public void close() {
            isClosed = true;
        }
    }

    private <E extends Exception> E assertFails(Rpc rpc, Class<E> type, Attempt attempt) {
        var trainer = ElasticTrainer.on(rpc, CheckpointStorage.directory(directory));
        E failure = assertThrows(type, () -> trainer.run(_ -> attempt));
        assertTrue(attempt.isClosed, "the attempt is open");
        assertEquals("0", rpc.debugInfo().get("num_process_groups"));
        return failure;
    }

    @Test
    void statesThatCannotBeReadEndTheTraining(List<Rpc> workers) {
        var attempt =
                new Attempt(() -> {
                    throw new IllegalStateException("the model is missing");
                });
        var failure = assertFails(workers.getFirst(), IllegalStateException.class, attempt);
        assertEquals("the model is missing", failure.getMessage());
    }

    @Test
    void theNameOfTheTrainersOwnStateIsRefused(List<Rpc> workers) {
        var attempt = new Attempt(() -> Map.of("elastic", Held.of(Tensor.ones(1))));
        var failure = assertFails(workers.getFirst(), IllegalArgumentException.class, attempt);
        assertTrue(String.valueOf(failure.getMessage()).startsWith("'elastic' is the name"));
    }
}
