package org.gradwire.backend.tensorpipe;

import static org.gradwire.backend.tensorpipe.Calls.get;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.agrona.concurrent.UnsafeBuffer;
import org.gradwire.backend.tensorpipe.World.Node;
import org.gradwire.backend.tensorpipe.channel.BulkReadMode;
import org.gradwire.backend.tensorpipe.frame.AbortFrame;
import org.gradwire.backend.tensorpipe.frame.ChunkFrame;
import org.gradwire.backend.tensorpipe.frame.FrameHeader;
import org.gradwire.backend.tensorpipe.frame.GoodbyeFrame;
import org.gradwire.backend.tensorpipe.frame.HeartbeatFrame;
import org.gradwire.backend.tensorpipe.frame.MessageStartFrame;
import org.gradwire.backend.tensorpipe.frame.RejectFrame;
import org.gradwire.rpc.RpcErrorKind;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** A member that holds memory for unfinished messages does not affect the others. */
class ReceiveLimitTest {
    private static final int MIB = 1024 * 1024;
    private static final int PART = 3968; // the raw peer's frames have 4 KiB

    private World world;
    private Node node;
    private RawPeer peer;

    @BeforeEach
    void start() throws Exception {
        start("5s");
    }

    private void start(String liveness) throws Exception {
        world =
                new World(
                        2,
                        Map.of("driver", "embedded", "receive-bytes", "8m", "liveness", liveness));
        node = world.node(0);
        peer = new RawPeer(2, 0, world.store);
        var connected =
                CompletableFuture.runAsync(
                        () -> node.agent.connect(List.of(World.info(2))),
                        task -> Thread.ofVirtual().start(task));
        peer.greet(BulkReadMode.CHUNKS);
        connected.get(20, TimeUnit.SECONDS);
    }

    @AfterEach
    void stop() {
        peer.close();
        world.close();
    }

    private void announce(long id, int payload) {
        var frame = new UnsafeBuffer(new byte[MessageStartFrame.LENGTH]);
        FrameHeader.encode(frame, 0, FrameHeader.MESSAGE_START, 0, frame.capacity());
        frame.putLong(8, id);
        frame.putInt(16, World.REQUEST);
        frame.putInt(20, payload);
        frame.putLong(32, id);
        frame.putLong(40, payload);
        peer.send(frame.byteArray());
    }

    private void sendPart(long transfer, long position, int bytes) {
        var frame = new UnsafeBuffer(new byte[ChunkFrame.PART_OFFSET + bytes]);
        ChunkFrame.encode(frame, 0, transfer, position, bytes);
        peer.send(frame.byteArray());
    }

    private int sendParts(long transfer, int from, int end) {
        int position = from;
        while (position + PART <= end) {
            sendPart(transfer, position, PART);
            position += PART;
        }
        return position;
    }

    private RejectFrame awaitReject(long id) {
        RawPeer.Frame frame =
                peer.await(each ->
                        each.kind() == FrameHeader.REJECT
                                && RejectFrame.decode(each.buffer(), 0, each.length()).id() == id);
        return RejectFrame.decode(frame.buffer(), 0, frame.length());
    }

    private void awaitReceiving(long bytes) throws Exception {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (node.figure("receiving.bytes") != bytes) {
            assertTrue(System.nanoTime() < deadline, () -> node.agent.debugInfo().toString());
            peer.send(new HeartbeatFrame());
            TimeUnit.MILLISECONDS.sleep(1); // interval between checks only
        }
    }

    @Test
    void aPeerAtItsLimitDoesNotKeepOthersFromSending() throws Exception {
        announce(1, 4 * MIB);
        sendParts(1, 0, 4 * MIB - MIB / 2);
        awaitReceiving(4 * MIB);
        for (int i = 0; i < 3; i++) {
            var reply = get(world.node(1).call(0, World.request(new byte[4 * MIB])));
            assertEquals(4 * MIB, reply.payload().length);
            peer.send(new HeartbeatFrame());
        }
        peer.send(new AbortFrame(1));
        awaitReceiving(0);
    }

    @Test
    void anAnnouncementAboveTheLimitIsRefusedAtOnce() throws Exception {
        announce(1, 4 * MIB + 1);
        RejectFrame reject = awaitReject(1);
        assertEquals(RpcErrorKind.UNDECODABLE.code(), reject.errorKind());
        assertTrue(reject.reason().contains("gradwire.tensorpipe.receive-bytes"), reject::reason);
        awaitReceiving(0);
    }

    @Test
    void anAnnouncementAloneHoldsTheFirstStep() throws Exception {
        announce(1, 4 * MIB);
        awaitReceiving(InboundMessage.FIRST_STEP);
        announce(2, 4 * MIB); // ends the first message
        awaitReceiving(InboundMessage.FIRST_STEP);
        peer.send(new GoodbyeFrame("done"));
        assertEquals(2, node.awaitLost().peer());
        assertEquals(0, node.figure("receiving.bytes"));
    }

    @Test
    void aMessageIsDroppedWhenNothingComesAnyMore() throws Exception {
        stop();
        start("1s"); // six times that
        announce(1, 4 * MIB);
        int position = sendParts(1, 0, 2 * MIB);
        awaitReceiving(4 * MIB);
        awaitReceiving(0); // only heartbeats arrive
        RejectFrame reject = awaitReject(1);
        assertTrue(
                reject.reason().contains("%d of %d bytes".formatted(position, 4 * MIB)),
                reject::reason);
        sendPart(1, position, PART); // belongs to the dropped message
        announce(2, PART);
        sendPart(2, 0, PART);
        peer.await(frame -> frame.kind() == FrameHeader.MESSAGE_START || isReply(frame));
        assertTrue(node.lost.isEmpty());
    }

    private static boolean isReply(RawPeer.Frame frame) {
        return frame.kind() == FrameHeader.MESSAGE && frame.buffer().getLong(8) == 2;
    }
}
