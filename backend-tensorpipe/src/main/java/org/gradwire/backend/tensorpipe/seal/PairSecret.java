package org.gradwire.backend.tensorpipe.seal;

import org.gradwire.spi.crypto.AeadAlgorithm;
import org.gradwire.spi.crypto.Hkdf;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The secret of a pair of workers, as one of the two has it. All their keys follow from it.
 *
 * <p>Immutable; its text shows nothing.
 */
public final class PairSecret {
    /** Length of the encoded form in bytes. */
    public static final int ENCODED_BYTES = Hkdf.SECRET_BYTES + 2;

    private final AeadAlgorithm algorithm;
    private final boolean isLower;
    private final byte[] secret;

    /**
     * Create it.
     *
     * @param isLower whether this worker has the lower id of the two
     * @param secret 32 uniform bytes, not copied
     */
    public PairSecret(AeadAlgorithm algorithm, boolean isLower, byte[] secret) {
        if (secret.length != Hkdf.SECRET_BYTES) {
            throw new IllegalArgumentException("a secret of %d bytes".formatted(secret.length));
        }
        this.algorithm = algorithm;
        this.isLower = isLower;
        this.secret = secret;
    }

    AeadAlgorithm algorithm() {
        return algorithm;
    }

    /** {@return the number of Aeron's session for the log of this worker, or of the other} */
    public int session(boolean isOwn) {
        return ByteBuffer.wrap(derive("session", isOwn, Integer.BYTES))
                .order(ByteOrder.LITTLE_ENDIAN)
                .getInt();
    }

    /** {@return the number that datagrams of a lane carry} */
    public long keyId(Lane lane, boolean isOwn) {
        long bits =
                ByteBuffer.wrap(derive(lane.label() + " id", isOwn, Long.BYTES))
                        .order(ByteOrder.LITTLE_ENDIAN)
                        .getLong();
        return DatagramSeal.keyId(bits);
    }

    /** {@return the first key of a lane} */
    KeyEpoch firstEpoch(Lane lane, boolean isOwn) {
        return KeyEpoch.first(algorithm, derive(lane.label(), isOwn, Hkdf.SECRET_BYTES));
    }

    /**
     * {@return the first key of one stream of a lane}
     *
     * @param challenges random, of both ends of the stream
     */
    KeyEpoch firstEpoch(Lane lane, boolean isOwn, byte[] challenges) {
        byte[] ofLane = derive(lane.label(), isOwn, Hkdf.SECRET_BYTES);
        return KeyEpoch.first(algorithm, Hkdf.expand(ofLane, challenges, Hkdf.SECRET_BYTES));
    }

    /** The direction is that of the writer: 0 for the worker with the lower id, else 1. */
    private byte[] derive(String label, boolean isOwn, int bytes) {
        byte[] text = label.getBytes(StandardCharsets.US_ASCII);
        byte[] purpose = Arrays.copyOf(text, text.length + 1);
        purpose[text.length] = (byte) (isOwn == isLower ? 0 : 1);
        return Hkdf.expand(secret, purpose, bytes);
    }

    /** Encode it for the media driver. */
    public void encode(ByteBuffer to) {
        to.put(algorithm.code()).put((byte) (isLower ? 1 : 0)).put(secret);
    }

    /** Decode it at the media driver. */
    public static PairSecret decode(ByteBuffer from) {
        AeadAlgorithm algorithm = AeadAlgorithm.of(from.get());
        boolean isLower = from.get() != 0;
        byte[] secret = new byte[Hkdf.SECRET_BYTES];
        from.get(secret);
        return new PairSecret(algorithm, isLower, secret);
    }

    @Override
    public String toString() {
        return "PairSecret(" + algorithm + ")";
    }
}
