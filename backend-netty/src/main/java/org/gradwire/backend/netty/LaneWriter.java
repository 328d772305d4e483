package org.gradwire.backend.netty;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;

import org.jspecify.annotations.Nullable;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Writes the frames of one lane, one after the other.
 *
 * <p>Small messages are copied together into one buffer, and released at once. Of large ones,
 * native buffers are written from where they lie, and arrays through a buffer of native memory,
 * part by part and only as fast as the other end reads. {@link #add} for any thread, the rest for
 * the loop.
 */
final class LaneWriter {
    private static final int BATCH_BYTES = 64 * 1024;
    private static final int MOST_COPIED = 16 * 1024;
    private static final int PART_BYTES = 1024 * 1024;
    private static final int FLUSH_BYTES = 256 * 1024;

    private final Channel channel;
    private final Queue<Outgoing> waiting = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean isScheduled = new AtomicBoolean();
    private final Runnable drain = this::drainScheduled;
    private volatile boolean isClosed;

    private @Nullable ByteBuf batch;
    private @Nullable Outgoing current; // a large message, of which a part was written
    private int nextBuffer;
    private long position; // in that buffer
    private int unflushed;

    LaneWriter(Channel channel) {
        this.channel = channel;
    }

    /** Write a frame soon; after the end of the lane, release it only. */
    void add(Outgoing frame) {
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

    /** Write a frame now, before the lane is closed. */
    void addLast(Outgoing frame) {
        waiting.add(frame);
        drain();
    }

    private void drainScheduled() {
        isScheduled.set(false);
        drain();
    }

    /** Write as much as the other end takes. */
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
        } catch (RuntimeException | OutOfMemoryError e) { // or a message that may not be read
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

    /** {@return whether there was anything to write} */
    private boolean writeNext() {
        Outgoing large = current;
        if (large != null) {
            writePart(large);
            return true;
        }
        Outgoing next = waiting.poll();
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

    private void writeSmall(Outgoing frame, int bytes) {
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

    private void beginLarge(Outgoing frame) {
        current = frame;
        frame.encodeHead(batchFor(frame.headBytes()));
        endBatch();
        nextBuffer = -1; // the payload comes before the buffers
        position = 0;
        endIfWritten(frame);
    }

    private static MemorySegment part(Outgoing frame, int index) {
        List<MemorySegment> buffers = frame.message().buffers();
        return index < 0 ? MemorySegment.ofArray(frame.message().payload()) : buffers.get(index);
    }

    private void writePart(Outgoing frame) {
        MemorySegment from = part(frame, nextBuffer);
        long bytes = Math.min(from.byteSize() - position, PART_BYTES);
        MemorySegment part = from.asSlice(position, bytes);
        if (part.isNative()) {
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

    /** Go on to the next part that has any bytes; release the message once all are written. */
    private void endIfWritten(Outgoing frame) {
        int last = frame.message().buffers().size() - 1;
        while (position == part(frame, nextBuffer).byteSize()) {
            if (nextBuffer == last) {
                current = null;
                unflushed = Math.max(1, unflushed);
                var _ = channel.write(Unpooled.EMPTY_BUFFER).addListener(_ -> frame.release());
                return;
            }
            nextBuffer++;
            position = 0;
        }
    }

    /** Release what was not written: the lane is closed. */
    void close() {
        isClosed = true;
        Outgoing large = current;
        current = null;
        if (large != null) { // what was written of it is read until the channel is closed
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
        for (Outgoing frame; (frame = waiting.poll()) != null; ) {
            frame.release();
        }
    }
}
