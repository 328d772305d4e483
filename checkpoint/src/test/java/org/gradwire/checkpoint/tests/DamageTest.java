package org.gradwire.checkpoint.tests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.checkpoint.Checkpoint;
import org.gradwire.checkpoint.CheckpointException;
import org.gradwire.checkpoint.CheckpointStorage;
import org.gradwire.checkpoint.Manifest;
import org.gradwire.checkpoint.SavedCheckpoint;
import org.gradwire.checkpoint.Stateful;
import org.gradwire.junit.GradwireWorkers;
import org.gradwire.nn.Linear;
import org.gradwire.rpc.Rpc;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/** Checkpoints that are damaged or forged. */
@GradwireWorkers(2)
class DamageTest {
    @TempDir Path directory;
    private CheckpointStorage storage;
    private Path newest;

    @BeforeEach
    void saveTwo(List<Rpc> workers) {
        storage = CheckpointStorage.directory(directory);
        newest = directory.resolve("step-00000002");
        var _ =
                Members.run(
                        workers,
                        (rpc, _) -> {
                            var linear = new Linear(3, 2, 1L);
                            try (var checkpoint =
                                    Checkpoint.of(rpc, Members.names(workers), directory)) {
                                var _ = checkpoint.save(1, Map.of("model", Stateful.of(linear)));
                                return checkpoint.save(2, Map.of("model", Stateful.of(linear)));
                            }
                        });
    }

    /** Require that the newest is skipped for a reason, and the one before is found. */
    private void assertSkipped(String reason) throws IOException {
        Checkpoint.Latest latest = Checkpoint.latest(storage);
        assertEquals(1, latest.damaged().size());
        assertTrue(latest.damaged().getFirst().contains(reason), latest.damaged()::getFirst);
        assertEquals(1, latest.checkpoint().orElseThrow().manifest().step());
    }

    private Path shard(int rank) {
        return newest.resolve("rank-%d.safetensors".formatted(rank));
    }

    @Test
    void theNewestIsFound() throws IOException {
        Checkpoint.Latest latest = Checkpoint.latest(storage);
        assertEquals(List.of(), latest.damaged());
        assertEquals(2, latest.checkpoint().orElseThrow().manifest().step());
    }

    @Test
    void aMissingManifestIsNamed() throws IOException {
        Files.delete(newest.resolve("manifest.json"));
        assertSkipped("step-00000002/manifest.json: there is no such file");
    }

    @Test
    void aMissingShardIsNamed() throws IOException {
        Files.delete(shard(1));
        assertSkipped("step-00000002/rank-1.safetensors: there is no such file");
    }

    @Test
    void aShardThatIsCutOffIsNamed() throws IOException {
        long size = Files.size(shard(0));
        try (var channel = java.nio.channels.FileChannel.open(shard(0), StandardOpenOption.WRITE)) {
            var _ = channel.truncate(size - 1);
        }
        assertSkipped("rank-0.safetensors: it has %d bytes; expected %d".formatted(size - 1, size));
    }

    @Test
    void oneChangedBitIsFound() throws IOException {
        byte[] bytes = Files.readAllBytes(shard(0));
        bytes[bytes.length - 1] ^= 1;
        Files.write(shard(0), bytes);
        assertSkipped("rank-0.safetensors: its SHA-256 is ");
    }

    @Test
    void aLinkIsNotFollowed() throws IOException {
        Path moved = directory.resolve("moved");
        Files.move(shard(0), moved);
        Files.createSymbolicLink(shard(0), moved);
        assertSkipped("rank-0.safetensors: there is no such file");
    }

    private void forge(String from, String to) throws IOException {
        Path manifest = newest.resolve("manifest.json");
        String text = Files.readString(manifest);
        assertTrue(text.contains(from), text);
        Files.writeString(manifest, text.replace(from, to));
    }

    @Test
    void aManifestNamesNoPath() throws IOException {
        forge("rank-0.safetensors", "../step-00000001/rank-0.safetensors");
        assertSkipped("manifest.json.shards[0].file is ../step-00000001/rank-0.safetensors");
    }

    @Test
    void aManifestOfAnotherVersionIsRefused() throws IOException {
        forge("\"format\":1", "\"format\":2");
        assertSkipped("manifest.json.format is 2; expected 1");
    }

    @Test
    void aManifestOfAnotherStepIsRefused() throws IOException {
        forge("\"step\":2", "\"step\":3");
        assertSkipped("step-00000002: the manifest is of step 3");
    }

    @Test
    void hugeShapesAreRefused() throws IOException {
        forge("\"shape\":[2,3]", "\"shape\":[2147483647,2147483647]");
        assertSkipped("shape is [2147483647, 2147483647]; expected at most 2147483647 elements");
    }

    @Test
    void shapesAreThoseOfTheShards() throws IOException {
        forge("\"shape\":[2,3]", "\"shape\":[2,3,1]");
        assertSkipped("it does not have 'model/weight' as float32[2, 3, 1]");
    }

    @Test
    void piecesHaveNoGaps() throws IOException {
        forge("\"first\":0,\"rows\":2", "\"first\":1,\"rows\":1");
        assertSkipped("expected pieces without gaps, one from row 0");
    }

    @Test
    void shardsAreThoseOfMembers() throws IOException {
        forge("\"shard\":1", "\"shard\":2");
        assertSkipped("expected a number from 0 to 1");
    }

    @Test
    void unknownAndDuplicateKeysAreRefused() throws IOException {
        forge("\"step\":2", "\"step\":2,\"more\":1");
        assertSkipped("expected an object with format, step, program, members, shards, tensors");
        forge("\"more\":1", "\"step\":2");
        assertSkipped("it is not the JSON that was expected: Duplicate");
    }

    @Test
    void deepJsonIsRefused() throws IOException {
        Files.writeString(newest.resolve("manifest.json"), "[".repeat(100_000));
        assertSkipped("it is not the JSON that was expected");
    }

    @Test
    void randomChangesOfTheManifestAreRefusedOrHarmless() throws IOException {
        long seed = Long.getLong("checkpoint.seed", new SplittableRandom().nextLong());
        System.out.println("-Dcheckpoint.seed=" + seed);
        var random = new SplittableRandom(seed);
        Path manifest = newest.resolve("manifest.json");
        byte[] valid = Files.readAllBytes(manifest);
        for (int i = 0; i < 2_000; i++) {
            byte[] changed = valid.clone();
            for (int n = random.nextInt(1, 4); n > 0; n--) {
                changed[random.nextInt(changed.length)] = (byte) random.nextInt(32, 127);
            }
            Files.write(manifest, changed);
            try {
                SavedCheckpoint saved = SavedCheckpoint.open(storage, 2);
                for (Manifest.SavedTensor tensor : saved.manifest().tensors()) {
                    assertTrue(saved.tensor(tensor).numel() >= 0);
                }
            } catch (CheckpointException _) { // the expected end
            }
        }
    }

    @Test
    void aStepThatIsNotThereIsNamed() {
        assertEquals(
                "step-00000003: %s/step-00000003/manifest.json: there is no such file"
                        .formatted(directory),
                assertThrows(CheckpointException.class, () -> SavedCheckpoint.open(storage, 3))
                        .getMessage());
    }

    @Test
    void otherFilesAreIgnored() throws IOException {
        Files.createDirectory(directory.resolve("step-2"));
        Files.createDirectory(directory.resolve("step-000000003"));
        Files.createFile(directory.resolve("step-00000009"));
        assertEquals(List.of(1L, 2L), Checkpoint.steps(storage));
        storage.removeAttempts();
        assertTrue(Files.exists(directory.resolve("step-2")));
    }
}
