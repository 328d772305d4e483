package org.gradwire.backend.tensorpipe;

import static io.aeron.protocol.DataHeaderFlyweight.STREAM_ID_FIELD_OFFSET;
import static io.aeron.protocol.DataHeaderFlyweight.TERM_OFFSET_FIELD_OFFSET;

import org.agrona.concurrent.UnsafeBuffer;

import java.io.IOException;
import java.net.PortUnreachableException;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import java.util.function.IntPredicate;

/**
 * Sends frames as datagrams, many in one call where the system cuts them, otherwise each in one of
 * its own.
 *
 * <p>That the system does not cut shows when the option is set, or only when something is sent: a
 * datagram that is longer than what the way takes is not cut off, but may still be sent by itself,
 * in fragments. For one thread.
 */
final class DatagramWriter {
    private final WritableByteChannel socket;
    private final IntPredicate cutAt;
    private final UnsafeBuffer frames = new UnsafeBuffer(0, 0);
    private final DatagramRuns runs;
    private boolean canCut = true;
    private int cut;
    private int taken; // of the frames that begin with the one of these fields
    private long offsetAndSession;
    private long streamAndTerm;

    /**
     * Send over a socket.
     *
     * @param cutAt sets where the socket cuts, 0 for nowhere, and says whether it does; see {@link
     *     SocketOptions#cutAt}
     * @param datagram bytes of a datagram, unless a frame is longer
     */
    DatagramWriter(WritableByteChannel socket, IntPredicate cutAt, int datagram) {
        this.socket = socket;
        this.cutAt = cutAt;
        runs = new DatagramRuns(datagram, frames);
    }

    /**
     * Send frames. Of those that a full socket did not take all of, and that come again, only the
     * rest is sent.
     *
     * @return how many bytes have been sent, fewer than there are when the socket takes no more
     * @throws IOException also after some have been sent
     */
    int write(ByteBuffer buffer) throws IOException {
        int end = buffer.limit();
        int begin = buffer.position();
        frames.wrap(buffer, begin, end - begin);
        int before = takenBefore();
        buffer.position(begin + before);
        frames.wrap(buffer, begin + before, end - begin - before);
        writeRuns(buffer);
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

    private void writeRuns(ByteBuffer buffer) throws IOException {
        runs.begin();
        boolean isTaken = true;
        while (isTaken && runs.next()) {
            int runEnd = buffer.position() + runs.length();
            buffer.limit(runEnd);
            writeRun(buffer);
            isTaken = buffer.position() == runEnd;
        }
    }

    private void writeRun(ByteBuffer run) throws IOException {
        boolean isOne = runs.length() == runs.datagram();
        if (isOne) {
            setCut(0);
            socket.write(run);
        } else if (setCut(runs.datagram())) {
            writeCut(run);
        } else {
            writeEach(run);
        }
    }

    private void writeCut(ByteBuffer run) throws IOException {
        int begin = run.position();
        try {
            socket.write(run);
        } catch (PortUnreachableException e) {
            throw e; // an earlier datagram has met nobody
        } catch (IOException _) {
            setCut(0);
            writeEach(run); // when nothing can be sent at all, this says so
            canCut = run.position() == begin;
        }
    }

    private void writeEach(ByteBuffer run) throws IOException {
        int end = run.limit();
        boolean isTaken = true;
        while (isTaken && run.position() < end) {
            int datagramEnd = Math.min(end, run.position() + runs.datagram());
            run.limit(datagramEnd);
            socket.write(run);
            isTaken = run.position() == datagramEnd;
        }
    }

    private boolean setCut(int bytes) {
        if (canCut && cut != bytes) {
            canCut = cutAt.test(bytes);
            cut = canCut ? bytes : 0;
        }
        return canCut;
    }
}
