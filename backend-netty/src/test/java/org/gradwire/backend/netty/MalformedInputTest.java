package org.gradwire.backend.netty;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.backend.netty.RawPeer.RawConnection;
import org.gradwire.backend.netty.TestGroup.Node;
import org.gradwire.rpc.RpcErrorKind;
import org.gradwire.spi.BufferAllocator;
import org.gradwire.spi.ElementKind;
import org.gradwire.spi.MessageTypes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Collections;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/** A worker continues to serve, and limits its memory, whatever bytes arrive. */
class MalformedInputTest {
    private static final int REQUEST = FrameHeader.Kind.REQUEST.code();
    private static final int MIB = 1024 * 1024;

    private final AtomicLong allocated = new AtomicLong();
    private final BufferAllocator counting =
            (kind, bytes) -> {
                allocated.addAndGet(bytes);
                return BufferAllocator.plain().allocate(kind, bytes);
            };
    private TestGroup group;
    private Node node;

    @BeforeEach
    void start() {
        Map<String, String> settings = Map.of("max-message-bytes", "4m", "connect-timeout", "20s");
        group = new TestGroup(Collections.nCopies(2, settings), counting);
        group.connectAll();
        node = group.node(0);
    }

    @AfterEach
    void stop() {
        group.close();
    }

    /** A peer that the agent knows, and its lane of small messages. */
    private RawConnection join(RawPeer peer) throws Exception {
        var connected = group.connect(node, peer.from.id());
        RawConnection small = peer.open(false);
        peer.open(true);
        connected.get(20, TimeUnit.SECONDS);
        return small;
    }

    private void assertStillServing() throws Exception {
        byte[] payload = {4, 2};
        for (Node from : group.nodes) {
            var reply = from.call(1 - from.info.id(), TestGroup.request(payload));
            assertArrayEquals(payload, reply.get(20, TimeUnit.SECONDS).payload());
        }
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (node.metric("bytes_arriving") > 0) {
            assertTrue(System.nanoTime() < deadline, "memory of an ended session is kept");
            LockSupport.parkNanos(100_000);
        }
    }

    private static byte[] frame(
            int kind, int payload, long id, int type, int buffers, byte[] body) {
        return ByteBuffer.allocate(FrameHeader.BYTES + body.length)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(kind)
                .putInt(payload)
                .putLong(id)
                .putInt(type)
                .putInt(buffers)
                .put(body)
                .array();
    }

    private static byte[] table(int count, ElementKind kind, long length) {
        ByteBuffer table =
                ByteBuffer.allocate(count * BufferEntry.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        for (int i = 0; i < count; i++) {
            table.putLong(BufferEntry.of(kind, length));
        }
        return table.array();
    }

    private static void assertAnswered(RawConnection connection) throws IOException {
        connection.write(frame(REQUEST, 1, 77, TestGroup.REQUEST, 0, new byte[] {9}));
        RawPeer.Frame reply = connection.await(77);
        assertEquals(FrameHeader.Kind.REPLY.code(), reply.kind());
        assertArrayEquals(new byte[] {9}, reply.payload());
    }

    // ---- handshakes

    @Test
    void connectionsOfStrangersAreClosed() throws Exception {
        try (var peer = new RawPeer(2, 0, group.store)) {
            byte[] valid = peer.hello(false).encode(new SharedSecret(""), new byte[16]).array();
            for (int at : new int[] {0, 8, 16, 28, 40}) { // magic, version, group, to
                byte[] wrong = valid.clone();
                wrong[at] ^= 1;
                RawConnection connection = peer.connect();
                connection.write(wrong);
                connection.awaitEnd();
            }
            RawConnection half = peer.connect();
            half.write(Arrays.copyOf(valid, 50));
            half.awaitEnd(); // after two seconds
            assertStillServing();
            assertEquals(1, node.metric("peers"));
        }
    }

    @Test
    void wrongProofsAndReplaysAreRefused() throws Exception {
        try (var peer = new RawPeer(2, 0, group.store)) {
            RawConnection joined = join(peer);
            long before = node.metric("connections_refused");
            byte[] replayed = peer.hello(true).encode(new SharedSecret(""), new byte[16]).array();
            byte[] otherToken =
                    peer.hello(true).encode(new SharedSecret("guessed"), new byte[16]).array();
            for (byte[] wrong : new byte[][] {replayed, otherToken}) {
                RawConnection connection = peer.connect();
                connection.write(wrong);
                connection.awaitEnd();
            }
            assertEquals(before + 2, node.metric("connections_refused"));
            assertAnswered(joined); // the proven connection is not affected
            assertStillServing();
        }
    }

    @Test
    void aSecondLaneOfAKindIsClosed() throws Exception {
        try (var peer = new RawPeer(2, 0, group.store)) {
            RawConnection joined = join(peer);
            RawConnection second = peer.connect();
            byte[] challenge = RawPeer.challenge(second);
            second.write(peer.hello(false).encode(new SharedSecret(""), challenge).array());
            second.awaitEnd();
            assertAnswered(joined);
            assertStillServing();
        }
    }

    /** A connected peer may have to renew its certificate. */
    @Test
    void strangersOfOtherAddressesDoNotKeepOutConnectedPeers() throws Exception {
        try (var peer = new RawPeer(2, 0, group.store)) {
            RawConnection joined = join(peer);
            for (int i = 0; i < 64; i++) {
                RawConnection stranger = peer.connectFrom("127.0.0." + (2 + i / 8));
                stranger.read(Handshake.CHALLENGE_BYTES);
            }
            long before = node.metric("connections_refused");
            peer.connectFrom("127.0.0.10").awaitEnd();
            assertEquals(before + 1, node.metric("connections_refused"));
            for (int i = 0; i < 8 + node.metric("peers"); i++) {
                RawPeer.challenge(peer.connect()); // from the address of the connected workers
            }
            peer.connect().awaitEnd();
            assertEquals(before + 2, node.metric("connections_refused"));
            assertAnswered(joined);
        }
    }

    // ---- frames

    @Test
    void aMalformedHeaderEndsTheSession() throws Exception {
        byte[][] wrong = {
            frame(0, 0, 1, 0, 0, new byte[0]),
            frame(7, 0, 1, 0, 0, new byte[0]),
            frame(255, 0, 1, 0, 0, new byte[0]),
            frame(REQUEST, -1, 1, TestGroup.REQUEST, 0, new byte[0]),
            frame(REQUEST, 0, 1, TestGroup.REQUEST, -1, new byte[0]),
            frame(REQUEST, 0, 1, TestGroup.REQUEST, FrameHeader.MAX_BUFFERS + 1, new byte[0]),
            frame(FrameHeader.Kind.REJECT.code(), 1025, 1, 0, 0, new byte[0]),
            frame(FrameHeader.Kind.GOODBYE.code(), 0, 1, 0, 1, new byte[0]),
        };
        for (int i = 0; i < wrong.length; i++) {
            try (var peer = new RawPeer(2 + i, 0, group.store)) {
                RawConnection connection = join(peer);
                connection.write(wrong[i]);
                connection.awaitEnd();
                assertEquals(2 + i, node.awaitLost().peer());
            }
        }
        assertEquals(0, allocated.get());
        assertStillServing();
    }

    @Test
    void aMalformedMessageIsRejectedAndSkipped() throws Exception {
        try (var peer = new RawPeer(2, 0, group.store)) {
            RawConnection connection = join(peer);
            int count = FrameHeader.MAX_BUFFERS;
            connection.write(
                    frame(REQUEST, 0, 1, TestGroup.REQUEST, 1, table(1, ElementKind.FLOAT, 3)));
            connection.write(new byte[3]);
            connection.write(
                    frame(
                            REQUEST,
                            0,
                            2,
                            TestGroup.REQUEST,
                            1,
                            new byte[] {0, 0, 0, 0, 0, 0, 99, 0}));
            connection.write(frame(REQUEST, 5 * MIB, 3, TestGroup.REQUEST, 0, new byte[5 * MIB]));
            connection.write(frame(REQUEST, 1, 4, MessageTypes.SCRIPT_RET, 0, new byte[1]));
            connection.write(frame(REQUEST, 0, 5, 0, 1, table(1, ElementKind.BYTE, 0)));
            int[] kinds = {
                RpcErrorKind.UNDECODABLE.code(),
                RpcErrorKind.UNDECODABLE.code(),
                RpcErrorKind.REFUSED.code(),
                RpcErrorKind.UNDECODABLE.code(),
                RpcErrorKind.UNDECODABLE.code()
            };
            for (int id = 1; id <= kinds.length; id++) {
                RawPeer.Frame reject = connection.await(id);
                assertEquals(FrameHeader.Kind.REJECT.code(), reject.kind(), "call " + id);
                assertEquals(kinds[id - 1], reject.type(), reject.text());
            }
            connection.write(
                    frame(FrameHeader.Kind.REPLY.code(), 1, 99, TestGroup.REQUEST, 0, new byte[1]));
            connection.write(
                    frame(FrameHeader.Kind.REPLY.code(), 1, 99, TestGroup.REPLY, 0, new byte[1]));
            connection.write(frame(FrameHeader.Kind.REJECT.code(), 1, 99, 9999, 0, new byte[1]));
            assertAnswered(connection);
            assertStillServing();
            assertEquals(0, allocated.get());

            byte[] lie = table(count, ElementKind.RAW, (1L << 48) - 1);
            connection.write(frame(REQUEST, 0, 6, TestGroup.REQUEST, count, lie));
            RawPeer.Frame reject = connection.await(6);
            assertEquals(RpcErrorKind.REFUSED.code(), reject.type(), reject.text());
            assertStillServing();
            assertEquals(0, allocated.get());
        }
    }

    @Test
    void announcedLengthsAllocateNoMemory() throws Exception {
        try (var peer = new RawPeer(2, 0, group.store)) {
            RawConnection connection = join(peer);
            byte[] table = table(1, ElementKind.RAW, 3 * MIB);
            connection.write(frame(REQUEST, 0, 1, TestGroup.REQUEST, 1, table));
            connection.write(new byte[1]);
            long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
            while (node.metric("bytes_arriving") == 0) {
                assertTrue(System.nanoTime() < deadline, "the table has not arrived");
                LockSupport.parkNanos(100_000);
            }
            long most = InboundMessage.FIRST_STEP + InboundMessage.GROWTH * (table.length + 1);
            assertTrue(node.metric("bytes_arriving") <= most);
            assertTrue(allocated.get() <= most);
            connection.socket.close();
            node.awaitLost();
            assertStillServing();
        }
    }

    @Test
    void randomFramesEndTheSessionAtMost() throws Exception {
        long seed = Long.getLong("seed", System.nanoTime());
        System.out.println("again: -Dseed=" + seed);
        var random = new Random(seed);
        for (int id = 2; id < 30; id++) {
            try (var peer = new RawPeer(id, 0, group.store)) {
                RawConnection connection = join(peer);
                for (int i = 0; i < 50; i++) {
                    connection.write(random(random));
                }
            } catch (IOException _) {
                // the session has ended
            }
            assertStillServing();
        }
        assertTrue(allocated.get() < 28L * 50 * 4 * MIB, "no message was larger than allowed");
        assertEquals(1, node.metric("peers"));
    }

    /** {@return a frame that may pass the first checks} */
    private static byte[] random(Random random) {
        byte[] body = new byte[random.nextInt(200)];
        random.nextBytes(body);
        int buffers = random.nextInt(4) == 0 ? random.nextInt() : random.nextInt(6);
        int payload = random.nextInt(8) == 0 ? random.nextInt() : random.nextInt(100);
        int type = random.nextBoolean() ? TestGroup.REQUEST : random.nextInt();
        int kind = random.nextInt(8) == 0 ? random.nextInt(256) : random.nextInt(1, 4);
        return frame(kind, payload, random.nextLong(), type, buffers, body);
    }
}
