package org.gradwire.backend.tensorpipe.driver;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.aeron.protocol.HeaderFlyweight;

import org.gradwire.backend.tensorpipe.Frames;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Coalesced datagrams are split between frames that are not consecutive, and invalid bytes are
 * dropped.
 */
class GroFramesTest {
    private static final int CASES = 5000;

    private final Frames frames = new Frames();
    private final GroFrames joined = new GroFrames();

    private List<Frames.Place> pieces(int bytes) {
        var pieces = new ArrayList<Frames.Place>();
        joined.begin(frames.buffer, bytes);
        while (joined.next()) {
            pieces.add(new Frames.Place(joined.offset(), joined.length()));
        }
        return pieces;
    }

    private static Frames.Place place(int offset, int length) {
        return new Frames.Place(offset, length);
    }

    @Test
    void dataThatFollowEachOtherAreOnePiece() {
        int position = frames.data(1, 0, 1408);
        position = frames.data(1, position, 1408);
        position = frames.data(1, position, 45);
        frames.padding(1, position, 4096);
        assertEquals(List.of(place(0, 2 * 1408 + 64 + 32)), pieces(frames.end));
    }

    @Test
    void aGapSplits() {
        frames.data(1, 0, 1408);
        frames.data(1, 2 * 1408, 1408);
        assertEquals(List.of(place(0, 1408), place(1408, 1408)), pieces(frames.end));
    }

    @Test
    void anotherSessionSplits() {
        int position = frames.data(1, 0, 1408);
        frames.data(2, position, 1408);
        assertEquals(List.of(place(0, 1408), place(1408, 1408)), pieces(frames.end));
    }

    @Test
    void whatFollowsPaddingSplits() {
        frames.padding(1, 0, 32);
        frames.data(1, 32, 64);
        assertEquals(List.of(place(0, 32), place(32, 64)), pieces(frames.end));
    }

    @Test
    void framesOfOtherKindsAreAlone() {
        int position = frames.data(1, 0, 64);
        frames.heartbeat(1, position);
        frames.setup();
        frames.setup();
        frames.data(1, position, 64);
        assertEquals(
                List.of(place(0, 64), place(64, 32), place(96, 40), place(136, 40), place(176, 64)),
                pieces(frames.end));
        joined.begin(frames.buffer, frames.end);
        joined.next();
        joined.next();
        joined.next();
        assertEquals(HeaderFlyweight.HDR_TYPE_SETUP, joined.type());
    }

    @Test
    void aFrameThatRunsOverTheEndIsDropped() {
        frames.data(1, 0, 1408);
        frames.data(1, 1408, 1408);
        assertEquals(List.of(place(0, 1408)), pieces(frames.end - 32));
        assertEquals(List.of(place(0, 1408)), pieces(1408 + 7));
        assertEquals(List.of(), pieces(31));
        assertEquals(List.of(), pieces(0));
    }

    @Test
    void randomFramesAreSplitExactlyWhereTheyDoNotFollow() {
        long seed = System.nanoTime();
        System.out.println("seed " + seed);
        var random = new Random(seed);
        for (int i = 0; i < CASES; i++) {
            frames.places.clear();
            frames.end = 0;
            assertEquals(fill(random), pieces(frames.end));
        }
    }

    /** Fill the buffer with frames; {@return the expected pieces} */
    private List<Frames.Place> fill(Random random) {
        var expected = new ArrayList<Frames.Place>();
        int session = 1;
        int position = 0;
        for (int piece = random.nextInt(1, 8); piece > 0; piece--) {
            int begin = frames.end;
            switch (random.nextInt(4)) {
                case 0 -> frames.heartbeat(session, position);
                case 1 -> frames.setup();
                default -> {
                    session += random.nextInt(2);
                    position += 32 * random.nextInt(1, 4); // a gap after any frame
                    for (int frame = random.nextInt(1, 8); frame > 0; frame--) {
                        position = frames.data(session, position, random.nextInt(32, 1408));
                    }
                }
            }
            expected.add(place(begin, frames.end - begin));
        }
        return expected;
    }

    @Test
    void rubbishEndsItWithinItsBounds() {
        long seed = System.nanoTime();
        System.out.println("seed " + seed);
        var random = new Random(seed);
        int sound = 0;
        for (int i = 0; i < CASES; i++) {
            frames.places.clear();
            frames.end = 0;
            fill(random);
            for (int change = random.nextInt(1, 20); change > 0; change--) {
                frames.buffer.putByte(random.nextInt(frames.end), (byte) random.nextInt());
            }
            int position = 0;
            for (Frames.Place piece : pieces(frames.end)) {
                assertEquals(position, piece.offset());
                assertTrue(piece.length() >= 32, "too short: " + piece);
                position += piece.length();
                sound++;
            }
            assertTrue(position <= frames.end);
        }
        assertTrue(sound > CASES / 10, "hardly any frame was valid");
    }
}
