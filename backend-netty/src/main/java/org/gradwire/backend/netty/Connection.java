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
 * A connection until it becomes a {@link Lane}: collects the bytes of each step of the {@link
 * Handshake}. Confined to the loop.
 */
abstract class Connection extends ChannelInboundHandlerAdapter {
    private final ReadBuffers buffers;
    private ByteBuffer step;

    /**
     * Create a connection that waits for the first step.
     *
     * @param stepBytes size of that step
     */
    Connection(ReadBuffers buffers, int stepBytes) {
        this.buffers = buffers;
        step = ByteBuffer.allocate(stepBytes);
    }

    /** Wait for the next step, of the given size. */
    final void expect(int bytes) {
        step = ByteBuffer.allocate(bytes);
    }

    /**
     * Process a step that has arrived completely.
     *
     * @return the lane of the connection after its last step, otherwise null
     */
    abstract @Nullable Lane onStep(Channel channel, ByteBuffer bytes);

    @Override
    public final void channelRead(ChannelHandlerContext context, Object read) {
        var bytes = (ByteBuf) read;
        try {
            readSteps(context, bytes);
        } finally {
            bytes.release();
        }
    }

    private void readSteps(ChannelHandlerContext context, ByteBuf bytes) {
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
                return; // it does not wait for bytes
            }
        }
    }

    /** Replace this handler by a lane. */
    final void become(ChannelHandlerContext context, Lane lane) {
        context.pipeline().replace(this, "lane", lane);
        buffers.setTarget(lane::readTarget);
    }

    static void write(Channel channel, ByteBuffer bytes) {
        var _ = channel.writeAndFlush(Unpooled.wrappedBuffer(bytes), channel.voidPromise());
    }

    /** Configure the reads of a new connection, and TLS. */
    static void init(Channel channel, @Nullable SslHandler tls, ReadBuffers buffers) {
        if (tls == null) {
            channel.config().setRecvByteBufAllocator(buffers);
        } else {
            channel.pipeline().addLast(tls);
        }
    }
}
