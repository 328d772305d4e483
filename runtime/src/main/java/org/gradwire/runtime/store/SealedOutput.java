package org.gradwire.runtime.store;

import org.gradwire.spi.crypto.Aead;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;

/**
 * Writes bytes as sealed records: a length of 4 bytes, then that many of ciphertext and tag. Each
 * {@link #write(byte[], int, int)} makes separate records, so callers buffer. Confined to one
 * thread at a time.
 */
final class SealedOutput extends OutputStream {
    /** Length of a record's header, its associated data. */
    static final int HEADER_BYTES = Integer.BYTES;

    /** Limit of the plain text of a record. */
    static final int MAX_PLAIN_BYTES = 16 * 1024;

    private final OutputStream out;
    private final Aead cipher;
    private long records;

    /** Create the sealed form of a stream; see {@link SessionKeys}. */
    SealedOutput(OutputStream out, byte[] keys) {
        this.out = out;
        cipher = SessionKeys.cipher(keys);
    }

    @Override
    public void write(int single) throws IOException {
        write(new byte[] {(byte) single}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        int written = 0;
        while (written < length) {
            int part = Math.min(length - written, MAX_PLAIN_BYTES);
            writeRecord(new Aead.Part(bytes, offset + written, part));
            written += part;
        }
    }

    private void writeRecord(Aead.Part text) throws IOException {
        byte[] record = new byte[HEADER_BYTES + text.length() + Aead.TAG_BYTES];
        ByteBuffer.wrap(record).putInt(record.length - HEADER_BYTES);
        var header = new Aead.Part(record, 0, HEADER_BYTES);
        cipher.seal(records++, header, text, record, HEADER_BYTES);
        out.write(record);
    }

    @Override
    public void flush() throws IOException {
        out.flush();
    }

    @Override
    public void close() throws IOException {
        out.close();
    }
}
