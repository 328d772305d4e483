package org.gradwire.schedulers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.checkpoint.Checkpoint;
import org.gradwire.checkpoint.CheckpointStorage;
import org.gradwire.checkpoint.SavedCheckpoint;
import org.gradwire.tensor.Tensor;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;

/**
 * The newest checkpoint of a training.
 *
 * @param step number of steps done
 * @param tensors by name, without the time that the training took
 */
record CheckpointContent(long step, Map<String, Tensor> tensors) {
    private static final String TIME = "time/";
    private static final int LEAST = 8; // parameters, and a state of the optimizer for each

    /** {@return the newest undamaged one in the output folder of an example; step 0 if none is} */
    static CheckpointContent newest(Path output) {
        try {
            CheckpointStorage storage = CheckpointStorage.directory(output.resolve("checkpoints"));
            var newest = Checkpoint.latest(storage).checkpoint();
            if (newest.isEmpty()) {
                return new CheckpointContent(0, Map.of());
            }
            SavedCheckpoint saved = newest.get();
            Map<String, Tensor> tensors = new TreeMap<>();
            for (var tensor : saved.manifest().tensors()) {
                if (!tensor.name().startsWith(TIME)) {
                    tensors.put(tensor.name(), saved.tensor(tensor).clone());
                }
            }
            return new CheckpointContent(saved.manifest().step(), tensors);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** {@return the step of the newest one, whose contents are not read; 0 if there is none} */
    static long newestStep(Path output) {
        try {
            var storage = CheckpointStorage.directory(output.resolve("checkpoints"));
            return Checkpoint.steps(storage).stream().mapToLong(step -> step).max().orElse(0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Check that another one is of the same step, and has the same bits. */
    void assertSame(CheckpointContent other) {
        assertEquals(step, other.step);
        assertTrue(tensors.size() >= LEAST, tensors.keySet().toString());
        assertEquals(tensors.keySet(), other.tensors.keySet());
        tensors.forEach((name, expected) -> {
            Tensor found = other.tensors.getOrDefault(name, Tensor.zeros(0));
            assertTrue(expected.equal(found), () -> name + " has other bits");
        });
    }
}
