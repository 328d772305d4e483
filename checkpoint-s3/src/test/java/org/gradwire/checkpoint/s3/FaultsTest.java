package org.gradwire.checkpoint.s3;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.checkpoint.CheckpointStorage.Content;
import org.gradwire.checkpoint.StoredFile;
import org.gradwire.checkpoint.s3.FaultyServer.Reply;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;

/** Replies of a server that fails, lies, or does not end. */
class FaultsTest {
    private static final String NAME = "step-00000001";
    private static final String ATTEMPT = "01234567-0123-0123-0123-0123456789ab";
    private static final Reply CLOSE = _ -> {}; // without a reply
    private static final Reply OK = FaultyServer.status(200, "");
    private static final Reply BUSY = FaultyServer.error(503, "SlowDown");
    private static final Duration LONG = Duration.ofSeconds(20);
    private static final Duration SHORT = Duration.ofMillis(400);

    private FaultyServer server;

    @BeforeEach
    void start() throws IOException {
        server = new FaultyServer();
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private S3Storage storage(Duration timeout, Duration retryTime) {
        return new S3Storage(
                S3Address.parse("s3://bucket/p"),
                Stores.settings(server.uri(), timeout, retryTime));
    }

    private String failure(Duration timeout, Duration retryTime) {
        S3Storage storage = storage(timeout, retryTime);
        return String.valueOf(assertThrows(S3Exception.class, storage::published).getMessage());
    }

    @Test
    void temporaryFailuresAreTriedAgain() throws IOException {
        Reply cut =
                exchange -> {
                    exchange.sendResponseHeaders(200, 1000);
                    exchange.getResponseBody()
                            .write("<ListBucketResult>".getBytes(StandardCharsets.UTF_8));
                };
        server.then(
                BUSY,
                FaultyServer.status(500, "no XML"),
                cut,
                CLOSE,
                FaultyServer.error(409, "OperationAborted"),
                FaultyServer.status(
                        200,
                        "<ListBucketResult><Contents><Key>p/step-00000007/manifest.json</Key></Contents></ListBucketResult>"));
        assertEquals(List.of("step-00000007"), storage(LONG, LONG).published());
        assertEquals(6, server.requests().size());
    }

    @Test
    void triesEnd() {
        server.then(BUSY);
        long start = System.nanoTime();
        String message = failure(LONG, SHORT);
        assertTrue(
                message.matches(
                        "s3://bucket: GET .*: no success within 400 ms and \\d+ attempts: .*status 503 SlowDown: no\\\\u000away"),
                message);
        assertTrue(server.requests().size() > 1);
        assertTrue(Duration.ofNanos(System.nanoTime() - start).compareTo(LONG) < 0);
    }

    @Test
    void aServerThatDoesNotReplyIsGivenUp() {
        var never = new CountDownLatch(1);
        server.then(_ -> {
            try {
                never.await();
            } catch (InterruptedException _) { // the end of the test
            }
        });
        String message = failure(Duration.ofMillis(100), SHORT);
        assertTrue(message.contains("no reply within 100 ms"), message);
        never.countDown();
    }

    @Test
    void aServerThatIsNotThereIsNamed() {
        server.close();
        assertTrue(failure(LONG, SHORT).contains("no success within 400 ms"));
    }

    @Test
    void refusalsAreNotTriedAgain() {
        server.then(FaultyServer.error(403, "AccessDenied"));
        String message = failure(LONG, LONG);
        assertTrue(
                message.endsWith("refused it with status 403 AccessDenied: no\\u000away"), message);
        assertEquals(1, server.requests().size());
    }

    @Test
    void redirectsAreNotFollowed() throws IOException {
        try (var other = new FaultyServer()) {
            other.then(FaultyServer.status(200, "<ListBucketResult/>"));
            server.then(
                    FaultyServer.status(
                            307,
                            "",
                            Map.of(
                                    "Location",
                                    other.uri() + "/bucket",
                                    "x-amz-bucket-region",
                                    "eu-west-3")));
            String message = failure(LONG, LONG);
            assertTrue(message.contains("redirects to another place, which is not fo"), message);
            assertTrue(message.endsWith("; the bucket is in region eu-west-3"), message);
            assertEquals(List.of(), other.requests());
        }
    }

    @Test
    void repliesWithoutEndAreCutOff() {
        byte[] chunk = new byte[1 << 16];
        server.then(exchange -> {
            exchange.sendResponseHeaders(200, 0); // in chunks
            for (int i = 0; i < 10_000; i++) {
                exchange.getResponseBody().write(chunk);
            }
        });
        String message = failure(LONG, LONG);
        assertTrue(
                message.endsWith("more than 8388608 bytes, the most that are expected"), message);
    }

    @Test
    void hostileXmlIsRefused() {
        server.then(
                FaultyServer.status(
                        200, "<!DOCTYPE a [<!ENTITY x SYSTEM 'file:///etc/passwd'>]><a>&x;</a>"));
        assertTrue(failure(LONG, SHORT).endsWith(": the reply has a document type; expected none"));
        server.then(FaultyServer.status(200, "<Other/>"));
        assertTrue(failure(LONG, SHORT).endsWith("the reply is not a ListBucketResult"));
    }

    @Test
    void pagesAreFollowed() throws IOException {
        List<Reply> pages =
                IntStream.range(0, 3)
                        .mapToObj(i ->
                                FaultyServer.status(
                                        200,
                                        "<ListBucketResult><Contents><Key>p%%2Fstep-0000000%d%%2Fmanifest.json</Key></Contents><Contents><Key>p/step-0000000%d/x</Key></Contents><IsTruncated>%b</IsTruncated><NextContinuationToken>a+/%d</NextContinuationToken></ListBucketResult>"
                                                .formatted(i, i, i < 2, i)))
                        .toList();
        server.then(pages.toArray(Reply[]::new));
        assertEquals(
                List.of("step-00000000", "step-00000001", "step-00000002"),
                storage(LONG, LONG).published());
        assertTrue(server.requests().get(2).contains("continuation-token=a%2B%2F1"));
    }

    @Test
    void aPageWithoutATokenIsRefused() {
        server.then(
                FaultyServer.status(
                        200,
                        "<ListBucketResult><IsTruncated>true</IsTruncated></ListBucketResult>"));
        assertTrue(failure(LONG, LONG).endsWith("more keys, but sent no NextContinuationToken"));
    }

    private static Reply object(String body, String checksumOf) {
        return FaultyServer.status(
                200,
                body,
                Map.of(
                        "x-amz-checksum-sha256",
                        S3Client.checksum(checksumOf.getBytes(StandardCharsets.UTF_8))));
    }

    @Test
    void wrongChecksumsAreTriedAgainAndRefused() throws IOException {
        server.then(object("one", "two"), object("one", "one"));
        StoredFile file = storage(LONG, LONG).open(NAME, "manifest.json");
        assertArrayEquals(
                "one".getBytes(StandardCharsets.UTF_8),
                file.contents().toArray(ValueLayout.JAVA_BYTE));
        assertEquals("s3://bucket/p/step-00000001/manifest.json", file.toString());
        server.then(object("one", "two"));
        S3Storage storage = storage(LONG, SHORT);
        String message =
                String.valueOf(
                        assertThrows(S3Exception.class, () -> storage.open(NAME, "manifest.json"))
                                .getMessage());
        assertTrue(message.contains("the object store has other bytes, with SHA-256"), message);
    }

    @Test
    void rangesAreThoseThatWereAsked() throws IOException {
        Map<String, String> head = Map.of("Content-Length", "100", "ETag", "\"e\"");
        Reply manifest = FaultyServer.status(200, "", Map.of(S3Storage.ATTEMPT, ATTEMPT));
        Reply shard = FaultyServer.status(200, "", head);
        server.then(manifest, shard, FaultyServer.status(200, "all"));
        StoredFile file = storage(LONG, LONG).open(NAME, "rank-0.safetensors");
        assertEquals(100, file.contents().byteSize());
        String message =
                String.valueOf(assertThrows(S3Exception.class, () -> file.load(0, 8)).getMessage());
        assertTrue(message.endsWith("sent other bytes than those of bytes 0-99/100"), message);
    }

    @Test
    void aManifestWithoutItsAttemptIsRefused() {
        server.then(FaultyServer.status(200, "", Map.of(S3Storage.ATTEMPT, "../other")));
        S3Storage storage = storage(LONG, LONG);
        assertTrue(
                String.valueOf(
                                assertThrows(
                                                S3Exception.class,
                                                () -> storage.open(NAME, "rank-0.safetensors"))
                                        .getMessage())
                        .startsWith(
                                "s3://bucket/p/step-00000001/manifest.json has no valid metadata"));
    }

    /** The first request takes effect, but its reply is lost. */
    @Test
    void aPublicationWhoseReplyIsLostSucceeds() throws IOException {
        Reply exists = FaultyServer.error(412, "PreconditionFailed");
        Reply missing = FaultyServer.status(404, "");
        server.then(
                missing,
                BUSY,
                exists,
                FaultyServer.status(200, "", Map.of(S3Storage.ATTEMPT, ATTEMPT)));
        storage(LONG, LONG).publish(NAME, ATTEMPT, new byte[] {1});
        assertEquals(
                List.of("HEAD", "PUT", "PUT", "HEAD"),
                server.requests().stream()
                        .map(line -> line.substring(0, line.indexOf(' ')))
                        .toList());
        server.then(
                missing,
                exists,
                FaultyServer.status(200, "", Map.of(S3Storage.ATTEMPT, ATTEMPT.replace('0', 'f'))));
        S3Storage storage = storage(LONG, LONG);
        String message =
                String.valueOf(
                        assertThrows(
                                        S3Exception.class,
                                        () -> storage.publish(NAME, ATTEMPT, new byte[] {1}))
                                .getMessage());
        assertTrue(message.contains("was published by another group meanwhile"), message);
    }

    @Test
    void partsThatFailAbortTheUpload() {
        server.then(
                FaultyServer.status(
                        200,
                        "<InitiateMultipartUploadResult><UploadId>u1</UploadId></InitiateMultipartUploadResult>"),
                FaultyServer.status(200, "", Map.of("ETag", "\"1\"")),
                FaultyServer.error(403, "AccessDenied"),
                FaultyServer.status(204, ""));
        S3Storage storage = storage(LONG, LONG);
        var content = new Zeros(2L * Stores.PART_BYTES + 1);
        assertThrows(
                S3Exception.class,
                () -> storage.write(NAME, ATTEMPT, "rank-0.safetensors", content));
        String path = "/bucket/p/step-00000001/" + ATTEMPT + "/rank-0.safetensors?";
        assertEquals(
                List.of(
                        "POST " + path + "uploads=",
                        "PUT " + path + "partNumber=1&uploadId=u1",
                        "PUT " + path + "partNumber=2&uploadId=u1",
                        "DELETE " + path + "uploadId=u1"),
                server.requests());
    }

    /** A failure after the status was sent, a lost reply, and the upload that has ended. */
    @Test
    void aCompletionIsTriedAgain() throws IOException {
        Reply part = FaultyServer.status(200, "", Map.of("ETag", "\"1\""));
        long total = Stores.PART_BYTES + 1L;
        server.then(
                FaultyServer.status(
                        200,
                        "<InitiateMultipartUploadResult><UploadId>u1</UploadId></InitiateMultipartUploadResult>"),
                part,
                part,
                FaultyServer.error(200, "InternalError"),
                FaultyServer.error(404, "NoSuchUpload"),
                FaultyServer.status(200, "", Map.of("Content-Length", Long.toString(total))));
        storage(LONG, LONG).write(NAME, ATTEMPT, "rank-0.safetensors", new Zeros(total));
        assertEquals(6, server.requests().size());
    }

    /** Contents of a length. */
    private record Zeros(long bytes) implements Content {
        @Override
        public void writeTo(WritableByteChannel channel) throws IOException {
            for (long left = bytes; left > 0; left -= 1 << 20) {
                channel.write(ByteBuffer.allocate((int) Math.min(left, 1 << 20)));
            }
        }
    }

    @Test
    void contentsOfAnotherLengthAreRefused() {
        server.then(OK);
        S3Storage storage = storage(LONG, LONG);
        for (int more : new int[] {-1, 1}) {
            var zeros = new Zeros(100 + more);
            var content =
                    new Content() {
                        @Override
                        public long bytes() {
                            return 100;
                        }

                        @Override
                        public void writeTo(WritableByteChannel channel) throws IOException {
                            zeros.writeTo(channel);
                        }
                    };
            assertThrows(
                    IOException.class,
                    () -> storage.write(NAME, ATTEMPT, "rank-0.safetensors", content));
        }
        assertEquals(List.of(), server.requests());
    }

    @Test
    void partsAreFewEnough() {
        assertEquals(16 << 20, ObjectWriter.partBytes(1L << 30, 16 << 20));
        long bytes = ObjectWriter.partBytes(1L << 40, 16 << 20);
        assertTrue((1L << 40) / bytes < 10_000 && bytes % (1 << 20) == 0, "" + bytes);
    }
}
