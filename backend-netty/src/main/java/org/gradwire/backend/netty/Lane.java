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
 * A TCP connection to a peer after the handshake: decodes its frames and passes them to the {@link
 * MessageDispatcher}. Confined to the loop.
 */
final class Lane extends ChannelInboundHandlerAdapter {
    private final Channel channel;
    private final Peer peer;
    private final MessageDispatcher dispatcher;
    private final PollerPolicy policy;
    private final LaneWriter writer;
    private final ByteBuf head = Unpooled.buffer(FrameHeader.BYTES, FrameHeader.BYTES);
    private @Nullable InboundMessage arriving;
    private boolean isLarge; // the arriving message, as far as it is known
    private long toSkip; // bytes of a message that was refused
    private @Nullable ByteBuffer direct; // memory of the message, target of the next read

    /** Create the lane of an open connection. */
    Lane(Channel channel, Peer peer, MessageDispatcher dispatcher, PollerPolicy policy) {
        this.channel = channel;
        this.peer = peer;
        this.dispatcher = dispatcher;
        this.policy = policy;
        writer = new LaneWriter(channel, policy);
    }

    LaneWriter writer() {
        return writer;
    }

    /** {@return memory of an arriving large message to read into without a copy, or null} */
    @Nullable ByteBuffer readTarget() {
        InboundMessage message = arriving;
        direct = message == null || toSkip > 0 ? null : message.directTarget();
        return direct;
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object read) {
        var bytes = (ByteBuf) read;
        try {
            peer.onActivity(System.nanoTime());
            if (direct != null) {
                direct = null;
                onDirectRead(bytes.readableBytes());
            } else {
                readAll(bytes);
            }
        } catch (DecodingException e) {
            dispatcher.onMalformed(peer, e);
        } finally {
            bytes.release();
        }
    }

    /** Counts bytes that a read has put into the memory of the arriving message. */
    private void onDirectRead(int bytes) {
        InboundMessage message = arriving;
        if (message == null) {
            throw new IllegalStateException("no message is arriving");
        }
        try {
            message.advance(bytes);
            endIfComplete(message);
        } catch (RpcException | OutOfMemoryError refused) {
            refuse(message, refused);
        }
    }

    private void readAll(ByteBuf bytes) {
        while (bytes.isReadable() && channel.isActive()) {
            InboundMessage message = arriving;
            if (toSkip > 0) {
                int skipped = (int) Math.min(toSkip, bytes.readableBytes());
                bytes.skipBytes(skipped);
                toSkip -= skipped;
            } else if (message != null) {
                readInto(message, bytes);
            } else {
                readHeader(bytes);
            }
        }
    }

    private void readInto(InboundMessage message, ByteBuf bytes) {
        try {
            message.read(bytes);
            endIfComplete(message);
        } catch (RpcException | OutOfMemoryError refused) {
            refuse(message, refused);
        }
    }

    private void readHeader(ByteBuf bytes) {
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
                        && header.payloadLength() <= dispatcher.maxMessageBytes();
        if (isWhole) {
            byte[] payload = new byte[header.payloadLength()];
            rest.readBytes(payload);
            onFrame(header, new Message(header.type(), payload, List.of()));
            return;
        }
        InboundMessage message = dispatcher.begin(peer, header);
        arriving = message;
        try {
            message.begin();
            endIfComplete(message);
        } catch (RpcException | OutOfMemoryError refused) {
            refuse(message, refused);
        }
    }

    private void endIfComplete(InboundMessage message) {
        if (message.isComplete()) {
            end(message);
            onFrame(message.header(), message.toMessage());
        } else if (!isLarge && message.remaining() >= PollerPolicy.LARGE_BYTES) {
            isLarge = true;
            policy.beginTransfer();
        }
    }

    private void end(InboundMessage message) {
        arriving = null;
        message.release();
        if (isLarge) {
            isLarge = false;
            policy.endTransfer();
        }
    }

    /** Skips the rest of a message for which there is no room, or that is malformed. */
    private void refuse(InboundMessage message, Throwable reason) {
        toSkip = message.remaining();
        end(message);
        RpcErrorKind kind =
                switch (reason) {
                    case DecodingException _ -> RpcErrorKind.UNDECODABLE;
                    case RpcException e -> e.kind();
                    default -> RpcErrorKind.REFUSED;
                };
        dispatcher.onRefused(peer, message.header(), kind, String.valueOf(reason.getMessage()));
    }

    private void onFrame(FrameHeader header, Message message) {
        try {
            dispatch(header, message);
        } catch (DecodingException e) { // its header is valid, so the next frame can be read
            dispatcher.onRefused(peer, header, e.kind(), String.valueOf(e.getMessage()));
        }
    }

    private void dispatch(FrameHeader header, Message message) {
        switch (header.kind()) {
            case REQUEST -> dispatcher.onRequest(peer, header.id(), message);
            case REPLY -> dispatcher.onReply(peer, header.id(), message);
            case REJECT -> dispatcher.onReject(peer, header.id(), header.type(), text(message));
            case HEARTBEAT -> {}
            case GOODBYE -> dispatcher.onGoodbye(peer, text(message));
            case RENEW -> peer.renewal().request();
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
        dispatcher.onLaneClosed(peer, "its connection has closed");
        release();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        dispatcher.onLaneClosed(peer, String.valueOf(cause.getMessage()));
        var _ = channel.close();
    }

    /** Close the connection, and release its memory. */
    void close() {
        var _ = channel.close();
        release();
    }

    private void release() {
        InboundMessage message = arriving;
        direct = null;
        if (message != null) {
            end(message);
        }
        writer.close();
    }
}
