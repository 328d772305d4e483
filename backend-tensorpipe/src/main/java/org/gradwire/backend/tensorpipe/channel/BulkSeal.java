package org.gradwire.backend.tensorpipe.channel;

import org.gradwire.backend.tensorpipe.auth.Nonce;
import org.gradwire.backend.tensorpipe.frame.FrameHeader;
import org.gradwire.backend.tensorpipe.seal.PairSecret;
import org.gradwire.backend.tensorpipe.seal.StreamSeal;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Seals what one end of a bulk connection writes after the handshake, and opens what it reads, in
 * records of at most 64 KiB. Both ends transfer the same numbers of bytes at a time, so a record
 * needs no length.
 *
 * <p>For one thread.
 */
final class BulkSeal {

    /** Transfers bytes over the socket. */
    interface Transfer {

        /** Transfer all remaining bytes. */
        void transfer(ByteBuffer bytes) throws IOException;
    }

    private static final int RECORDS = 4; // written or read by one system call

    private final StreamSeal writing;
    private final StreamSeal reading;
    // The JDK's ciphers are three times as fast in arrays as in native memory. They seal in place,
    // but open into another array.
    private final byte[] text = new byte[StreamSeal.MOST_BYTES];
    private final byte[] record = new byte[StreamSeal.MOST_BYTES + StreamSeal.OVERHEAD];
    private final ByteBuffer sealed = ByteBuffer.allocateDirect(RECORDS * record.length);

    private BulkSeal(StreamSeal writing, StreamSeal reading) {
        this.writing = writing;
        this.reading = reading;
    }

    /**
     * {@return the seal of one end}
     *
     * @param secret of the two ends; null when they do not encrypt
     * @param challenges new for each connection, and so are its keys
     */
    static @Nullable BulkSeal of(
            @Nullable PairSecret secret, BulkAuthenticator.Challenges challenges) {
        if (secret == null) {
            return null;
        }
        byte[] bytes = encode(challenges);
        return new BulkSeal(
                StreamSeal.of(secret, true, bytes), StreamSeal.of(secret, false, bytes));
    }

    private static byte[] encode(BulkAuthenticator.Challenges challenges) {
        ByteBuffer bytes = ByteBuffer.allocate(2 * Nonce.BYTES).order(FrameHeader.ORDER);
        bytes.putLong(challenges.ofServer().first()).putLong(challenges.ofServer().second());
        bytes.putLong(challenges.ofReader().first()).putLong(challenges.ofReader().second());
        return bytes.array();
    }

    /** Write bytes. */
    void write(ByteBuffer bytes, Transfer socket) throws IOException {
        while (bytes.hasRemaining()) {
            sealed.clear();
            while (bytes.hasRemaining() && sealed.remaining() >= record.length) {
                int length = Math.min(text.length, bytes.remaining());
                bytes.get(record, 0, length);
                writing.seal(record, length);
                sealed.put(record, 0, length + StreamSeal.OVERHEAD);
            }
            socket.transfer(sealed.flip());
        }
    }

    /**
     * Fill a buffer.
     *
     * @throws IOException also when a record was changed in transit
     */
    void read(ByteBuffer bytes, Transfer socket) throws IOException {
        while (bytes.hasRemaining()) {
            int texts = Math.min(RECORDS * text.length, bytes.remaining());
            int records = (texts + text.length - 1) / text.length;
            socket.transfer(sealed.clear().limit(texts + records * StreamSeal.OVERHEAD));
            sealed.flip();
            while (sealed.hasRemaining()) {
                int length = Math.min(text.length, bytes.remaining());
                sealed.get(record, 0, length + StreamSeal.OVERHEAD);
                reading.open(record, length, text);
                bytes.put(text, 0, length);
            }
        }
    }
}
