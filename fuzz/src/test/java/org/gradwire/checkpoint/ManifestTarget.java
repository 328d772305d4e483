package org.gradwire.checkpoint;

import org.gradwire.checkpoint.Manifest.Piece;
import org.gradwire.checkpoint.Manifest.SavedTensor;
import org.gradwire.checkpoint.Manifest.Shard;
import org.gradwire.tensor.DType;

import java.util.List;

/** Fuzz target: a manifest of a checkpoint. One that is accepted stays the same when rewritten. */
public final class ManifestTarget {
    private ManifestTarget() {}

    /** Parse a manifest. */
    public static void fuzzerTestOneInput(byte[] input) throws CheckpointException {
        Manifest manifest;
        try {
            manifest = ManifestFormat.parse(input);
        } catch (CheckpointException _) { // the expected end of a malformed manifest
            return;
        }
        Manifest again = ManifestFormat.parse(ManifestFormat.write(manifest));
        if (!again.equals(manifest)) {
            throw new AssertionError("%s became %s".formatted(manifest, again));
        }
    }

    /** {@return a manifest with a scalar, a whole tensor, and one in two pieces} */
    public static List<byte[]> seeds() {
        var manifest =
                new Manifest(
                        12,
                        "1.0",
                        List.of("worker0", "worker1"),
                        List.of(
                                new Shard(80, Digests.of(new byte[0])),
                                new Shard(96, Digests.of(new byte[1]))),
                        List.of(
                                new SavedTensor(
                                        "a/step",
                                        DType.INT64,
                                        List.of(),
                                        List.of(new Piece(1, 0, 1))),
                                new SavedTensor(
                                        "b/weight",
                                        DType.BFLOAT16,
                                        List.of(3, 4),
                                        List.of(new Piece(0, 0, 3))),
                                new SavedTensor(
                                        "c/table",
                                        DType.FLOAT32,
                                        List.of(5, 2),
                                        List.of(new Piece(0, 0, 2), new Piece(1, 2, 3)))));
        return List.of(ManifestFormat.write(manifest));
    }
}
