package org.gradwire.checkpoint.s3;

import org.gradwire.checkpoint.StoredFile;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.BitSet;

/**
 * An object whose ranges are loaded into a temporary file without a name, which is mapped into
 * memory and ends with the process, or when nothing uses it.
 */
final class ObjectFile implements StoredFile {
    private static final int BLOCK_BYTES = 1 << 20;
    private static final int PARTIAL_CONTENT = 206;
    private static final int LEAST_LIMIT = 1 << 16; // of bodies, for errors

    private final S3Client client;
    private final String name;
    private final String key;
    private final String etag;
    private final int partBytes;
    private final FileChannel file;
    private final MemorySegment contents;
    private final BitSet loaded = new BitSet(); // by blocks, guarded by this

    private ObjectFile(
            S3Client client, String name, String key, String etag, int partBytes, FileChannel file)
            throws IOException {
        this.client = client;
        this.name = name;
        this.key = key;
        this.etag = etag;
        this.partBytes = partBytes / BLOCK_BYTES * BLOCK_BYTES;
        this.file = file;
        this.contents = file.map(MapMode.READ_ONLY, 0, file.size(), Arena.ofAuto());
    }

    /**
     * Open an object.
     *
     * @param name for messages
     */
    static ObjectFile open(S3Client client, String name, String key, int partBytes)
            throws IOException {
        S3Reply head = client.send(S3Request.of("HEAD", key));
        long size = head.length("Content-Length");
        String etag = head.header("ETag").orElse("");
        if (size < 0 || etag.isEmpty()) {
            throw new S3Exception(name + ": the object store does not say its size and ETag");
        }
        Path path = Files.createTempFile("gradwire-", ".part");
        FileChannel file =
                FileChannel.open(
                        path,
                        StandardOpenOption.READ,
                        StandardOpenOption.WRITE,
                        StandardOpenOption.DELETE_ON_CLOSE); // on Unix now
        if (size > 0) {
            file.write(ByteBuffer.allocate(1), size - 1); // the rest is a hole
        }
        return new ObjectFile(client, name, key, etag, partBytes, file);
    }

    @Override
    public MemorySegment contents() {
        return contents;
    }

    @Override
    public synchronized void load(long offset, long length) throws IOException {
        if (length == 0) {
            return;
        }
        int end = Math.toIntExact((offset + length - 1) / BLOCK_BYTES + 1);
        int from = loaded.nextClearBit(Math.toIntExact(offset / BLOCK_BYTES));
        while (from < end) {
            int next = loaded.nextSetBit(from);
            int to = next < 0 ? end : Math.min(next, end);
            to = Math.min(to, from + partBytes / BLOCK_BYTES);
            fetch(
                    (long) from * BLOCK_BYTES,
                    Math.min((long) to * BLOCK_BYTES, contents.byteSize()));
            loaded.set(from, to);
            from = loaded.nextClearBit(to);
        }
    }

    private void fetch(long from, long to) throws IOException {
        int length = Math.toIntExact(to - from);
        S3Reply reply =
                client.send(
                        S3Request.of("GET", key)
                                .header("range", "bytes=%d-%d".formatted(from, to - 1))
                                .header("if-match", etag)
                                .limit(Math.max(length, LEAST_LIMIT)));
        String range = "bytes %d-%d/%d".formatted(from, to - 1, contents.byteSize());
        boolean isRange = reply.header("Content-Range").filter(range::equals).isPresent();
        if (reply.status() != PARTIAL_CONTENT || !isRange || reply.body().length != length) {
            throw new S3Exception(
                    "%s: the object store sent other bytes than those of %s"
                            .formatted(name, range));
        }
        var bytes = ByteBuffer.wrap(reply.body());
        while (bytes.hasRemaining()) {
            file.write(bytes, from + bytes.position());
        }
    }

    @Override
    public String toString() {
        return name;
    }
}
