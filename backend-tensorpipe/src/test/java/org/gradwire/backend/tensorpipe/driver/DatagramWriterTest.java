package org.gradwire.backend.tensorpipe.driver;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.gradwire.backend.tensorpipe.Frames;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.channels.WritableByteChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;

/**
 * Frames are sent as datagrams of whole frames in few calls, whether or not the system segments.
 */
@Timeout(60)
class DatagramWriterTest {
    private static final int DATAGRAM = 1408;
    private static final DatagramSealing SEALING = new DatagramSealing();
    private static final int CASES = 2000;

    /** A socket of a system that segments, or does not. */
    private static final class Socket implements WritableByteChannel {
        final List<Frames.Place> datagrams = new ArrayList<>();
        boolean knowsOption = true;
        boolean refusesToCut;
        boolean refusesAll;
        int room = Integer.MAX_VALUE;
        int calls;
        int cut;

        boolean segmentAt(int bytes) {
            cut = knowsOption ? bytes : 0;
            return knowsOption;
        }

        @Override
        public int write(ByteBuffer run) throws IOException {
            calls++;
            if (refusesAll || (refusesToCut && cut != 0)) {
                throw new IOException("Invalid argument");
            }
            int bytes = run.remaining();
            int each = cut == 0 ? bytes : cut;
            if (bytes > room) {
                return 0;
            }
            room -= bytes;
            assertTrue(bytes <= each * 64, "Linux takes no more than 64 at once");
            while (run.hasRemaining()) {
                int length = Math.min(each, run.remaining());
                datagrams.add(new Frames.Place(run.position(), length));
                run.position(run.position() + length);
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
            new DatagramWriter(socket, socket::segmentAt, SEALING, DATAGRAM);

    /** As many frames as Aeron sends at once: full, small, or oversized. */
    private static Frames random(Random random) {
        var frames = new Frames();
        int position = 0;
        int most = random.nextInt(1, 65_000);
        int kind = random.nextInt(4);
        while (frames.end < most) {
            int length =
                    switch (kind == 3 ? random.nextInt(3) : kind) {
                        case 0 -> DATAGRAM;
                        case 1 -> random.nextInt(33, 800);
                        default -> random.nextInt(33, random.nextInt(5) == 0 ? 9000 : DATAGRAM);
                    };
            position = frames.data(1, position, length);
        }
        if (random.nextBoolean()) {
            frames.padding(1, position, 100_000);
        }
        return frames;
    }

    private static void assertWholeFrames(Frames frames, List<Frames.Place> datagrams) {
        var starts = new TreeSet<Integer>();
        frames.places.forEach(place -> starts.add(place.offset()));
        int position = 0;
        for (Frames.Place datagram : datagrams) {
            assertEquals(position, datagram.offset(), "frames are in order");
            assertTrue(starts.contains(position), "a datagram begins inside a frame");
            int end = position + datagram.length();
            int framesInside = starts.subSet(position, end).size();
            assertTrue(datagram.length() <= DATAGRAM || framesInside == 1, "too long: " + datagram);
            position = end;
        }
        assertEquals(frames.end, position);
    }

    @Test
    void noDatagramBeginsInsideAFrame() throws Exception {
        long seed = System.nanoTime();
        System.out.println("seed " + seed);
        var random = new Random(seed);
        int sent = 0;
        for (int i = 0; i < CASES; i++) {
            Frames frames = random(random);
            socket.datagrams.clear();
            ByteBuffer buffer = frames.toSend();
            assertEquals(frames.end, writer.write(buffer, null));
            assertWholeFrames(frames, socket.datagrams);
            sent += socket.datagrams.size();
        }
        assertTrue(socket.calls < sent / 2, socket.calls + " calls for " + sent + " datagrams");
    }

    @Test
    void theSameDatagramsAreSentWhereTheSocketDoesNotCut() throws Exception {
        long seed = System.nanoTime();
        System.out.println("seed " + seed);
        var random = new Random(seed);
        var without = new Socket();
        without.knowsOption = false;
        var refusing = new Socket();
        refusing.refusesToCut = true;
        var plain = new DatagramWriter(without, without::segmentAt, SEALING, DATAGRAM);
        var refused = new DatagramWriter(refusing, refusing::segmentAt, SEALING, DATAGRAM);
        for (int i = 0; i < CASES; i++) {
            Frames frames = random(random);
            assertEquals(frames.end, writer.write(frames.toSend(), null));
            assertEquals(frames.end, plain.write(frames.toSend(), null));
            assertEquals(frames.end, refused.write(frames.toSend(), null));
        }
        assertEquals(socket.datagrams, without.datagrams);
        assertEquals(socket.datagrams, refusing.datagrams);
        assertEquals(without.datagrams.size(), without.calls);
        assertEquals(refusing.datagrams.size() + 1, refusing.calls, "it is tried once");
    }

    @Test
    void fullFramesAreOneCall() throws Exception {
        Frames frames = full(46);
        assertEquals(46 * DATAGRAM, writer.write(frames.toSend(), null));
        assertEquals(1, socket.calls);
        assertEquals(46, socket.datagrams.size());
    }

    private static Frames full(int count) {
        var frames = new Frames();
        for (int i = 0; i < count; i++) {
            frames.data(1, i * DATAGRAM, DATAGRAM);
        }
        return frames;
    }

    @Test
    void aNetworkThatIsDownIsNoReasonToCutNoMore() throws Exception {
        socket.refusesAll = true;
        assertThrows(IOException.class, () -> writer.write(full(3).toSend(), null));
        socket.refusesAll = false;
        socket.calls = 0;
        assertEquals(3 * DATAGRAM, writer.write(full(3).toSend(), null));
        assertEquals(1, socket.calls);
    }

    @Test
    void aRunIsTakenOrNot() throws Exception {
        socket.room = DATAGRAM;
        ByteBuffer buffer = full(3).toSend();
        assertEquals(0, writer.write(buffer, null));
        assertEquals(3 * DATAGRAM, buffer.remaining());
        assertEquals(List.of(), socket.datagrams);
    }

    /** Aeron passes all frames again until all have been sent. */
    @Test
    void whatAFullSocketHasTakenIsNotSentTwice() throws Exception {
        socket.knowsOption = false;
        Frames frames = full(9);
        for (int sent = 2; sent < 10; sent += 2) {
            socket.room = 2 * DATAGRAM;
            assertEquals(sent * DATAGRAM, writer.write(frames.toSend(), null));
            socket.room = 0;
            assertEquals(sent * DATAGRAM, writer.write(frames.toSend(), null), "nothing more");
        }
        socket.room = DATAGRAM;
        assertEquals(9 * DATAGRAM, writer.write(frames.toSend(), null));
        assertEquals(9, socket.datagrams.size());
        assertWholeFrames(frames, socket.datagrams);
    }

    @Test
    void otherFramesAreSentFromTheFirst() throws Exception {
        socket.knowsOption = false;
        socket.room = 2 * DATAGRAM;
        assertEquals(2 * DATAGRAM, writer.write(full(9).toSend(), null));
        socket.datagrams.clear();
        socket.room = Integer.MAX_VALUE;
        var others = new Frames();
        for (int i = 0; i < 9; i++) {
            others.data(2, i * DATAGRAM, DATAGRAM);
        }
        assertEquals(9 * DATAGRAM, writer.write(others.toSend(), null));
        assertWholeFrames(others, socket.datagrams);
    }

    @Test
    void linuxCutsAndJoins() throws Exception {
        Frames frames = full(3);
        int end = frames.data(1, 3 * DATAGRAM, 40);
        assertEquals(3 * DATAGRAM + 64, end);
        try (var from = DatagramChannel.open();
                var to = DatagramChannel.open()) {
            to.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            from.connect(to.getLocalAddress());
            assumeTrue(SocketOptions.segmentAt(from, 0), "this system does not segment");
            var real =
                    new DatagramWriter(
                            from, bytes -> SocketOptions.segmentAt(from, bytes), SEALING, DATAGRAM);
            assertEquals(end, real.write(frames.toSend(), null));
            for (Frames.Place datagram :
                    List.of(
                            new Frames.Place(0, DATAGRAM),
                            new Frames.Place(DATAGRAM, DATAGRAM),
                            new Frames.Place(2 * DATAGRAM, DATAGRAM),
                            new Frames.Place(3 * DATAGRAM, 64))) {
                assertReceived(frames, datagram, to);
            }
            assertTrue(SocketOptions.coalesce(to));
            assertEquals(end, real.write(frames.toSend(), null));
            assertReceived(frames, new Frames.Place(0, end), to);
        }
    }

    private static void assertReceived(Frames frames, Frames.Place expected, DatagramChannel at)
            throws IOException {
        var received = ByteBuffer.allocateDirect(65_536);
        at.receive(received);
        assertEquals(
                frames.bytes.slice(expected.offset(), expected.length()), received.flip().slice());
    }
}
