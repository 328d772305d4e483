package org.gradwire.backend.tensorpipe;

import static org.gradwire.backend.tensorpipe.Calls.KIB;
import static org.gradwire.backend.tensorpipe.Calls.MIB;
import static org.gradwire.backend.tensorpipe.Calls.assertSame;
import static org.gradwire.backend.tensorpipe.Calls.get;
import static org.gradwire.backend.tensorpipe.Calls.patterned;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.backend.tensorpipe.Calls.Way;
import org.gradwire.backend.tensorpipe.World.Node;
import org.gradwire.backend.tensorpipe.auth.Nonce;
import org.gradwire.backend.tensorpipe.auth.Proof;
import org.gradwire.backend.tensorpipe.channel.BulkChannel;
import org.gradwire.backend.tensorpipe.channel.BulkHandshake;
import org.gradwire.backend.tensorpipe.channel.BulkOwner;
import org.gradwire.backend.tensorpipe.channel.BulkReadMode;
import org.gradwire.backend.tensorpipe.channel.RemoteMemory;
import org.gradwire.backend.tensorpipe.frame.FrameHeader;
import org.gradwire.backend.tensorpipe.frame.HelloFrame;
import org.gradwire.backend.tensorpipe.frame.MessageFrame;
import org.gradwire.backend.tensorpipe.frame.MessageHead;
import org.gradwire.backend.tensorpipe.frame.SingleCopyDoneFrame;
import org.gradwire.rpc.WorkerInfo;
import org.gradwire.spi.Message;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Large buffers are read over TCP, only by the peer to which they were sent, and otherwise arrive
 * in chunks.
 */
@Timeout(60)
class BulkTest {
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(20);
    private static final int FLOATS = 400_000;

    private static MemorySegment memory(long bytes) {
        return patterned(Arena.ofAuto().allocate(bytes, 8));
    }

    // ---- a peer whose connection fails

    private static Map<String, String> settings() {
        Map<String, String> settings = Way.UDP_AND_TCP.settings();
        settings.put("liveness", "300ms");
        return settings;
    }

    /** Put a wrong port into the address of worker 0, then call it from worker 1. */
    private static void assertComesInChunks(int port) throws Exception {
        var store = new StoreWithOtherPort(port);
        var holder = new Node(World.info(0), store, settings());
        var reader = new Node(World.info(1), store, settings());
        try {
            holder.agent.start(holder);
            reader.agent.start(reader);
            List<WorkerInfo> members = List.of(World.info(0), World.info(1));
            var connected =
                    CompletableFuture.runAsync(
                            () -> holder.agent.connect(members),
                            task -> Thread.ofVirtual().start(task));
            reader.agent.connect(members);
            get(connected.thenApply(_ -> new Message(World.REPLY, new byte[0], List.of())));
            MemorySegment buffer = memory(FLOATS * 4L);
            for (int i = 0; i < 3; i++) {
                Message reply = get(holder.call(1, World.request(new byte[0], buffer)));
                assertSame(buffer, reply.buffers().getFirst());
            }
            assertEquals(1, reader.figure("single-copy.failed"));
            assertEquals(1, holder.figure("single-copy.offered"), "after the first one failed");
            assertEquals("udp", holder.text("transport.1"));
            assertEquals(3, holder.figure("single-copy.read"), "the other way works");
            assertEquals("udp+tcp", reader.text("transport.0"));
        } finally {
            holder.agent.close();
            reader.agent.close();
        }
    }

    /** A store with a wrong TCP port for worker 0. */
    private static final class StoreWithOtherPort extends MapStore {
        private final int port;

        StoreWithOtherPort(int port) {
            this.port = port;
        }

        @Override
        public synchronized void set(String key, byte[] value) {
            String text = new String(value, StandardCharsets.UTF_8);
            boolean isEndpoint = key.startsWith("worker/worker0/tensorpipe/endpoint/");
            String changed = text.replaceAll("tcp-port=\\d+", "tcp-port=" + port);
            super.set(key, isEndpoint ? changed.getBytes(StandardCharsets.UTF_8) : value);
        }
    }

    @Test
    void buffersOfAPeerThatCannotBeConnectedToComeInChunks() throws Exception {
        int port;
        try (var closed = new ServerSocket(0)) {
            port = closed.getLocalPort();
        }
        assertComesInChunks(port);
    }

    @Test
    void buffersOfAPeerThatSaysNothingComeInChunks() throws Exception {
        try (var silent = new ServerSocket(0)) {
            assertComesInChunks(silent.getLocalPort());
        }
    }

    // ---- a handmade reader

    /** A worker and a raw peer, connected over shared memory. */
    private static final class Pair implements AutoCloseable {
        private static final Map<String, String> SETTINGS =
                Map.of("driver", "embedded", "host", "127.0.0.1");

        final World world = new World(1, SETTINGS);
        final Node node = world.node(0);
        final RawPeer peer = new RawPeer(2, 0, world.store);
        final CompletableFuture<Void> released = new CompletableFuture<>();
        final HelloFrame hello;

        Pair() throws Exception {
            var elsewhere = new HashMap<>(SETTINGS);
            elsewhere.put("transport", "udp"); // for this peer the worker opens its port
            world.nodes.add(new Node(World.info(1), world.store, elsewhere));
            world.node(1).agent.start(world.node(1));
            world.connectAll();
            var connected =
                    CompletableFuture.runAsync(
                            () -> node.agent.connect(List.of(World.info(2))),
                            task -> Thread.ofVirtual().start(task));
            hello = peer.greet(BulkReadMode.TCP);
            connected.get(20, TimeUnit.SECONDS);
        }

        /** Send a buffer to the peer, and return the number of the transfer. */
        long offer(MemorySegment buffer) {
            var _ =
                    node.call(
                            2,
                            new Message(
                                    World.REQUEST,
                                    new byte[0],
                                    List.of(buffer),
                                    () -> released.complete(null)));
            RawPeer.Frame offered = peer.await(frame -> frame.kind() == FrameHeader.MESSAGE);
            MessageHead head = MessageFrame.decode(offered.buffer(), 0, offered.length());
            assertEquals(1, head.singleCopyCount());
            return head.transfer();
        }

        BulkChannel connect() throws IOException {
            return BulkChannel.connect(
                    InetAddress.getLoopbackAddress(),
                    peer.holder(),
                    peer.bulkAuthenticator(),
                    new BulkOwner(peer.server(), null),
                    hello.challenge(),
                    PATIENCE_NANOS,
                    () -> true);
        }

        /** Report to the worker that all was read, and wait until it has received the report. */
        void endTransfer(long transfer) {
            peer.send(new SingleCopyDoneFrame(transfer, 0));
            peer.send(new SingleCopyDoneFrame(-1, 0));
            peer.send(new byte[] {FrameHeader.HEARTBEAT});
            long deadline = System.nanoTime() + PATIENCE_NANOS;
            while (node.figure("frames.rejected") == 0) {
                assertTrue(System.nanoTime() - deadline < 0, "the frames were not read");
                LockSupport.parkNanos(100_000);
            }
        }

        @Override
        public void close() {
            peer.close();
            world.close();
        }
    }

    @Test
    void aBufferIsGivenToWhoItWasSentToAsOftenAsItAsks() throws Exception {
        try (var pair = new Pair();
                BulkChannel channel = pair.connect()) {
            MemorySegment buffer = memory(3L * MIB + 4);
            long transfer = pair.offer(buffer);
            for (int i = 0; i < 2; i++) {
                MemorySegment read = Arena.ofAuto().allocate(buffer.byteSize());
                var request = new BulkChannel.Request(transfer, 0, buffer.byteSize());
                assertEquals(0, channel.read(request, read));
                assertSame(buffer, read);
            }
            assertFalse(pair.released.isDone());
            pair.endTransfer(transfer);
            pair.released.get(20, TimeUnit.SECONDS);
        }
    }

    @Test
    void whatDoesNotWaitToBeReadIsRefused() throws Exception {
        try (var pair = new Pair();
                BulkChannel channel = pair.connect()) {
            MemorySegment buffer = memory(300 * KIB);
            long transfer = pair.offer(buffer);
            long length = buffer.byteSize();
            MemorySegment read = Arena.ofAuto().allocate(length);
            for (var request :
                    List.of(
                            new BulkChannel.Request(transfer + 1, 0, length),
                            new BulkChannel.Request(transfer, 1, length),
                            new BulkChannel.Request(transfer, -1, length),
                            new BulkChannel.Request(transfer, 1L << 32, length),
                            new BulkChannel.Request(transfer, 0, length + 1),
                            new BulkChannel.Request(transfer, 0, length - 1))) {
                assertEquals(
                        RemoteMemory.CANARY_MISSING,
                        channel.read(request, read),
                        request::toString);
            }
            var right = new BulkChannel.Request(transfer, 0, length);
            assertEquals(0, channel.read(right, read));
            assertSame(buffer, read);
            pair.endTransfer(transfer);
            assertEquals(
                    RemoteMemory.CANARY_MISSING,
                    channel.read(right, read),
                    "the transfer has ended");
        }
    }

    @Test
    void memoryIsKeptUntilWhatIsUnderWayHasEnded() throws Exception {
        try (var pair = new Pair()) {
            MemorySegment buffer = memory(64L * MIB); // more than the socket buffers
            long transfer = pair.offer(buffer);
            try (SocketChannel slow = SocketChannel.open(pair.peer.holder())) {
                greet(slow, pair.peer, pair.hello.challenge());
                write(slow, request(transfer, buffer.byteSize()));
                var answer = ByteBuffer.allocate(2 * Long.BYTES);
                while (answer.hasRemaining()) {
                    slow.read(answer); // the transfer has begun
                }
                pair.endTransfer(transfer);
                assertFalse(pair.released.isDone());
            }
            pair.released.get(20, TimeUnit.SECONDS);
        }
    }

    /** Prove to be the peer, and return the server's first bytes. */
    private static ByteBuffer greet(SocketChannel socket, RawPeer peer, Nonce hello)
            throws IOException {
        ByteBuffer challenge = read(socket, BulkHandshake.CHALLENGE_BYTES);
        write(socket, answer(challenge, peer, hello));
        read(socket, Proof.BYTES);
        return challenge;
    }

    private static ByteBuffer answer(ByteBuffer challenge, RawPeer peer, Nonce hello)
            throws IOException {
        return BulkHandshake.Answer.to(
                        BulkHandshake.decodeChallenge(challenge),
                        new Nonce(5, 6),
                        hello,
                        peer.bulkAuthenticator(),
                        peer.server())
                .encode();
    }

    private static ByteBuffer read(SocketChannel socket, int length) throws IOException {
        var bytes = ByteBuffer.allocate(length).order(FrameHeader.ORDER);
        while (bytes.hasRemaining() && socket.read(bytes) >= 0) {
            // until all bytes have arrived
        }
        return bytes.flip();
    }

    private static ByteBuffer request(long transfer, long length) {
        return ByteBuffer.allocate(24)
                .order(FrameHeader.ORDER)
                .putLong(transfer)
                .putLong(length)
                .putLong(0)
                .flip();
    }

    private static void write(SocketChannel socket, ByteBuffer bytes) throws IOException {
        while (bytes.hasRemaining()) {
            socket.write(bytes);
        }
    }

    @Test
    void strangersAreTurnedAway() throws Exception {
        try (var pair = new Pair()) {
            InetSocketAddress holder = pair.peer.holder();
            assertTurnedAway(holder, _ -> new byte[BulkHandshake.ANSWER_BYTES]);
            assertTurnedAway(
                    holder,
                    _ ->
                            "GET / HTTP/1.1\r\nHost: me\r\n\r\n"
                                    .repeat(3)
                                    .getBytes(StandardCharsets.US_ASCII));
            assertTurnedAway(
                    holder, challenge -> answer(challenge, pair.peer, new Nonce(0, 0)).array());
            assertStillGives(pair);
        }
    }

    @Test
    void anAnswerToAnotherChallengeIsTurnedAway() throws Exception {
        try (var pair = new Pair();
                SocketChannel first = SocketChannel.open(pair.peer.holder())) {
            ByteBuffer seen = greet(first, pair.peer, pair.hello.challenge()).rewind();
            byte[] replayed = answer(seen, pair.peer, pair.hello.challenge()).array();
            assertTurnedAway(pair.peer.holder(), _ -> replayed);
            assertStillGives(pair);
        }
    }

    @Test
    void connectionsThatProveNothingTakeNoThreadsAndAreClosed() throws Exception {
        List<SocketChannel> silent = new ArrayList<>();
        try (var pair = new Pair();
                BulkChannel channel = pair.connect()) {
            int threads = Thread.activeCount();
            for (int i = 0; i < 200; i++) {
                silent.add(SocketChannel.open(pair.peer.holder()));
            }
            assertStillGives(pair, channel);
            assertTrue(Thread.activeCount() <= threads, "threads for connections");
            for (SocketChannel socket : silent) {
                assertTrue(read(socket, 2 * BulkHandshake.CHALLENGE_BYTES).limit() <= 24);
            }
        } finally {
            for (SocketChannel socket : silent) {
                socket.close();
            }
        }
    }

    @Test
    void ofMoreThanFourConnectionsOfAPeerTheOldestIsClosed() throws Exception {
        List<BulkChannel> later = new ArrayList<>();
        try (var pair = new Pair();
                SocketChannel oldest = SocketChannel.open(pair.peer.holder())) {
            greet(oldest, pair.peer, pair.hello.challenge());
            for (int i = 0; i < 4; i++) {
                later.add(pair.connect());
                assertStillGives(pair, later.getLast());
            }
            assertEquals(0, read(oldest, 1).limit(), "it has not ended");
            for (BulkChannel channel : later) {
                assertStillGives(pair, channel);
            }
        } finally {
            for (BulkChannel channel : later) {
                channel.close();
            }
        }
    }

    private static void assertStillGives(Pair pair) throws IOException {
        try (BulkChannel channel = pair.connect()) {
            assertStillGives(pair, channel);
        }
    }

    private static void assertStillGives(Pair pair, BulkChannel channel) throws IOException {
        MemorySegment buffer = memory(300 * KIB);
        long transfer = pair.offer(buffer);
        MemorySegment read = Arena.ofAuto().allocate(buffer.byteSize());
        var request = new BulkChannel.Request(transfer, 0, buffer.byteSize());
        assertEquals(0, channel.read(request, read));
        assertSame(buffer, read);
    }

    /** Creates a stranger's response to a server's challenge. */
    private interface Stranger {
        byte[] answer(ByteBuffer challenge) throws IOException;
    }

    private static void assertTurnedAway(InetSocketAddress holder, Stranger stranger)
            throws Exception {
        try (var socket = SocketChannel.open(holder)) {
            ByteBuffer challenge = read(socket, BulkHandshake.CHALLENGE_BYTES);
            assertEquals(BulkHandshake.CHALLENGE_BYTES, challenge.limit());
            write(socket, ByteBuffer.wrap(stranger.answer(challenge)));
            int more;
            try {
                more = read(socket, 1).limit();
            } catch (IOException _) {
                more = 0; // reset, since it was closed with unread bytes
            }
            assertEquals(0, more);
        }
    }
}
