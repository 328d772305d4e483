package org.gradwire.backend.netty;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;

import org.gradwire.rpc.RpcErrorKind;
import org.gradwire.rpc.RpcException;
import org.gradwire.spi.DecodingException;
import org.gradwire.spi.Message;
import org.gradwire.spi.UntrustedText;
import org.jspecify.annotations.Nullable;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * A connection between two workers that have proven who they are: takes frames apart and hands them
 * to the {@link Peer}. Used by the loop.
 */
final class Lane extends ChannelInboundHandlerAdapter {
    private final Channel channel;
    private final Peer peer;
    private final Inbox inbox;
    private final LaneWriter writer;
    private final ByteBuf head = Unpooled.buffer(FrameHeader.BYTES, FrameHeader.BYTES);
    private @Nullable IncomingMessage arriving;
    private long toSkip; // bytes of a message that was refused
    private @Nullable ByteBuffer direct; // memory of the message that is read into

    /** Create the lane of a connection that is open. */
    Lane(Channel channel, Peer peer, Inbox inbox) {
        this.channel = channel;
        this.peer = peer;
        this.inbox = inbox;
        writer = new LaneWriter(channel);
    }

    LaneWriter writer() {
        return writer;
    }

    /** {@return memory to read into without a copy, if what arrives is large} */
    @Nullable ByteBuffer readTarget() {
        IncomingMessage message = arriving;
        direct = message == null || toSkip > 0 ? null : message.directTarget();
        return direct;
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object read) {
        var bytes = (ByteBuf) read;
        try {
            peer.onHeard(System.nanoTime());
            if (direct != null) {
                direct = null;
                took(bytes.readableBytes());
            } else {
                takeAll(bytes);
            }
        } catch (DecodingException e) {
            inbox.onSenseless(peer, e);
        } finally {
            bytes.release();
        }
    }

    /** Bytes have been read into the memory of the message that is arriving. */
    private void took(int bytes) {
        IncomingMessage message = arriving;
        if (message == null) {
            throw new IllegalStateException("nothing is arriving");
        }
        try {
            message.advance(bytes);
            endIfComplete(message);
        } catch (RpcException | OutOfMemoryError refused) {
            refuse(message, refused);
        }
    }

    private void takeAll(ByteBuf bytes) {
        while (bytes.isReadable() && channel.isActive()) {
            IncomingMessage message = arriving;
            if (toSkip > 0) {
                int skipped = (int) Math.min(toSkip, bytes.readableBytes());
                bytes.skipBytes(skipped);
                toSkip -= skipped;
            } else if (message != null) {
                take(message, bytes);
            } else {
                takeHead(bytes);
            }
        }
    }

    private void take(IncomingMessage message, ByteBuf bytes) {
        try {
            message.take(bytes);
            endIfComplete(message);
        } catch (RpcException | OutOfMemoryError refused) {
            refuse(message, refused);
        }
    }

    private void takeHead(ByteBuf bytes) {
        ByteBuf from = bytes;
        if (head.isReadable() || bytes.readableBytes() < FrameHeader.BYTES) {
            bytes.readBytes(head, Math.min(head.writableBytes(), bytes.readableBytes()));
            if (head.isWritable()) {
                return;
            }
            from = head;
        }
        FrameHeader header = FrameHeader.decode(from);
        head.clear();
        begin(header, bytes);
    }

    private void begin(FrameHeader header, ByteBuf rest) {
        boolean isWhole =
                header.bufferCount() == 0
                        && header.payloadLength() <= rest.readableBytes()
                        && header.payloadLength() <= inbox.maxMessageBytes();
        if (isWhole) {
            byte[] payload = new byte[header.payloadLength()];
            rest.readBytes(payload);
            onFrame(header, new Message(header.type(), payload, List.of()));
            return;
        }
        IncomingMessage message = inbox.begin(peer, header);
        arriving = message;
        try {
            message.begin();
            endIfComplete(message);
        } catch (RpcException | OutOfMemoryError refused) {
            refuse(message, refused);
        }
    }

    private void endIfComplete(IncomingMessage message) {
        if (message.isComplete()) {
            arriving = null;
            message.release();
            onFrame(message.header(), message.toMessage());
        }
    }

    /** Leave out the rest of a message for which there is no room, or that makes no sense. */
    private void refuse(IncomingMessage message, Throwable why) {
        arriving = null;
        toSkip = message.left();
        message.release();
        RpcErrorKind kind =
                switch (why) {
                    case DecodingException _ -> RpcErrorKind.UNDECODABLE;
                    case RpcException e -> e.kind();
                    default -> RpcErrorKind.REFUSED;
                };
        inbox.onRefused(peer, message.header(), kind, String.valueOf(why.getMessage()));
    }

    private void onFrame(FrameHeader header, Message message) {
        try {
            handIn(header, message);
        } catch (DecodingException e) { // its frame made sense: what follows can be read
            inbox.onRefused(peer, header, e.kind(), String.valueOf(e.getMessage()));
        }
    }

    private void handIn(FrameHeader header, Message message) {
        switch (header.kind()) {
            case REQUEST -> inbox.onRequest(peer, header.id(), message);
            case REPLY -> inbox.onReply(peer, header.id(), message);
            case REJECT -> inbox.onReject(peer, header.id(), header.type(), text(message));
            case HEARTBEAT -> {}
            case GOODBYE -> inbox.onGoodbye(peer, text(message));
        }
    }

    private static String text(Message message) {
        return UntrustedText.quote(new String(message.payload(), StandardCharsets.UTF_8));
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) {
        if (channel.isWritable()) {
            writer.drain();
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        inbox.onLaneClosed(peer, "its connection has ended");
        release();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        inbox.onLaneClosed(peer, String.valueOf(cause.getMessage()));
        var _ = channel.close();
    }

    /** End the connection, and give back what it holds. */
    void close() {
        var _ = channel.close();
        release();
    }

    private void release() {
        IncomingMessage message = arriving;
        arriving = null;
        direct = null;
        if (message != null) {
            message.release();
        }
        writer.close();
    }
}
