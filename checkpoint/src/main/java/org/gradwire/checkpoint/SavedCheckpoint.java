package org.gradwire.checkpoint;

import org.gradwire.checkpoint.Manifest.Piece;
import org.gradwire.checkpoint.Manifest.SavedTensor;
import org.gradwire.checkpoint.Manifest.Shard;
import org.gradwire.tensor.Tensor;

import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * A published checkpoint, which any process can read, without a group. Of its files, the tensors
 * that are used are read.
 *
 * <p>May be used by many threads.
 */
public final class SavedCheckpoint {
    private final String name;
    private final Manifest manifest;
    private final String digest;
    private final List<StoredShard> shards;

    private SavedCheckpoint(
            String name, Manifest manifest, String digest, List<StoredShard> shards) {
        this.name = name;
        this.manifest = manifest;
        this.digest = digest;
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
        StoredFile file = storage.open(name, StepNames.MANIFEST);
        long size = file.contents().byteSize();
        if (size > ManifestFormat.MAX_BYTES) {
            throw new CheckpointException(
                    "%s: the manifest has %d bytes; expected at most %d"
                            .formatted(name, size, ManifestFormat.MAX_BYTES));
        }
        file.load(0, size);
        byte[] text = file.contents().toArray(ValueLayout.JAVA_BYTE);
        Manifest manifest = ManifestFormat.parse(text);
        if (!StepNames.of(manifest.step()).equals(name)) {
            throw new CheckpointException(
                    "%s: the manifest is of step %d".formatted(name, manifest.step()));
        }
        List<StoredShard> shards = new ArrayList<>();
        for (Shard shard : manifest.shards()) {
            StoredFile each = storage.open(name, StepNames.shard(shards.size()));
            shards.add(StoredShard.open(each, shard));
        }
        var saved = new SavedCheckpoint(name, manifest, Digests.of(text), shards);
        saved.requirePieces();
        return saved;
    }

    private void requirePieces() throws CheckpointException {
        for (SavedTensor tensor : manifest.tensors()) {
            for (Piece piece : tensor.pieces()) {
                shards.get(piece.shard()).require(tensor, piece);
            }
        }
    }

    /**
     * Verify the contents of all shards, which are read as a whole.
     *
     * @throws CheckpointException if a shard is damaged
     */
    public void verify() throws IOException {
        for (int rank = 0; rank < shards.size(); rank++) {
            StoredFile file = shards.get(rank).file();
            String found = Digests.of(file);
            String expected = manifest.shards().get(rank).sha256();
            if (!found.equals(expected)) {
                throw new CheckpointException(
                        "%s: its SHA-256 is %s; expected %s".formatted(file, found, expected));
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

    /**
     * {@return a whole tensor, read-only if one shard has it}
     *
     * @throws IOException if it cannot be read from the storage
     */
    public Tensor tensor(SavedTensor tensor) throws IOException {
        return source().rows(tensor, new Rows(0, tensor.rows(), tensor.rows()));
    }

    /** {@return the tensors, read from the shards} */
    TensorSource source() {
        return new TensorSource(
                toString(),
                manifest.tensors(),
                (tensor, piece, first, count) ->
                        shards.get(piece.shard()).rows(tensor, piece, first, count));
    }

    /**
     * Load states of this process: those that were saved under the same names, by any number of
     * members. Nothing is changed if one of them does not match.
     *
     * @throws CheckpointException if a state was not saved, or does not match
     * @throws IOException if the storage cannot be read
     */
    public void load(Map<String, ? extends Stateful> states) throws IOException {
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
            throws IOException {
        LoadPlan.of(source(), states, names).run();
    }

    /** {@return as in {@code step-00000012 of 3 members}} */
    @Override
    public String toString() {
        return "%s of %d members".formatted(name, manifest.members().size());
    }
}
