package org.gradwire.backend.tensorpipe.seal;

import org.agrona.concurrent.NanoClock;
import org.gradwire.spi.crypto.Aead;

/** Seals the datagrams of one lane, each with another number. For one thread. */
public final class DatagramSealer {
    private final long keyId;
    private final RekeyLimits limits;
    private final NanoClock clock;
    private KeyEpoch epoch;
    private int number;
    private long sealedBytes;
    private long sinceNanos;

    /** Create the only sealer of a lane: another one would use its numbers again. */
    public DatagramSealer(PairSecret pair, Lane lane, RekeyLimits limits, NanoClock clock) {
        keyId = pair.keyId(lane, true);
        epoch = pair.firstEpoch(lane, true);
        this.limits = limits;
        this.clock = clock;
        sinceNanos = clock.nanoTime();
    }

    /**
     * Seal a datagram.
     *
     * @return the number of bytes written: {@link DatagramSeal#OVERHEAD} more than given
     */
    public int seal(byte[] frames, int offset, int length, byte[] out, int outOffset) {
        long now = clock.nanoTime();
        if (!limits.permit(number, sealedBytes, length, now - sinceNanos)) {
            epoch = epoch.next();
            number = 0;
            sealedBytes = 0;
            sinceNanos = now;
        }
        int sealed = length + DatagramSeal.OVERHEAD;
        DatagramSeal.putHeader(out, outOffset, sealed, epoch.number(), keyId, number);
        epoch.aead()
                .seal(
                        number,
                        new Aead.Part(out, outOffset, DatagramSeal.HEADER_BYTES),
                        new Aead.Part(frames, offset, length),
                        out,
                        outOffset + DatagramSeal.HEADER_BYTES);
        number++;
        sealedBytes += length;
        return sealed;
    }

    /** {@return the number of keys used before the present one} */
    long epoch() {
        return epoch.number();
    }
}
