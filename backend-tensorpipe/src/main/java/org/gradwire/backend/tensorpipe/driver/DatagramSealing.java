package org.gradwire.backend.tensorpipe.driver;

import org.gradwire.backend.tensorpipe.seal.DatagramSeal;
import org.gradwire.backend.tensorpipe.seal.DatagramSealer;

import java.nio.ByteBuffer;

/** Seals the frames of one or many datagrams at a time. Confined to the driver's thread. */
final class DatagramSealing {
    private static final int MOST_BYTES = 64 * 1024;

    private final byte[] frames = new byte[MOST_BYTES];
    private final byte[] sealed = new byte[MOST_BYTES];
    private final ByteBuffer out = ByteBuffer.wrap(sealed);

    /**
     * {@return sealed datagrams, in a buffer that is valid until the next call}
     *
     * @param batch frames, whose position does not change
     * @param datagram length of the frames in each datagram but the last, which may be shorter
     */
    ByteBuffer seal(DatagramSealer sealer, ByteBuffer batch, int datagram) {
        int length = batch.remaining();
        batch.get(batch.position(), frames, 0, length);
        int written = 0;
        for (int at = 0; at < length; at += datagram) {
            written += sealer.seal(frames, at, Math.min(datagram, length - at), sealed, written);
        }
        return out.clear().limit(written);
    }

    /** {@return how many bytes of frames are in the first bytes of sealed datagrams} */
    static int framesIn(int sealedBytes, int datagram) {
        int one = datagram + DatagramSeal.OVERHEAD;
        int rest = sealedBytes % one;
        return sealedBytes / one * datagram + Math.max(0, rest - DatagramSeal.OVERHEAD);
    }
}
