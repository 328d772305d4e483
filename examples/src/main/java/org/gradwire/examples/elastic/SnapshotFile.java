package org.gradwire.examples.elastic;

import org.gradwire.tensor.io.SafeTensors;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/**
 * The last snapshot of a training in a file, for the case that all workers are lost at once.
 *
 * @param path of a file of the safetensors format, which may not exist
 */
public record SnapshotFile(Path path) {
    private static final String STEP = "step";

    /** Replace the file by one with this snapshot; a reader sees the earlier one or this one. */
    public void save(Snapshot snapshot) {
        try {
            Map<String, String> metadata = Map.of(STEP, Integer.toString(snapshot.step()));
            SafeTensors.save(path, snapshot.tensors(), metadata);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot save the snapshot " + path, e);
        }
    }

    /** {@return the snapshot in the file; {@link Snapshot#NONE} if there is no file} */
    public Snapshot load() {
        try {
            if (!Files.exists(path)) {
                return Snapshot.NONE;
            }
            return new Snapshot(step(SafeTensors.open(path).metadata()), SafeTensors.load(path));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read the snapshot " + path, e);
        }
    }

    private int step(Map<String, String> metadata) throws IOException {
        String step = metadata.getOrDefault(STEP, "none");
        if (!step.matches("\\d{1,9}")) {
            throw new IOException("its step must be a number, not " + step);
        }
        return Integer.parseInt(step);
    }

    /** Delete the file, if it exists: it is of an earlier run. */
    public void delete() {
        try {
            Files.deleteIfExists(path);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot delete the snapshot of an earlier run", e);
        }
    }
}
