package org.gradwire.backend.netty;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;

import org.jspecify.annotations.Nullable;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Writes the frames of a lane in order.
 *
 * <p>Small messages are copied into a shared batch buffer, and released immediately. Large ones are
 * written in parts, only as fast as the peer reads: native buffers without a copy, arrays through a
 * buffer of native memory. {@link #add} may be called on any thread; everything else is confined to
 * the loop.
 */
final class LaneWriter {
    private static final int BATCH_BYTES = 64 * 1024;
    private static final int MOST_COPIED = 16 * 1024;
    private static final int PART_BYTES = 256 * 1024;
    private static final int FLUSH_BYTES = 256 * 1024;

    private final Channel channel;
    private final PollerPolicy policy;
    private final Queue<OutboundFrame> waiting = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean isScheduled = new AtomicBoolean();
    private final Runnable drain = this::drainScheduled;
    private volatile boolean isClosed;

    private @Nullable ByteBuf batch;
    private @Nullable OutboundFrame current; // a large message, partly written
    private boolean isLarge; // the current message
    private int nextBuffer;
    private long position; // in that buffer
    private int unflushed;

    LaneWriter(Channel channel, PollerPolicy policy) {
        this.channel = channel;
        this.policy = policy;
    }

    /** Queue a frame to be written; on a closed lane, release it. */
    void add(OutboundFrame frame) {
        waiting.add(frame);
        if (!isScheduled.getAndSet(true)) {
            schedule();
        }
    }

    private void schedule() {
        try {
            channel.eventLoop().execute(drain);
        } catch (RejectedExecutionException _) { // the loop has ended, and the lane with it
            isScheduled.set(false);
            releaseWaiting();
        }
    }

    /** Write a frame immediately, before the lane is closed. */
    void addLast(OutboundFrame frame) {
        waiting.add(frame);
        drain();
    }

    private void drainScheduled() {
        isScheduled.set(false);
        drain();
    }

    /** Write as much as the connection accepts. */
    void drain() {
        if (isClosed) {
            releaseWaiting();
            return;
        }
        try {
            while (channel.isWritable() && writeNext()) {
                flushIfMuch();
            }
            endBatch();
            flush();
        } catch (RuntimeException | OutOfMemoryError e) { // or the memory of a message is closed
            channel.pipeline().fireExceptionCaught(e);
        }
    }

    private void flushIfMuch() {
        if (unflushed >= FLUSH_BYTES) {
            endBatch();
            flush();
        }
    }

    private void flush() {
        if (unflushed > 0) {
            unflushed = 0;
            channel.flush();
        }
    }

    /** {@return whether a frame or a part was written} */
    private boolean writeNext() {
        OutboundFrame large = current;
        if (large != null) {
            writePart(large);
            return true;
        }
        OutboundFrame next = waiting.poll();
        if (next == null) {
            return false;
        }
        long bytes = next.headBytes() + next.message().byteSize();
        if (bytes <= MOST_COPIED) {
            writeSmall(next, (int) bytes);
        } else {
            beginLarge(next);
        }
        return true;
    }

    private ByteBuf batchFor(int bytes) {
        ByteBuf open = batch;
        if (open != null && open.writableBytes() < bytes) {
            endBatch();
            open = null;
        }
        if (open == null) {
            open = channel.alloc().directBuffer(Math.max(bytes, BATCH_BYTES));
            batch = open;
        }
        return open;
    }

    private void endBatch() {
        ByteBuf open = batch;
        if (open != null) {
            batch = null;
            write(open);
        }
    }

    private void write(ByteBuf bytes) {
        unflushed += bytes.readableBytes();
        var _ = channel.write(bytes, channel.voidPromise());
    }

    private void writeSmall(OutboundFrame frame, int bytes) {
        try {
            ByteBuf to = batchFor(bytes);
            frame.encodeHead(to);
            to.writeBytes(frame.message().payload());
            for (MemorySegment buffer : frame.message().buffers()) {
                append(buffer, to);
            }
        } finally {
            frame.release();
        }
    }

    private static void append(MemorySegment from, ByteBuf to) {
        int bytes = (int) from.byteSize();
        MemorySegment place = MemorySegment.ofBuffer(to.nioBuffer(to.writerIndex(), bytes));
        MemorySegment.copy(from, 0, place, 0, bytes);
        to.writerIndex(to.writerIndex() + bytes);
    }

    private void beginLarge(OutboundFrame frame) {
        current = frame;
        isLarge = frame.message().byteSize() >= PollerPolicy.LARGE_BYTES;
        if (isLarge) {
            policy.beginTransfer();
        }
        frame.encodeHead(batchFor(frame.headBytes()));
        endBatch();
        nextBuffer = -1; // the payload comes before the buffers
        position = 0;
        endIfWritten(frame);
    }

    private static MemorySegment part(OutboundFrame frame, int index) {
        List<MemorySegment> buffers = frame.message().buffers();
        return index < 0 ? MemorySegment.ofArray(frame.message().payload()) : buffers.get(index);
    }

    private void writePart(OutboundFrame frame) {
        MemorySegment from = part(frame, nextBuffer);
        long bytes = Math.min(from.byteSize() - position, PART_BYTES);
        MemorySegment part = from.asSlice(position, bytes);
        if (part.isNative()) {
            var _ = part.get(ValueLayout.JAVA_BYTE, 0); // throws if closed; a system call would not
            write(Unpooled.wrappedBuffer(part.asByteBuffer()));
        } else {
            write(copied(part));
        }
        position += bytes;
        endIfWritten(frame);
    }

    private ByteBuf copied(MemorySegment part) {
        ByteBuf copy = channel.alloc().directBuffer((int) part.byteSize());
        try {
            append(part, copy);
            return copy;
        } catch (RuntimeException e) {
            copy.release();
            throw e;
        }
    }

    /** Continue with the next part that is not empty; release the message after the last. */
    private void endIfWritten(OutboundFrame frame) {
        int last = frame.message().buffers().size() - 1;
        while (position == part(frame, nextBuffer).byteSize()) {
            if (nextBuffer == last) {
                endLarge();
                unflushed = Math.max(1, unflushed);
                var _ = channel.write(Unpooled.EMPTY_BUFFER).addListener(_ -> frame.release());
                return;
            }
            nextBuffer++;
            position = 0;
        }
    }

    private void endLarge() {
        current = null;
        if (isLarge) {
            isLarge = false;
            policy.endTransfer();
        }
    }

    /** Release the frames that were not written. */
    void close() {
        isClosed = true;
        OutboundFrame large = current;
        endLarge();
        if (large != null) { // its written parts are read until the channel is closed
            channel.closeFuture().addListener(_ -> large.release());
        }
        ByteBuf open = batch;
        batch = null;
        if (open != null) {
            open.release();
        }
        releaseWaiting();
    }

    private void releaseWaiting() {
        for (OutboundFrame frame; (frame = waiting.poll()) != null; ) {
            frame.release();
        }
    }
}
