package org.gradwire.checkpoint;

import org.gradwire.checkpoint.Manifest.Piece;
import org.gradwire.checkpoint.Manifest.SavedTensor;
import org.gradwire.checkpoint.Manifest.Shard;
import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.io.SafeTensors;
import org.gradwire.tensor.io.SafeTensorsFile;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * A published checkpoint, which any process can read, without a group. Its files are mapped into
 * memory, and read when a tensor is used.
 *
 * <p>May be used by many threads.
 */
public final class SavedCheckpoint {
    private final String name;
    private final Manifest manifest;
    private final String digest;
    private final List<Path> files;
    private final List<SafeTensorsFile> shards;

    private SavedCheckpoint(
            String name,
            Manifest manifest,
            String digest,
            List<Path> files,
            List<SafeTensorsFile> shards) {
        this.name = name;
        this.manifest = manifest;
        this.digest = digest;
        this.files = files;
        this.shards = shards;
    }

    /**
     * Open the checkpoint of a step. Its manifest, and the sizes and headers of its shards, are
     * checked; {@link #verify} checks the contents too.
     *
     * @throws CheckpointException if there is none, or it is damaged; the message names the first
     *     thing that is wrong
     */
    public static SavedCheckpoint open(CheckpointStorage storage, long step) throws IOException {
        String name = StepNames.of(step);
        try {
            return open(storage, name);
        } catch (CheckpointException e) {
            throw e;
        } catch (IOException e) {
            throw new CheckpointException("%s: %s".formatted(name, e.getMessage()), e);
        }
    }

    private static SavedCheckpoint open(CheckpointStorage storage, String name) throws IOException {
        Path path = storage.open(name, StepNames.MANIFEST);
        if (Files.size(path) > ManifestFormat.MAX_BYTES) {
            throw new CheckpointException(
                    "%s: the manifest has %d bytes; expected at most %d"
                            .formatted(name, Files.size(path), ManifestFormat.MAX_BYTES));
        }
        byte[] text = Files.readAllBytes(path);
        Manifest manifest = ManifestFormat.parse(text);
        if (!StepNames.of(manifest.step()).equals(name)) {
            throw new CheckpointException(
                    "%s: the manifest is of step %d".formatted(name, manifest.step()));
        }
        List<Path> files = new ArrayList<>();
        List<SafeTensorsFile> shards = new ArrayList<>();
        for (Shard shard : manifest.shards()) {
            Path file = storage.open(name, StepNames.shard(shards.size()));
            if (Files.size(file) != shard.bytes()) {
                throw new CheckpointException(
                        "%s: it has %d bytes; expected %d"
                                .formatted(file, Files.size(file), shard.bytes()));
            }
            files.add(file);
            shards.add(SafeTensors.open(file));
        }
        var saved = new SavedCheckpoint(name, manifest, Digests.of(text), files, shards);
        saved.requirePieces();
        return saved;
    }

    private void requirePieces() throws CheckpointException {
        for (SavedTensor tensor : manifest.tensors()) {
            for (Piece piece : tensor.pieces()) {
                SafeTensorsFile shard = shards.get(piece.shard());
                int[] shape = tensor.shape().stream().mapToInt(Integer::intValue).toArray();
                if (shape.length > 0) {
                    shape[0] = piece.rows();
                }
                boolean fits =
                        shard.names().contains(tensor.name())
                                && shard.dtype(tensor.name()) == tensor.dtype()
                                && Arrays.equals(shard.shape(tensor.name()), shape);
                if (!fits) {
                    throw new CheckpointException(
                            "%s: it does not have '%s' as %s%s"
                                    .formatted(
                                            files.get(piece.shard()),
                                            tensor.name(),
                                            tensor.dtype(),
                                            Arrays.toString(shape)));
                }
            }
        }
    }

    /**
     * Verify the contents of all shards, which are read as a whole.
     *
     * @throws CheckpointException if a shard is damaged
     */
    public void verify() throws IOException {
        for (int rank = 0; rank < files.size(); rank++) {
            String found = Digests.of(files.get(rank));
            String expected = manifest.shards().get(rank).sha256();
            if (!found.equals(expected)) {
                throw new CheckpointException(
                        "%s: its SHA-256 is %s; expected %s"
                                .formatted(files.get(rank), found, expected));
            }
        }
    }

    /** {@return the table of contents} */
    public Manifest manifest() {
        return manifest;
    }

    String manifestDigest() {
        return digest;
    }

    /** {@return a whole tensor, read-only if one shard has it} */
    public Tensor tensor(SavedTensor tensor) {
        return source().rows(tensor, new Rows(0, tensor.rows(), tensor.rows()));
    }

    /** {@return the tensors, read from the shards} */
    TensorSource source() {
        return new TensorSource(toString(), manifest.tensors(), this::read);
    }

    private Tensor read(SavedTensor tensor, Piece piece, int first, int count) {
        Tensor all = shards.get(piece.shard()).tensor(tensor.name());
        return count == piece.rows() ? all : all.narrow(0, first - piece.first(), count);
    }

    /**
     * Load states of this process: those that were saved under the same names, by any number of
     * members. Nothing is changed if one of them does not match.
     *
     * @throws CheckpointException if a state was not saved, or does not match
     */
    public void load(Map<String, ? extends Stateful> states) throws CheckpointException {
        load(states, Optional::of);
    }

    /**
     * Load states of this process by a mapping of names.
     *
     * @param names returns, for the name of a saved tensor, such as {@code model/0.weight}, the
     *     name that it has in this program, or nothing to leave it out
     */
    public void load(
            Map<String, ? extends Stateful> states, Function<String, Optional<String>> names)
            throws CheckpointException {
        LoadPlan.of(source(), states, names).run();
    }

    /** {@return as in {@code step-00000012 of 3 members}} */
    @Override
    public String toString() {
        return "%s of %d members".formatted(name, manifest.members().size());
    }
}
