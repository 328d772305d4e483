package org.gradwire.backend.netty;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;

import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.WorkerInfo;
import org.gradwire.spi.AgentListener;
import org.gradwire.spi.BufferAllocator;
import org.gradwire.spi.ElementKind;
import org.gradwire.spi.Message;
import org.gradwire.spi.MessageTypes;
import org.gradwire.spi.PendingCalls;
import org.gradwire.spi.ReplySink;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Fuzz target: what a member sends over TCP after the handshake. The first byte is the size of the
 * reads, the others are the stream of frames.
 */
public final class LaneTarget {
    private static final long MOST_BYTES = 1 << 20;
    private static final Address ADDRESS =
            new Address(7, new InetSocketAddress(InetAddress.getLoopbackAddress(), 7), false);

    private final PendingCalls pending = new PendingCalls(0);
    private final ReceiveBudget budget = new ReceiveBudget(2 * MOST_BYTES);
    private final EmbeddedChannel channel = new EmbeddedChannel();
    private final Lane lane;
    private long largest; // allocation in bytes

    private LaneTarget() {
        var dispatcher =
                new MessageDispatcher(
                        new Ignoring(),
                        pending,
                        this::allocate,
                        budget,
                        MOST_BYTES,
                        new AgentMetrics(),
                        new Closing());
        var peer = new Peer(new WorkerInfo(1, "peer"), ADDRESS, MOST_BYTES);
        var policy = new PollerPolicy(pending, Thread.currentThread());
        lane = new Lane(channel, peer, dispatcher, policy);
        peer.setLane(lane, false);
        peer.setLane(lane, true);
        channel.pipeline().addLast(new Delegate());
    }

    private MemorySegment allocate(ElementKind kind, long bytes) {
        largest = Math.max(largest, bytes);
        return BufferAllocator.plain().allocate(kind, bytes);
    }

    /** Receive a stream of frames. */
    public static void fuzzerTestOneInput(byte[] input) {
        if (input.length > 1) {
            new LaneTarget().receive(input, 1 + (input[0] & 0xff));
        }
    }

    private void receive(byte[] stream, int mostOfRead) {
        for (int from = 1; from < stream.length && channel.isActive(); ) {
            from += read(stream, from, Math.min(mostOfRead, stream.length - from));
            channel.runPendingTasks();
        }
        lane.close();
        channel.finishAndReleaseAll(); // throws the exception of a handler
        require(budget.totalBytes() == 0, "an ended lane holds memory");
        long most = InboundMessage.FIRST_STEP + InboundMessage.GROWTH * stream.length;
        require(largest <= most, largest + " bytes were allocated at once");
    }

    /** Read as a transport does; {@return the number of bytes that were read} */
    private int read(byte[] stream, int from, int most) {
        ByteBuffer direct = lane.readTarget();
        int bytes = direct == null ? most : Math.min(most, direct.remaining());
        if (direct != null) {
            direct.put(stream, from, bytes);
        }
        channel.writeInbound(Unpooled.wrappedBuffer(stream, from, bytes));
        return bytes;
    }

    private static void require(boolean holds, String otherwise) {
        if (!holds) {
            throw new AssertionError(otherwise);
        }
    }

    /** Passes events to the lane, which would handle its own exceptions; here they are errors. */
    private final class Delegate extends ChannelInboundHandlerAdapter {
        @Override
        public void channelRead(ChannelHandlerContext context, Object read) {
            lane.channelRead(context, read);
        }

        @Override
        public void channelWritabilityChanged(ChannelHandlerContext context) {
            lane.channelWritabilityChanged(context);
        }

        @Override
        public void channelInactive(ChannelHandlerContext context) {
            lane.channelInactive(context);
        }
    }

    private static final class Ignoring implements AgentListener {
        @Override
        public void onRequest(int from, Message request, ReplySink replies) {}

        @Override
        public void onPeerLost(int peer, RpcException reason) {}
    }

    private final class Closing implements MessageDispatcher.Peers {
        @Override
        public void lose(Peer peer, String reason) {
            if (peer.setLost(new RpcException(reason))) {
                lane.close();
            }
        }

        @Override
        public void reply(Peer peer, long id, Message reply) {
            throw new AssertionError("no request has a reply");
        }
    }

    /** {@return frames of each kind, read in small and in large parts} */
    public static List<byte[]> seeds() {
        var message =
                new Message(
                        MessageTypes.UDF_CALL,
                        new byte[] {1, 2, 3},
                        List.of(
                                MemorySegment.ofArray(new float[] {1, 2}),
                                MemorySegment.ofArray(new long[1000])));
        List<byte[]> seeds = new ArrayList<>();
        for (FrameHeader.Kind kind : FrameHeader.Kind.values()) {
            seeds.add(encoded(16, OutboundFrame.text(kind, 3, 1, "text")));
            seeds.add(encoded(255, new OutboundFrame(kind, 5, message, () -> {})));
        }
        return seeds;
    }

    private static byte[] encoded(int mostOfRead, OutboundFrame frame) {
        ByteBuf out = Unpooled.buffer();
        out.writeByte(mostOfRead);
        frame.encodeHead(out);
        out.writeBytes(frame.message().payload());
        frame.message()
                .buffers()
                .forEach(buffer -> out.writeBytes(buffer.toArray(ValueLayout.JAVA_BYTE)));
        byte[] bytes = new byte[out.readableBytes()];
        out.readBytes(bytes);
        return bytes;
    }
}
