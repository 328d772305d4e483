package org.gradwire.backend.tensorpipe.driver;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.backend.tensorpipe.Frames;
import org.gradwire.backend.tensorpipe.seal.DatagramOpener;
import org.gradwire.backend.tensorpipe.seal.DatagramSeal;
import org.gradwire.backend.tensorpipe.seal.DatagramSealer;
import org.gradwire.backend.tensorpipe.seal.Lane;
import org.gradwire.backend.tensorpipe.seal.RekeyLimits;
import org.junit.jupiter.api.Test;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Sealed datagrams of a {@link DatagramWriter}: their lengths, and what a full socket leaves. */
class SealedWriterTest {
    private static final int DATAGRAM = 1408;

    /** A socket that cuts what it gets into datagrams. */
    private static final class Socket implements WritableByteChannel {
        final List<byte[]> datagrams = new ArrayList<>();
        int room = Integer.MAX_VALUE;
        int calls;
        private int segment;

        boolean segmentAt(int bytes) {
            segment = bytes;
            return true;
        }

        @Override
        public int write(ByteBuffer run) {
            int bytes = run.remaining();
            assertTrue(bytes <= 65_507, "longer than UDP's limit: " + bytes);
            if (bytes > room) {
                return 0;
            }
            calls++;
            room -= bytes;
            while (run.hasRemaining()) {
                int length = segment == 0 ? run.remaining() : Math.min(segment, run.remaining());
                byte[] datagram = new byte[length];
                run.get(datagram);
                datagrams.add(datagram);
            }
            return bytes;
        }

        @Override
        public boolean isOpen() {
            return true;
        }

        @Override
        public void close() {}
    }

    private final Socket socket = new Socket();
    private final DatagramWriter writer =
            new DatagramWriter(socket, socket::segmentAt, new DatagramSealing(), DATAGRAM);
    private final DatagramSealer sealer =
            new DatagramSealer(
                    SealedSide.secret(1, true),
                    Lane.DATA,
                    new RekeyLimits(1L << 30),
                    System::nanoTime);
    private final DatagramOpener opener =
            new DatagramOpener(SealedSide.secret(1, false), Lane.DATA, System::nanoTime);

    private byte[] opened() {
        var frames = new ByteArrayOutputStream();
        for (byte[] datagram : socket.datagrams) {
            byte[] out = new byte[datagram.length];
            int length = opener.open(datagram, 0, datagram.length, out, 0);
            assertEquals(datagram.length - DatagramSeal.OVERHEAD, length);
            assertTrue(datagram.length <= DATAGRAM, "" + datagram.length);
            frames.write(out, 0, length);
        }
        socket.datagrams.clear();
        return frames.toByteArray();
    }

    private static void add(Frames frames, int length) {
        frames.data(5, frames.end, length);
    }

    private static byte[] bytes(Frames frames) {
        ByteBuffer buffer = frames.toSend();
        byte[] bytes = new byte[buffer.remaining()];
        buffer.get(bytes);
        return bytes;
    }

    @Test
    void framesOfAnySizesArriveWhole() throws Exception {
        long seed = System.nanoTime();
        System.out.println("seed " + seed);
        var random = new Random(seed);
        for (int i = 0; i < 500; i++) {
            var frames = new Frames();
            int most = random.nextInt(33, DATAGRAM - DatagramSeal.OVERHEAD);
            while (frames.end < 60_000) {
                add(frames, random.nextBoolean() ? most : random.nextInt(33, most + 1));
            }
            assertEquals(frames.end, writer.write(frames.toSend(), sealer));
            assertArrayEquals(bytes(frames), opened());
        }
    }

    @Test
    void datagramsOfOneLengthAreOneCall() throws Exception {
        var frames = new Frames();
        for (int i = 0; i < 46; i++) {
            add(frames, DATAGRAM - DatagramSeal.OVERHEAD);
        }
        assertEquals(frames.end, writer.write(frames.toSend(), sealer));
        assertEquals(1, socket.calls);
        assertEquals(46, socket.datagrams.size());
        assertArrayEquals(bytes(frames), opened());
    }

    @Test
    void whatAFullSocketDidNotTakeIsSealedAgainWithOtherNumbers() throws Exception {
        var frames = new Frames();
        for (int length : List.of(1376, 1376, 640, 1376, 1376)) {
            add(frames, length);
        }
        socket.room = 3000; // the first batch ends at the shorter datagram
        int sent = writer.write(frames.toSend(), sealer);
        assertEquals(0, sent, "a call takes all its datagrams or none");
        socket.room = 2 * DATAGRAM + 640 + DatagramSeal.OVERHEAD;
        assertEquals(2 * 1376 + 640, writer.write(frames.toSend(), sealer));
        socket.room = Integer.MAX_VALUE;
        assertEquals(frames.end, writer.write(frames.toSend(), sealer));
        assertArrayEquals(bytes(frames), opened());
    }
}
