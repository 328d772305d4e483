package org.gradwire.checkpoint.s3;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.checkpoint.CheckpointStorage.Content;
import org.gradwire.checkpoint.StoredFile;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;

/** A storage against a server of others, which verifies signatures and checksums. */
class S3StorageTest {
    private static final String NAME = "step-00000001";
    private static final String ONE = "11111111-0123-0123-0123-0123456789ab";
    private static final String TWO = "22222222-0123-0123-0123-0123456789ab";
    private static final String FILE = "rank-0.safetensors";

    @TempDir static Path directory;
    private static S3Proxy proxy;

    @BeforeAll
    static void start() throws IOException {
        proxy = S3Proxy.start(directory);
    }

    @AfterAll
    static void stop() {
        proxy.close();
    }

    private record Bytes(byte[] all) implements Content {
        @Override
        public long bytes() {
            return all.length;
        }

        @Override
        public void writeTo(WritableByteChannel channel) throws IOException {
            channel.write(ByteBuffer.wrap(all));
        }
    }

    private static byte[] random(int length) {
        long seed = Long.getLong("s3.seed", new SplittableRandom().nextLong());
        System.out.println("-Ds3.seed=" + seed);
        byte[] bytes = new byte[length];
        new SplittableRandom(seed).nextBytes(bytes);
        return bytes;
    }

    private static byte[] range(StoredFile file, int from, int to) throws IOException {
        file.load(from, to - from);
        return file.contents().asSlice(from, to - from).toArray(ValueLayout.JAVA_BYTE);
    }

    private static void assertRoundTrip(String prefix, int length) throws IOException {
        S3Storage storage = proxy.storage(prefix);
        byte[] bytes = random(length);
        storage.write(NAME, ONE, FILE, new Bytes(bytes));
        assertEquals(List.of(), storage.published());
        storage.publish(NAME, ONE, new byte[] {1, 2});
        assertEquals(List.of(NAME), storage.published());
        StoredFile manifest = storage.open(NAME, "manifest.json");
        assertArrayEquals(new byte[] {1, 2}, manifest.contents().toArray(ValueLayout.JAVA_BYTE));
        StoredFile file = storage.open(NAME, FILE);
        assertEquals(length, file.contents().byteSize());
        assertArrayEquals(
                Arrays.copyOfRange(bytes, length / 3, length / 2),
                range(file, length / 3, length / 2));
        assertArrayEquals(bytes, range(file, 0, length));
        assertEquals(List.of(), proxy.uploads(prefix));
    }

    @Test
    void smallFilesAreSentAtOnce() throws IOException {
        assertRoundTrip("small", 100_000);
        assertRoundTrip("empty", 0);
    }

    @Test
    void largeFilesAreSentAndReadInParts() throws IOException {
        assertRoundTrip("large/of(all)=kinds", 2 * Stores.PART_BYTES + 12_345);
    }

    @Test
    void wrongKeysAreRefusedBySignature() {
        S3Settings right =
                Stores.settings(proxy.uri(), Duration.ofSeconds(20), Duration.ofSeconds(20));
        var wrong =
                new S3Settings(
                        right.endpoint(),
                        right.region(),
                        Optional.of(true),
                        () -> new Credentials(Stores.KEY.accessKey(), "another", ""),
                        right.timeout(),
                        right.retryTime(),
                        right.partBytes());
        var storage = new S3Storage(S3Address.parse("s3://bucket/p"), wrong);
        String message =
                String.valueOf(assertThrows(S3Exception.class, storage::published).getMessage());
        assertTrue(message.contains("status 403 SignatureDoesNotMatch"), message);
        assertFalse(message.contains("another"), message);
    }

    @Test
    void bodiesThatDifferFromTheirChecksumAreRefused() {
        S3Request request =
                S3Request.of("PUT", "checksum/step-00000001/manifest.json")
                        .body(new byte[] {1})
                        .header("x-amz-checksum-sha256", S3Client.checksum(new byte[] {2}));
        S3Exception e = assertThrows(S3Exception.class, () -> proxy.client().send(request));
        assertEquals(400, e.status());
    }

    @Test
    void missingFilesAreNamed() throws IOException {
        S3Storage storage = proxy.storage("missing");
        String manifest =
                assertThrows(NoSuchFileException.class, () -> storage.open(NAME, "manifest.json"))
                        .getMessage();
        assertEquals(
                "s3://bucket/missing/step-00000001/manifest.json: there is no such file", manifest);
        storage.publish(NAME, ONE, new byte[] {1});
        assertEquals(
                "s3://bucket/missing/step-00000001/rank-0.safetensors: there is no such file",
                assertThrows(NoSuchFileException.class, () -> storage.open(NAME, FILE))
                        .getMessage());
    }

    @Test
    void aStepIsReplacedAndAnotherGroupsIsNot() throws IOException {
        S3Storage storage = proxy.storage("replace");
        storage.write(NAME, ONE, FILE, new Bytes(new byte[] {1}));
        storage.publish(NAME, ONE, new byte[] {1});
        storage.write(NAME, TWO, FILE, new Bytes(new byte[] {2, 2}));
        storage.publish(NAME, TWO, new byte[] {2});
        assertArrayEquals(new byte[] {2, 2}, range(storage.open(NAME, FILE), 0, 2));
        S3Request other =
                S3Request.of("PUT", "replace/step-00000001/manifest.json")
                        .body(new byte[] {3})
                        .header("if-none-match", "*");
        assertEquals(
                412, assertThrows(S3Exception.class, () -> proxy.client().send(other)).status());
        storage.removeAttempts();
        assertEquals(
                List.of(
                        "replace/step-00000001/" + TWO + "/" + FILE,
                        "replace/step-00000001/manifest.json"),
                proxy.keys("replace/"));
    }

    @Test
    void attemptsAndUploadsThatWereLeftAreRemovedAndNothingElse() throws IOException {
        S3Storage storage = proxy.storage("left");
        storage.write(NAME, ONE, FILE, new Bytes(new byte[] {1}));
        storage.publish(NAME, ONE, new byte[] {1});
        storage.write("step-00000002", TWO, FILE, new Bytes(new byte[] {1}));
        String torn = "left/step-00000003/" + TWO + "/rank-1.safetensors";
        for (String key : List.of(torn, "left/step-00000003/others")) {
            var _ =
                    proxy.client()
                            .sendForXml(
                                    S3Request.of("POST", key).query("uploads", ""),
                                    "InitiateMultipartUploadResult");
        }
        var _ = proxy.client().send(S3Request.of("PUT", "left/step-00000002/others"));
        assertEquals(2, proxy.uploads("left/").size());
        storage.removeAttempts();
        assertEquals(List.of("left/step-00000003/others"), proxy.uploads("left/"));
        assertEquals(
                List.of(
                        "left/step-00000001/" + ONE + "/" + FILE,
                        "left/step-00000001/manifest.json",
                        "left/step-00000002/others"),
                proxy.keys("left/"));
        storage.remove(NAME);
        assertEquals(List.of("left/step-00000002/others"), proxy.keys("left/"));
    }
}
