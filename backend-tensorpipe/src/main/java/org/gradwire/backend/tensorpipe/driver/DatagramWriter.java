package org.gradwire.backend.tensorpipe.driver;

import static io.aeron.protocol.DataHeaderFlyweight.STREAM_ID_FIELD_OFFSET;
import static io.aeron.protocol.DataHeaderFlyweight.TERM_OFFSET_FIELD_OFFSET;

import org.agrona.concurrent.UnsafeBuffer;
import org.gradwire.backend.tensorpipe.seal.DatagramSeal;
import org.gradwire.backend.tensorpipe.seal.DatagramSealer;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.net.PortUnreachableException;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import java.util.function.IntPredicate;

/**
 * Sends frames as datagrams: many per call if the system segments them (UDP GSO), otherwise one per
 * call.
 *
 * <p>A lack of support may show only at a send: a segment longer than the path's MTU fails with the
 * option, but may be sent alone, in IP fragments. For one thread.
 */
final class DatagramWriter {
    private final WritableByteChannel socket;
    private final IntPredicate segmentAt;
    private final UnsafeBuffer frames = new UnsafeBuffer(0, 0);
    private final GsoBatch batches;
    private final DatagramSealing sealing;
    private boolean canSegment = true;
    private int segment;
    private int taken; // bytes sent of the frames that begin with these fields
    private long offsetAndSession;
    private long streamAndTerm;

    /**
     * Create a writer for a socket.
     *
     * @param segmentAt sets the segment size of the socket, 0 for none, and returns whether it is
     *     supported; see {@link SocketOptions#segmentAt}
     * @param sealing of datagrams with a sealer
     * @param datagram bytes of a datagram, sealed or not, unless a frame is longer
     */
    DatagramWriter(
            WritableByteChannel socket,
            IntPredicate segmentAt,
            DatagramSealing sealing,
            int datagram) {
        this.socket = socket;
        this.segmentAt = segmentAt;
        this.sealing = sealing;
        batches = new GsoBatch(datagram, frames);
    }

    /**
     * Send frames. If a full socket accepted only a part, and the same frames are passed again,
     * only the rest is sent.
     *
     * @param sealer of the datagrams; null when they are not sealed
     * @return the number of bytes sent, fewer than given when the socket is full
     * @throws IOException also after some have been sent
     */
    int write(ByteBuffer buffer, @Nullable DatagramSealer sealer) throws IOException {
        int end = buffer.limit();
        int begin = buffer.position();
        frames.wrap(buffer, begin, end - begin);
        int before = takenBefore();
        buffer.position(begin + before);
        frames.wrap(buffer, begin + before, end - begin - before);
        writeBatches(buffer, sealer);
        buffer.limit(end);
        int sent = buffer.position() - begin;
        if (sent > before && buffer.hasRemaining()) {
            frames.wrap(buffer, begin, end - begin);
            remember(sent);
        }
        return sent;
    }

    private int takenBefore() {
        boolean isAgain =
                taken > 0
                        && taken < frames.capacity()
                        && frames.getLong(TERM_OFFSET_FIELD_OFFSET) == offsetAndSession
                        && frames.getLong(STREAM_ID_FIELD_OFFSET) == streamAndTerm;
        return isAgain ? taken : 0;
    }

    private void remember(int bytes) {
        taken = bytes;
        offsetAndSession = frames.getLong(TERM_OFFSET_FIELD_OFFSET);
        streamAndTerm = frames.getLong(STREAM_ID_FIELD_OFFSET);
    }

    private void writeBatches(ByteBuffer buffer, @Nullable DatagramSealer sealer)
            throws IOException {
        batches.begin(sealer == null ? 0 : DatagramSeal.OVERHEAD);
        boolean isTaken = true;
        while (isTaken && batches.next()) {
            int batchEnd = buffer.position() + batches.length();
            buffer.limit(batchEnd);
            if (sealer == null) {
                writeBatch(buffer, batches.datagram());
            } else {
                writeSealed(sealer, buffer, batches.datagram());
            }
            isTaken = buffer.position() == batchEnd;
        }
    }

    private void writeSealed(DatagramSealer sealer, ByteBuffer batch, int datagram)
            throws IOException {
        ByteBuffer sealed = sealing.seal(sealer, batch, datagram);
        try {
            writeBatch(sealed, datagram + DatagramSeal.OVERHEAD);
        } finally {
            int taken = DatagramSealing.framesIn(sealed.position(), datagram);
            batch.position(batch.position() + taken);
        }
    }

    private void writeBatch(ByteBuffer batch, int datagram) throws IOException {
        if (batch.remaining() <= datagram) {
            setSegment(0);
            socket.write(batch);
        } else if (setSegment(datagram)) {
            writeSegmented(batch, datagram);
        } else {
            writeEach(batch, datagram);
        }
    }

    private void writeSegmented(ByteBuffer batch, int datagram) throws IOException {
        int begin = batch.position();
        try {
            socket.write(batch);
        } catch (PortUnreachableException e) {
            throw e; // an earlier datagram had no receiver
        } catch (IOException _) {
            setSegment(0);
            writeEach(batch, datagram); // throws when nothing can be sent at all
            canSegment = batch.position() == begin;
        }
    }

    private void writeEach(ByteBuffer batch, int datagram) throws IOException {
        int end = batch.limit();
        boolean isTaken = true;
        while (isTaken && batch.position() < end) {
            int datagramEnd = Math.min(end, batch.position() + datagram);
            batch.limit(datagramEnd);
            socket.write(batch);
            isTaken = batch.position() == datagramEnd;
        }
    }

    private boolean setSegment(int bytes) {
        if (canSegment && segment != bytes) {
            canSegment = segmentAt.test(bytes);
            segment = canSegment ? bytes : 0;
        }
        return canSegment;
    }
}
