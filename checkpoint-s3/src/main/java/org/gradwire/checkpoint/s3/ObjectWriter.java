package org.gradwire.checkpoint.s3;

import org.gradwire.checkpoint.CheckpointStorage.Content;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Uploads an object while it is written: at once if it is small, else in parts. A part is sent when
 * it is full, so one of them is in memory. Used by one thread.
 */
final class ObjectWriter implements WritableByteChannel {
    private static final int MAX_PARTS = 10_000; // of S3
    private static final int ALIGNMENT = 1 << 20;
    private static final String CHECKSUM = "x-amz-checksum-sha256";

    private final S3Client client;
    private final String key;
    private final long total;
    private final int partBytes;
    private final List<Part> parts = new ArrayList<>();
    private String upload = ""; // empty if the object is sent at once
    private long sent;
    private ByteBuffer part;

    private record Part(String etag, String checksum) {}

    private ObjectWriter(S3Client client, String key, long total, int partBytes) {
        this.client = client;
        this.key = key;
        this.total = total;
        this.partBytes = Math.toIntExact(partBytes(total, partBytes));
        this.part = ByteBuffer.allocate((int) Math.min(total, this.partBytes));
    }

    /** {@return the size of parts, so that their number is possible} */
    static long partBytes(long total, int wanted) {
        long least = (total + MAX_PARTS - 1) / MAX_PARTS;
        return Math.max(wanted, (least + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT);
    }

    static void write(S3Client client, String key, Content content, int partBytes)
            throws IOException {
        var writer = new ObjectWriter(client, key, content.bytes(), partBytes);
        writer.begin();
        try {
            content.writeTo(writer);
            writer.end();
        } catch (IOException | RuntimeException | Error e) {
            writer.abort(e);
            throw e;
        }
    }

    private void begin() throws IOException {
        if (total <= partBytes) {
            return;
        }
        S3Request request =
                S3Request.of("POST", key)
                        .query("uploads", "")
                        .header("x-amz-checksum-algorithm", "SHA256");
        upload =
                client.sendForXml(request, "InitiateMultipartUploadResult")
                        .text("UploadId")
                        .filter(id -> !id.isEmpty())
                        .orElseThrow(() ->
                                new S3Exception(key + ": the upload was begun without an id"));
    }

    @Override
    public int write(ByteBuffer bytes) throws IOException {
        int count = bytes.remaining();
        while (bytes.hasRemaining()) {
            if (!part.hasRemaining()) {
                throw new IOException("%s: more than %d bytes were written".formatted(key, total));
            }
            int length = Math.min(part.remaining(), bytes.remaining());
            part.put(bytes.slice(bytes.position(), length));
            bytes.position(bytes.position() + length);
            if (!part.hasRemaining() && !upload.isEmpty()) {
                sendPart();
            }
        }
        return count;
    }

    private void sendPart() throws IOException {
        S3Reply reply =
                client.send(
                        put(part.array())
                                .query("partNumber", Integer.toString(parts.size() + 1))
                                .query("uploadId", upload));
        parts.add(
                new Part(
                        reply.header("ETag")
                                .orElseThrow(() -> new S3Exception(key + ": a part has no ETag")),
                        S3Client.checksum(part.array())));
        sent += part.capacity();
        part = ByteBuffer.allocate((int) Math.min(total - sent, partBytes));
    }

    private S3Request put(byte[] body) {
        return S3Request.of("PUT", key).body(body).header(CHECKSUM, S3Client.checksum(body));
    }

    private void end() throws IOException {
        if (part.hasRemaining()) {
            throw new IOException(
                    "%s: %d bytes were written; expected %d"
                            .formatted(key, sent + part.position(), total));
        }
        if (upload.isEmpty()) {
            var _ = client.send(put(part.array()));
        } else {
            complete();
        }
    }

    private void complete() throws IOException {
        var xml = new StringBuilder("<CompleteMultipartUpload>");
        for (int i = 0; i < parts.size(); i++) {
            Part each = parts.get(i);
            xml.append("<Part><PartNumber>%d</PartNumber>".formatted(i + 1))
                    .append("<ETag>%s</ETag>".formatted(escaped(each.etag)))
                    .append("<ChecksumSHA256>%s</ChecksumSHA256></Part>".formatted(each.checksum));
        }
        byte[] body =
                xml.append("</CompleteMultipartUpload>")
                        .toString()
                        .getBytes(StandardCharsets.UTF_8);
        try {
            var _ = client.send(S3Request.of("POST", key).query("uploadId", upload).body(body));
        } catch (S3Exception e) {
            if (!e.code().equals("NoSuchUpload") || !isThere()) {
                throw e;
            } // an earlier attempt has completed it, and its reply was lost
        }
        upload = "";
    }

    private boolean isThere() throws IOException {
        return client.send(S3Request.of("HEAD", key)).length("Content-Length") == total;
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;");
    }

    private void abort(Throwable failure) {
        if (upload.isEmpty()) {
            return;
        }
        try {
            abort(client, key, upload);
        } catch (IOException | RuntimeException e) {
            failure.addSuppressed(e); // the next removal of attempts aborts it
        }
    }

    /** Abort an upload, unless it has ended. */
    static void abort(S3Client client, String key, String upload) throws IOException {
        try {
            var _ = client.send(S3Request.of("DELETE", key).query("uploadId", upload));
        } catch (S3Exception e) {
            if (!e.code().equals("NoSuchUpload")) {
                throw e;
            }
        }
    }

    @Override
    public boolean isOpen() {
        return true;
    }

    @Override
    public void close() {}
}
