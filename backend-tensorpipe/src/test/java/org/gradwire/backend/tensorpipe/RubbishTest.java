package org.gradwire.backend.tensorpipe;

import static org.gradwire.backend.tensorpipe.Calls.get;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.agrona.concurrent.UnsafeBuffer;
import org.gradwire.backend.tensorpipe.World.Node;
import org.gradwire.backend.tensorpipe.auth.Authenticator;
import org.gradwire.backend.tensorpipe.channel.BulkReadMode;
import org.gradwire.backend.tensorpipe.frame.AbortFrame;
import org.gradwire.backend.tensorpipe.frame.BufferEntry;
import org.gradwire.backend.tensorpipe.frame.ChunkFrame;
import org.gradwire.backend.tensorpipe.frame.FrameHeader;
import org.gradwire.backend.tensorpipe.frame.GoodbyeFrame;
import org.gradwire.backend.tensorpipe.frame.HelloFrame;
import org.gradwire.backend.tensorpipe.frame.MessageFrame;
import org.gradwire.backend.tensorpipe.frame.MessageHead;
import org.gradwire.backend.tensorpipe.frame.MessageStartFrame;
import org.gradwire.backend.tensorpipe.frame.RejectFrame;
import org.gradwire.backend.tensorpipe.frame.SingleCopyDoneFrame;
import org.gradwire.rpc.RpcErrorKind;
import org.gradwire.spi.BufferAllocator;
import org.gradwire.spi.ElementKind;
import org.gradwire.spi.Message;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** The worker tolerates arbitrary bytes: it continues to serve, within its memory limits. */
class RubbishTest {
    private final AtomicLong allocated = new AtomicLong();
    private final BufferAllocator counting =
            (kind, bytes) -> {
                allocated.addAndGet(bytes);
                return BufferAllocator.plain().allocate(kind, bytes);
            };
    private World world;
    private Node node;
    private RawPeer peer;

    @BeforeEach
    void start() throws Exception {
        world = new World(2, Map.of("driver", "embedded", "max-message-bytes", "1m"), counting);
        node = world.node(0);
        peer = new RawPeer(2, 0, world.store);
    }

    @AfterEach
    void stop() {
        peer.close();
        world.close();
    }

    private void join(boolean canRead) throws Exception {
        var connected =
                CompletableFuture.runAsync(
                        () -> node.agent.connect(List.of(World.info(2))),
                        task -> Thread.ofVirtual().start(task));
        peer.greet(canRead ? BulkReadMode.MEMORY : BulkReadMode.CHUNKS);
        connected.get(20, TimeUnit.SECONDS);
    }

    private void assertStillServing() throws Exception {
        byte[] payload = {4, 2};
        get(world.node(1).call(0, World.request(payload)));
        get(node.call(1, World.request(payload)));
    }

    private void awaitAnswered() {
        long id = 77;
        peer.send(message(id, World.REQUEST, new byte[] {9}, 1, 0));
        peer.await(frame ->
                frame.kind() == FrameHeader.MESSAGE
                        && MessageFrame.decode(frame.buffer(), 0, frame.length()).id() == id);
    }

    private void awaitRejected(long atLeast) throws Exception {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (node.figure("frames.rejected") < atLeast) {
            assertTrue(System.nanoTime() < deadline, () -> node.agent.debugInfo().toString());
            assertStillServing();
        }
    }

    /** A message frame, in which tests change single fields. */
    private static byte[] message(long id, int type, byte[] body, int payload, int buffers) {
        var frame = new UnsafeBuffer(new byte[MessageFrame.BODY_OFFSET + body.length]);
        FrameHeader.encode(frame, 0, FrameHeader.MESSAGE, 0, frame.capacity());
        frame.putLong(8, id);
        frame.putInt(16, type);
        frame.putInt(20, payload);
        frame.putInt(24, buffers);
        frame.putBytes(MessageFrame.BODY_OFFSET, body);
        return frame.byteArray();
    }

    private static byte[] start(long id, long transfer, int payload, int buffers, long body) {
        var frame = new UnsafeBuffer(new byte[MessageStartFrame.LENGTH]);
        FrameHeader.encode(frame, 0, FrameHeader.MESSAGE_START, 0, frame.capacity());
        frame.putLong(8, id);
        frame.putInt(16, World.REQUEST);
        frame.putInt(20, payload);
        frame.putInt(24, buffers);
        frame.putLong(32, transfer);
        frame.putLong(40, body);
        return frame.byteArray();
    }

    private static byte[] chunk(long transfer, long position, byte[] part) {
        var frame = new UnsafeBuffer(new byte[ChunkFrame.PART_OFFSET + part.length]);
        ChunkFrame.encode(frame, 0, transfer, position, part.length);
        frame.putBytes(ChunkFrame.PART_OFFSET, part);
        return frame.byteArray();
    }

    private static byte[] entry(ElementKind kind, long length) {
        var entry = new UnsafeBuffer(new byte[8]);
        entry.putLong(0, BufferEntry.of(kind, length, false));
        return entry.byteArray();
    }

    private RejectFrame awaitReject(long id) {
        RawPeer.Frame frame =
                peer.await(each ->
                        each.kind() == FrameHeader.REJECT
                                && RejectFrame.decode(each.buffer(), 0, each.length()).id() == id);
        return RejectFrame.decode(frame.buffer(), 0, frame.length());
    }

    @Test
    void framesOfStrangersAreDropped() throws Exception {
        var random = new Random(42);
        for (int i = 0; i < 500; i++) {
            byte[] bytes = new byte[random.nextInt(200)];
            random.nextBytes(bytes);
            peer.send(bytes);
        }
        peer.send(message(1, World.REQUEST, new byte[3], 3, 0));
        peer.send(new GoodbyeFrame("of nobody"));
        awaitRejected(502);
        assertEquals(1, node.figure("peers"));
        assertEquals(0, allocated.get());
    }

    @Test
    void randomBytesInAnOpenSessionAreDropped() throws Exception {
        join(false);
        long seed = System.nanoTime();
        System.out.println("seed " + seed);
        var random = new Random(seed);
        for (int i = 0; i < 5000; i++) {
            byte[] bytes = new byte[random.nextInt(120)];
            random.nextBytes(bytes);
            if (bytes.length >= 8 && random.nextInt(4) > 0) {
                // a valid header, of any kind except those that end the session
                int kind = random.nextInt(9);
                FrameHeader.encode(new UnsafeBuffer(bytes), 0, kind, 0, bytes.length);
            }
            peer.send(bytes);
        }
        assertStillServing();
        awaitRejected(1000);
        assertTrue(allocated.get() < 5000L * 1024 * 1024, "no message was larger than allowed");
        awaitAnswered();
        assertEquals(2, node.figure("peers"));
    }

    @Test
    void aRequestThatMakesNoSenseIsAnswered() throws Exception {
        join(false);
        peer.send(message(1, World.REQUEST, new byte[3], 4, 0));
        peer.send(message(2, World.REQUEST, new byte[8], 0, 70_000));
        peer.send(message(3, World.REQUEST, new byte[8], -1, 0));
        peer.send(message(4, World.REQUEST, entry(ElementKind.FLOAT, 3), 0, 1));
        peer.send(message(5, World.REQUEST, entry(ElementKind.RAW, 1L << 40), 0, 1));
        peer.send(message(6, World.REQUEST, entry(ElementKind.BYTE, 4), 0, 1));
        for (int id = 1; id <= 6; id++) {
            RejectFrame reject = awaitReject(id);
            assertEquals(RpcErrorKind.UNDECODABLE.code(), reject.errorKind(), reject::toString);
        }
        assertEquals(6, node.figure("frames.rejected"));
        assertEquals(0, allocated.get());
        assertStillServing();
    }

    @Test
    void aChunkedMessageThatMakesNoSenseIsAnsweredAndItsRestIgnored() throws Exception {
        join(false);
        peer.send(start(1, 1, 10, 0, 1L << 40));
        peer.send(start(2, 2, 100, 0, 100));
        peer.send(chunk(2, 50, new byte[10]));
        peer.send(chunk(2, 10, new byte[10]));
        peer.send(start(3, 3, 100, 0, 100));
        peer.send(chunk(3, 0, new byte[101]));
        peer.send(start(4, 4, 0, 1, 100));
        peer.send(chunk(4, 0, entry(ElementKind.BYTE, 1000)));
        for (int id = 1; id <= 4; id++) {
            assertEquals(RpcErrorKind.UNDECODABLE.code(), awaitReject(id).errorKind());
        }
        assertEquals(0, allocated.get());
        peer.send(chunk(99, 0, new byte[10]));
        peer.send(new AbortFrame(1234));
        awaitRejected(5);
        peer.send(start(5, 5, 4, 0, 4));
        peer.send(chunk(5, 0, new byte[] {1, 2}));
        peer.send(chunk(5, 2, new byte[] {3, 4}));
        peer.await(frame -> frame.kind() == FrameHeader.MESSAGE && frame.buffer().getLong(8) == 5);
        assertStillServing();
    }

    @Test
    void anAbortedMessageIsForgotten() throws Exception {
        join(false);
        peer.send(start(1, 1, 100, 0, 100));
        peer.send(chunk(1, 0, new byte[50]));
        peer.send(new AbortFrame(1));
        peer.send(message(2, World.REQUEST, new byte[1], 1, 0));
        peer.await(frame -> frame.kind() == FrameHeader.MESSAGE && frame.buffer().getLong(8) == 2);
        peer.send(chunk(1, 50, new byte[50]));
        assertStillServing();
        assertEquals(0, node.figure("frames.rejected"));
    }

    @Test
    void fragmentsOfAeronAreNoFrames() throws Exception {
        join(false);
        peer.sendFragmented(new byte[12_000]);
        awaitRejected(3);
        assertStillServing();
    }

    @Test
    void aHandshakeOfAnotherIncarnationIsRefused() throws Exception {
        join(false);
        try (var zombie = new RawPeer(3, 0, world.store)) {
            HelloFrame hello = zombie.hello();
            zombie.send(
                    new HelloFrame(
                            false,
                            false,
                            hello.group(),
                            new Authenticator.Party(1, hello.from().incarnation()),
                            new Authenticator.Party(0, hello.to().incarnation()),
                            hello.memoryProof(),
                            hello.challenge()));
            zombie.send(message(1, World.REQUEST, new byte[1], 1, 0));
            awaitRejected(2);
            zombie.poll();
            assertTrue(zombie.received.isEmpty());
        }
        assertStillServing();
    }

    @Test
    void aHandshakeOfAnotherGroupOrToAnotherWorkerIsRefused() throws Exception {
        HelloFrame hello = peer.hello();
        peer.send(
                new HelloFrame(
                        false,
                        false,
                        hello.group() + 1,
                        new Authenticator.Party(2, hello.from().incarnation()),
                        new Authenticator.Party(0, hello.to().incarnation()),
                        hello.memoryProof(),
                        hello.challenge()));
        peer.send(
                new HelloFrame(
                        false,
                        false,
                        hello.group(),
                        new Authenticator.Party(2, hello.from().incarnation()),
                        new Authenticator.Party(0, hello.to().incarnation() + 1),
                        hello.memoryProof(),
                        hello.challenge()));
        awaitRejected(2);
        join(false);
        assertStillServing();
    }

    @NativeOnly("process_vm_readv")
    @Test
    void whatAPeerCannotReadIsSentInChunks() throws Exception {
        join(true);
        awaitAnswered(); // its earlier frames have been read by then
        var raw = Calls.patterned(java.lang.foreign.Arena.ofAuto().allocate(200 * Calls.KIB, 8));
        var released = new CompletableFuture<Void>();
        var reply =
                node.call(
                        2,
                        new Message(
                                World.REQUEST,
                                new byte[0],
                                List.of(raw),
                                () -> released.complete(null)));
        RawPeer.Frame offered = peer.await(frame -> frame.kind() == FrameHeader.MESSAGE);
        MessageHead head = MessageFrame.decode(offered.buffer(), 0, offered.length());
        assertEquals(1, head.singleCopyCount());
        assertTrue(!released.isDone());
        peer.send(new SingleCopyDoneFrame(head.transfer(), 1));
        RawPeer.Frame again = peer.await(frame -> frame.kind() == FrameHeader.MESSAGE_START);
        MessageHead inChunks = MessageStartFrame.decode(again.buffer(), 0, again.length());
        assertEquals(head.id(), inChunks.id());
        assertEquals(0, inChunks.singleCopyCount());
        released.get(20, TimeUnit.SECONDS);
        peer.send(message(head.id(), World.REPLY, new byte[0], 0, 0));
        get(reply);
    }

    @Test
    void aPeerThatAsksForAnswersWithoutEndAndReadsNoneIsGivenUp() throws Exception {
        join(false);
        byte[] senseless = message(1, World.REQUEST, new byte[3], 4, 0);
        peer.reads = false;
        for (int i = 0; node.lost.isEmpty() && i < 2 * SendBacklog.MOST_CONTROLS; i++) {
            peer.send(senseless);
        }
        World.Lost lost = node.awaitLost();
        assertEquals(2, lost.peer());
        String reason = String.valueOf(lost.reason().getMessage());
        assertTrue(reason.contains("it does not read: 65536 replies wait for it"), reason);
        assertStillServing();
    }

    @Test
    void aReplyThatMakesNoSenseFailsTheCall() throws Exception {
        join(false);
        var reply = node.call(2, World.request(new byte[0]));
        RawPeer.Frame request = peer.await(frame -> frame.kind() == FrameHeader.MESSAGE);
        long id = request.buffer().getLong(8);
        peer.send(message(id, World.REPLY, new byte[3], 4, 0));
        var failure = Calls.failure(org.gradwire.rpc.RpcException.class, reply);
        assertEquals(RpcErrorKind.UNDECODABLE, failure.kind());
        assertStillServing();
    }

    @Test
    void aPeerEndsNobodyElsesCalls() throws Exception {
        join(false);
        world.node(1).answer = World.silent();
        var reply = node.call(1, World.request(new byte[0]), 3000);
        for (int id = 0; id < 100; id++) {
            peer.send(message(id, World.REPLY, new byte[1], 1, 0));
            peer.send(new RejectFrame(id, 4, "not mine"));
        }
        peer.send(message(500, World.REQUEST, new byte[1], 1, 0));
        peer.await(
                frame -> frame.kind() == FrameHeader.MESSAGE && frame.buffer().getLong(8) == 500);
        assertTrue(!reply.isDone());
        Calls.failure(org.gradwire.rpc.RpcTimeoutException.class, reply);
    }
}
