package org.gradwire.backend.tensorpipe.seal;

import org.gradwire.spi.crypto.Aead;

import java.io.IOException;

/**
 * Seals or opens one direction of one stream, as records in sequence. A record has no header: both
 * ends know its length, and its number is its place. So none can be dropped, repeated or moved.
 *
 * <p>For one thread.
 */
public final class StreamSeal {
    /** The most bytes of a record without its tag. */
    public static final int MOST_BYTES = 64 * 1024;

    /** Bytes by which a record is longer than its text. */
    public static final int OVERHEAD = Aead.TAG_BYTES;

    /** Records sealed with one key: 64 GiB at most. */
    static final int RECORDS_PER_KEY = 1 << 20;

    private static final Aead.Part NOTHING = new Aead.Part(new byte[0], 0, 0);

    private final int recordsPerKey;
    private KeyEpoch epoch;
    private int number;

    private StreamSeal(KeyEpoch first, int recordsPerKey) {
        epoch = first;
        this.recordsPerKey = recordsPerKey;
    }

    /**
     * Create one direction of a stream. Each end of a direction needs one.
     *
     * @param isOwn whether this worker writes
     * @param challenges random, of both ends: no two streams have the same
     */
    public static StreamSeal of(PairSecret pair, boolean isOwn, byte[] challenges) {
        return of(pair, isOwn, challenges, RECORDS_PER_KEY);
    }

    static StreamSeal of(PairSecret pair, boolean isOwn, byte[] challenges, int recordsPerKey) {
        return new StreamSeal(pair.firstEpoch(Lane.BULK, isOwn, challenges), recordsPerKey);
    }

    /**
     * Seal the next record in place.
     *
     * @param record the text, with room for {@link #OVERHEAD} bytes after it
     * @param length of the text
     */
    public void seal(byte[] record, int length) {
        advance();
        epoch.aead().seal(number, NOTHING, new Aead.Part(record, 0, length), record, 0);
        number++;
    }

    /**
     * Open the next record into an array.
     *
     * @param length of the text
     * @throws IOException when it is not the record that the other end wrote at this place
     */
    public void open(byte[] record, int length, byte[] text) throws IOException {
        advance();
        var sealed = new Aead.Part(record, 0, length + OVERHEAD);
        if (epoch.aead().open(number, NOTHING, sealed, text, 0) != length) {
            throw new IOException("a record was changed in transit");
        }
        number++;
    }

    private void advance() {
        if (number == recordsPerKey) {
            epoch = epoch.next();
            number = 0;
        }
    }
}
