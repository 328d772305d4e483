package org.gradwire.backend.tensorpipe.frame;

import static org.gradwire.backend.tensorpipe.Calls.get;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.agrona.concurrent.UnsafeBuffer;
import org.gradwire.backend.tensorpipe.RawPeer;
import org.gradwire.backend.tensorpipe.World;
import org.gradwire.backend.tensorpipe.World.Node;
import org.gradwire.backend.tensorpipe.channel.BulkReadMode;
import org.gradwire.backend.tensorpipe.os.LibC;
import org.gradwire.spi.BufferAllocator;
import org.gradwire.spi.ElementKind;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Fuzzing: a member sends many mutated frames. No crash, no hang, no memory above the limits, and
 * the worker serves the others throughout. System property {@code fuzz.frames} sets their number,
 * {@code fuzz.seed} repeats a run.
 */
class FuzzTest {
    private static final int MAX_MESSAGE = 1 << 20;
    private static final int FRAMES_OF_A_PEER = 5000;
    private static final int ID = 2;
    private static final int[] ODD_NUMBERS = {0, 1, -1, 7, 8, 255, 65_536, 1 << 20, 1 << 30};

    private final AtomicLong largest = new AtomicLong();
    private final BufferAllocator watching =
            (kind, bytes) -> {
                largest.accumulateAndGet(bytes, Math::max);
                return BufferAllocator.plain().allocate(kind, bytes);
            };

    @Test
    void framesWithErrorsDoNoHarm() throws Exception {
        int frames = Integer.getInteger("fuzz.frames", 100_000);
        long seed = Long.getLong("fuzz.seed", System.nanoTime());
        System.out.println("-Dfuzz.seed=" + seed);
        var random = new Random(seed);
        var settings = Map.of("driver", "embedded", "max-message-bytes", "1m");
        try (var world = new World(2, settings, watching)) {
            for (int sent = 0; sent < frames; sent += FRAMES_OF_A_PEER) {
                sendAsAPeer(world, random);
                assertServing(world);
            }
            long rejected = world.node(0).figure("frames.rejected");
            assertTrue(rejected > frames / 10, rejected + " frames were rejected only");
        }
        assertTrue(largest.get() > 0, "no message came through");
        assertTrue(largest.get() <= MAX_MESSAGE, largest.get() + " bytes were taken at once");
    }

    /** Send frames as one peer until a frame ends its session. */
    private static void sendAsAPeer(World world, Random random) throws Exception {
        Node node = world.node(0);
        try (var peer = new RawPeer(ID, 0, world.store)) {
            join(node, peer, LibC.isAvailable() && random.nextBoolean());
            for (int i = 0; i < FRAMES_OF_A_PEER; i++) {
                peer.send(mutated(sound(random), random));
            }
            node.agent.disconnect(ID);
        }
        node.threads.clear();
        node.lost.clear();
    }

    private static void join(Node node, RawPeer peer, boolean canRead) throws Exception {
        var connected =
                CompletableFuture.runAsync(
                        () -> node.agent.connect(List.of(World.info(ID))),
                        task -> Thread.ofVirtual().start(task));
        peer.greet(canRead ? BulkReadMode.MEMORY : BulkReadMode.CHUNKS);
        connected.get(20, TimeUnit.SECONDS);
    }

    private static void assertServing(World world) throws Exception {
        byte[] payload = {4, 2};
        get(world.node(1).call(0, World.request(payload)));
        get(world.node(0).call(1, World.request(payload)));
    }

    private static byte[] sound(Random random) {
        return switch (random.nextInt(8)) {
            case 0 -> control(new AbortFrame(random.nextInt(4)));
            case 1 -> control(new SingleCopyDoneFrame(random.nextInt(4), random.nextInt(20)));
            case 2 -> control(new HeartbeatFrame());
            case 3 -> control(new RejectFrame(random.nextInt(4), random.nextInt(8), "no"));
            case 4 -> start(random);
            case 5 -> chunk(random);
            default -> message(random);
        };
    }

    private static byte[] control(ControlFrame frame) {
        var buffer = new UnsafeBuffer(new byte[frame.encodedLength()]);
        frame.encode(buffer, 0);
        return buffer.byteArray();
    }

    /** A body: a table of up to two buffers, a payload, and the contents of the buffers. */
    private static byte[] body(Random random, int payload, int buffers, boolean remote) {
        int size = 4 * random.nextInt(20);
        int inBody = remote ? Long.BYTES : size;
        var body = new UnsafeBuffer(new byte[buffers * (Long.BYTES + inBody) + payload]);
        for (int i = 0; i < buffers; i++) {
            body.putLong(
                    i * Long.BYTES, BufferEntry.of(ElementKind.FLOAT, Math.max(4, size), remote));
        }
        return body.byteArray();
    }

    private static byte[] message(Random random) {
        int buffers = random.nextInt(3);
        int payload = random.nextInt(50);
        boolean remote = buffers > 0 && random.nextInt(8) == 0;
        byte[] body = body(random, payload, buffers, remote);
        var frame = new UnsafeBuffer(new byte[MessageFrame.BODY_OFFSET + body.length]);
        FrameHeader.encode(frame, 0, FrameHeader.MESSAGE, 0, frame.capacity());
        frame.putLong(8, random.nextInt(100));
        frame.putInt(16, random.nextInt(4) == 0 ? World.REPLY : World.REQUEST);
        frame.putInt(20, payload);
        frame.putInt(24, buffers);
        frame.putInt(28, remote ? buffers : 0);
        frame.putBytes(MessageFrame.BODY_OFFSET, body);
        return frame.byteArray();
    }

    private static byte[] start(Random random) {
        var frame = new UnsafeBuffer(new byte[MessageStartFrame.LENGTH]);
        FrameHeader.encode(frame, 0, FrameHeader.MESSAGE_START, 0, frame.capacity());
        int payload = random.nextInt(100);
        frame.putLong(8, random.nextInt(100));
        frame.putInt(16, World.REQUEST);
        frame.putInt(20, payload);
        frame.putLong(32, random.nextInt(4));
        frame.putLong(40, payload + (long) random.nextInt(MAX_MESSAGE));
        return frame.byteArray();
    }

    private static byte[] chunk(Random random) {
        byte[] part = new byte[random.nextInt(200)];
        random.nextBytes(part);
        var frame = new UnsafeBuffer(new byte[ChunkFrame.PART_OFFSET + part.length]);
        long position = random.nextBoolean() ? 0 : random.nextInt(200);
        ChunkFrame.encode(frame, 0, random.nextInt(4), position, part.length);
        frame.putBytes(ChunkFrame.PART_OFFSET, part);
        return frame.byteArray();
    }

    /** Change bits or a number, or resize; one in four frames stays valid. */
    private static byte[] mutated(byte[] sound, Random random) {
        byte[] frame = sound;
        for (int i = random.nextInt(4); i > 0; i--) {
            int at = random.nextInt(frame.length);
            switch (random.nextInt(4)) {
                case 0 -> frame[at] ^= (byte) (1 << random.nextInt(8));
                case 1 -> putNumber(frame, at, random);
                case 2 -> frame = resized(frame, at, random.nextBoolean());
                default -> frame[at] = (byte) random.nextInt();
            }
        }
        return frame;
    }

    private static void putNumber(byte[] frame, int at, Random random) {
        int place = at / Integer.BYTES * Integer.BYTES;
        if (place + Integer.BYTES <= frame.length) {
            int number = ODD_NUMBERS[random.nextInt(ODD_NUMBERS.length)];
            new UnsafeBuffer(frame).putInt(place, number);
        }
    }

    /** Truncate or extend a frame, and often update its length field. */
    private static byte[] resized(byte[] frame, int by, boolean longer) {
        int length = Math.max(1, longer ? frame.length + by : frame.length - by);
        byte[] other = java.util.Arrays.copyOf(frame, length);
        if (length >= FrameHeader.HEADER_LENGTH && by % 4 > 0) {
            new UnsafeBuffer(other).putInt(4, length);
        }
        return other;
    }
}
