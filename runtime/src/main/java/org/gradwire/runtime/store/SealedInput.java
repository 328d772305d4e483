package org.gradwire.runtime.store;

import org.gradwire.spi.crypto.Aead;

import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;

/**
 * Reads the records that {@link SealedOutput} wrote. A record that was changed, repeated, moved or
 * cut short is an {@link IOException}, and none of its bytes is read. Confined to one thread.
 */
final class SealedInput extends InputStream {
    private static final int END = -1;

    private final InputStream in;
    private final Aead cipher;
    private final byte[] plain = new byte[SealedOutput.MAX_PLAIN_BYTES];
    private int position;
    private int limit;
    private long records;

    /** Create the opened form of a stream; see {@link SessionKeys}. */
    SealedInput(InputStream in, byte[] keys) {
        this.in = in;
        cipher = SessionKeys.cipher(keys);
    }

    @Override
    public int read() throws IOException {
        return fill() ? Byte.toUnsignedInt(plain[position++]) : END;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
        if (length == 0) {
            return 0;
        }
        if (!fill()) {
            return END;
        }
        int count = Math.min(length, limit - position);
        System.arraycopy(plain, position, bytes, offset, count);
        position += count;
        return count;
    }

    @Override
    public int available() {
        return limit - position;
    }

    /** {@return false when the other side has closed the connection between two records} */
    private boolean fill() throws IOException {
        while (position == limit) {
            byte[] header = in.readNBytes(SealedOutput.HEADER_BYTES);
            if (header.length == 0) {
                return false;
            }
            if (header.length < SealedOutput.HEADER_BYTES) {
                throw new EOFException("a record of the store was cut short");
            }
            open(header);
        }
        return true;
    }

    private void open(byte[] header) throws IOException {
        int length = length(header);
        byte[] sealed = in.readNBytes(length);
        if (sealed.length < length) {
            throw new EOFException("a record of the store was cut short");
        }
        int opened =
                cipher.open(
                        records++,
                        new Aead.Part(header, 0, header.length),
                        new Aead.Part(sealed, 0, length),
                        plain,
                        0);
        if (opened < 0) {
            throw new IOException(
                    "a record of the store is not the one that was sent; the connection ends");
        }
        position = 0;
        limit = opened;
    }

    /**
     * {@return the length of a record without its header}
     *
     * @throws IOException when no record has it
     */
    static int length(byte[] header) throws IOException {
        int length = ByteBuffer.wrap(header).getInt();
        int longest = SealedOutput.MAX_PLAIN_BYTES + Aead.TAG_BYTES;
        if (length <= Aead.TAG_BYTES || length > longest) {
            throw new IOException(
                    "a record of the store has %d bytes; expected %d to %d"
                            .formatted(length, Aead.TAG_BYTES + 1, longest));
        }
        return length;
    }

    /** {@return the plain text of the first record of a stream, and its last} */
    static byte[] openOnly(byte[] record, byte[] keys) throws IOException {
        try (var opened = new SealedInput(new ByteArrayInputStream(record), keys)) {
            return opened.readAllBytes();
        }
    }

    @Override
    public void close() throws IOException {
        in.close();
    }
}
