package org.gradwire.checkpoint;

import org.gradwire.tensor.Tensor;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** SHA-256 of files and tensors, in hexadecimal. */
final class Digests {
    private static final int CHUNK_BYTES = 1 << 20;

    private Digests() {}

    static String of(byte[] bytes) {
        return HexFormat.of().formatHex(sha256().digest(bytes));
    }

    static String of(Path file) throws IOException {
        MessageDigest digest = sha256();
        var chunk = ByteBuffer.allocate(CHUNK_BYTES);
        try (var channel = FileChannel.open(file, StandardOpenOption.READ)) {
            while (channel.read(chunk.clear()) >= 0) {
                digest.update(chunk.flip());
            }
        }
        return HexFormat.of().formatHex(digest.digest());
    }

    /** {@return the digest of the elements of a contiguous tensor on the host} */
    static String of(Tensor tensor) {
        MessageDigest digest = sha256();
        MemorySegment elements = tensor.asSegment(); // over an array of any type, or native
        byte[] chunk = new byte[(int) Math.min(CHUNK_BYTES, elements.byteSize())];
        for (long at = 0; at < elements.byteSize(); at += chunk.length) {
            int length = (int) Math.min(chunk.length, elements.byteSize() - at);
            MemorySegment.copy(elements, at, MemorySegment.ofArray(chunk), 0, length);
            digest.update(chunk, 0, length);
        }
        return HexFormat.of().formatHex(digest.digest());
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e); // each Java platform has it
        }
    }
}
