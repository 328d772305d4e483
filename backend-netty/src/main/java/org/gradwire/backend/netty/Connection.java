package org.gradwire.backend.netty;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.ssl.SslHandler;

import org.jspecify.annotations.Nullable;

import java.nio.ByteBuffer;

/**
 * One end of a connection before it becomes a {@link Lane}: collects the bytes of one step of the
 * {@link Greeting} after the other. Used by the loop.
 */
abstract class Connection extends ChannelInboundHandlerAdapter {
    private final ReadBuffers buffers;
    private ByteBuffer step;

    /**
     * Create one that waits for its first step.
     *
     * @param stepBytes of that step
     */
    Connection(ReadBuffers buffers, int stepBytes) {
        this.buffers = buffers;
        step = ByteBuffer.allocate(stepBytes);
    }

    /** Wait for the next step. */
    final void expect(int bytes) {
        step = ByteBuffer.allocate(bytes);
    }

    /**
     * Act on a step that has arrived as a whole.
     *
     * @return the lane that the connection has become, or null when it goes on with the next step
     */
    abstract @Nullable Lane onStep(Channel channel, ByteBuffer bytes);

    @Override
    public final void channelRead(ChannelHandlerContext context, Object read) {
        var bytes = (ByteBuf) read;
        try {
            take(context, bytes);
        } finally {
            bytes.release();
        }
    }

    private void take(ChannelHandlerContext context, ByteBuf bytes) {
        while (bytes.isReadable() && context.channel().isActive()) {
            ByteBuffer open = step;
            int count = Math.min(open.remaining(), bytes.readableBytes());
            bytes.readBytes(open.slice(open.position(), count));
            open.position(open.position() + count);
            if (open.hasRemaining()) {
                return;
            }
            Lane lane = onStep(context.channel(), open.flip());
            if (lane != null) {
                become(context, lane);
                lane.channelRead(context, bytes.retain());
                return;
            }
            if (!step.hasRemaining()) {
                return; // it waits for something else than bytes, and none are expected
            }
        }
    }

    /** Let a lane take the place of the greeting. */
    final void become(ChannelHandlerContext context, Lane lane) {
        context.pipeline().replace(this, "lane", lane);
        buffers.setTarget(lane::readTarget);
    }

    static void write(Channel channel, ByteBuffer bytes) {
        var _ = channel.writeAndFlush(Unpooled.wrappedBuffer(bytes), channel.voidPromise());
    }

    /** Prepare a new connection. */
    static void init(Channel channel, @Nullable SslHandler tls, ReadBuffers buffers) {
        if (tls == null) {
            channel.config().setRecvByteBufAllocator(buffers);
        } else {
            channel.pipeline().addLast(tls);
        }
    }
}
