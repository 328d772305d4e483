package org.gradwire.schedulers;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import org.gradwire.tensor.io.SafeTensors;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;

/**
 * A snapshot of a training.
 *
 * @param step number of steps done
 * @param numbers elements of the losses, of the parameters of the model and of the optimizer's
 *     state, by name
 */
record SnapshotContent(int step, Map<String, double[]> numbers) {
    private static final String COMPARED =
            "losses|embedding[.].*|head[.].*|optimizer0[.]state[.].*_buffer";
    private static final int COUNT = 11; // losses, and five parameters with their momentum

    static SnapshotContent read(Path file) {
        try {
            Map<String, double[]> numbers = new TreeMap<>();
            SafeTensors.load(file)
                    .forEach((name, tensor) -> {
                        if (name.matches(COMPARED)) {
                            numbers.put(name, tensor.toDoubleArray());
                        }
                    });
            String step = SafeTensors.open(file).metadata().getOrDefault("step", "none");
            return new SnapshotContent(Integer.parseInt(step), numbers);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Check that another snapshot is of the same step, and has the same bits. */
    void assertSame(SnapshotContent other) {
        assertEquals(step, other.step);
        assertEquals(COUNT, numbers.size(), numbers.keySet().toString());
        assertEquals(numbers.keySet(), other.numbers.keySet());
        numbers.forEach(
                (name, expected) -> assertArrayEquals(expected, other.numbers.get(name), name));
    }
}
