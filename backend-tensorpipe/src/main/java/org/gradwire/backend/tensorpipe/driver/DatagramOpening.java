package org.gradwire.backend.tensorpipe.driver;

import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.status.AtomicCounter;
import org.gradwire.backend.tensorpipe.seal.DatagramSeal;
import org.gradwire.backend.tensorpipe.seal.Lane;
import org.jspecify.annotations.Nullable;

import java.net.InetSocketAddress;
import java.nio.ByteBuffer;

/**
 * Opens the sealed datagrams that a socket receives, and replaces them by their frames. Those that
 * are not authentic are counted and dropped. Confined to the driver's thread.
 */
final class DatagramOpening {
    private final SealedPairs pairs;
    private final Lane lane;
    private final AtomicCounter refused;
    private final byte[] received;
    private final byte[] opened;
    private final UnsafeBuffer frames;
    private final UnsafeBuffer datagram = new UnsafeBuffer(0, 0);
    private final GroFrames pieces = new GroFrames();

    /**
     * Create it for a socket.
     *
     * @param lane of the datagrams that the socket receives
     * @param refused counts what is dropped
     */
    DatagramOpening(DriverNetwork network, Lane lane, AtomicCounter refused) {
        pairs = network.pairs();
        this.lane = lane;
        this.refused = refused;
        received = network.opened().received;
        opened = network.opened().opened;
        frames = network.opened().frames;
    }

    /**
     * Open the datagrams in a buffer, up to its position, and replace them by their frames.
     *
     * @param own the address of the worker for which they are; null for each
     * @return whether there are frames
     */
    boolean open(ByteBuffer buffer, @Nullable InetSocketAddress own) {
        int end = buffer.position();
        buffer.flip().get(received, 0, end);
        int written = 0;
        int offset = 0;
        int length = DatagramSeal.lengthAt(received, 0, end);
        while (length > 0) {
            int bytes = open(offset, length, written, own);
            written += bytes;
            offset += length;
            if (bytes == 0) {
                refused.incrementRelease();
            }
            length = DatagramSeal.lengthAt(received, offset, end);
        }
        if (offset < end) {
            refused.incrementRelease(); // the rest is not a datagram
        }
        buffer.clear().put(opened, 0, written);
        return written > 0;
    }

    private int open(int offset, int length, int written, @Nullable InetSocketAddress own) {
        SealedPair pair = pairs.withKey(DatagramSeal.keyIdAt(received, offset), lane);
        if (pair == null || (own != null && !pair.own().equals(own))) {
            return 0;
        }
        int bytes = pair.opener(lane).open(received, offset, length, opened, written);
        if (bytes <= 0) {
            return 0;
        }
        pair.onHeard(pairs.nanoTime());
        return isOf(pair, written, bytes) ? bytes : 0;
    }

    /** {@return whether all frames of a datagram belong to the log of its pair} */
    private boolean isOf(SealedPair pair, int offset, int bytes) {
        if (bytes < FrameFields.BYTES) {
            return false;
        }
        if (lane == Lane.STATUS) {
            return FrameFields.session(frames, offset) == pair.ownSession();
        }
        datagram.wrap(opened, offset, bytes);
        int end = 0;
        pieces.begin(datagram, bytes);
        while (pieces.next()) {
            if (FrameFields.session(datagram, pieces.offset()) != pair.peerSession()) {
                return false;
            }
            end = pieces.offset() + pieces.length();
        }
        return end == bytes;
    }
}
