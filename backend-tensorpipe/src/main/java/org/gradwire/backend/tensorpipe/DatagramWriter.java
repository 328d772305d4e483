package org.gradwire.backend.tensorpipe;

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
     * Send frames.
     *
     * @return how many bytes, fewer than there are when the socket takes no more
     * @throws IOException also after some have been sent
     */
    int write(ByteBuffer buffer) throws IOException {
        int end = buffer.limit();
        int begin = buffer.position();
        frames.wrap(buffer, begin, end - begin);
        runs.begin();
        boolean isTaken = true;
        while (isTaken && runs.next()) {
            int runEnd = buffer.position() + runs.length();
            buffer.limit(runEnd);
            writeRun(buffer);
            isTaken = buffer.position() == runEnd;
        }
        buffer.limit(end);
        return buffer.position() - begin;
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
