package org.gradwire.checkpoint;

import org.gradwire.tensor.Tensor;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
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

    static String of(StoredFile file) throws IOException {
        long size = file.contents().byteSize();
        file.load(0, size);
        try {
            return of(file.contents());
        } catch (InternalError e) { // how the JVM reports an error of a mapped file
            throw new IOException(file + ": it cannot be read, or was cut off meanwhile", e);
        }
    }

    /** {@return the digest of the elements of a contiguous tensor on the host} */
    static String of(Tensor tensor) {
        return of(tensor.asSegment()); // over an array of any type, or native
    }

    private static String of(MemorySegment bytes) {
        MessageDigest digest = sha256();
        byte[] chunk = new byte[(int) Math.min(CHUNK_BYTES, bytes.byteSize())];
        for (long at = 0; at < bytes.byteSize(); at += chunk.length) {
            int length = (int) Math.min(chunk.length, bytes.byteSize() - at);
            MemorySegment.copy(bytes, at, MemorySegment.ofArray(chunk), 0, length);
            digest.update(chunk, 0, length);
        }
        return HexFormat.of().formatHex(digest.digest());
    }

    static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e); // each Java platform has it
        }
    }
}
