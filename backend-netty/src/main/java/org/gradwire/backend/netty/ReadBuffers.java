package org.gradwire.backend.netty;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelConfig;
import io.netty.channel.RecvByteBufAllocator;
import io.netty.util.UncheckedBooleanSupplier;

import org.jspecify.annotations.Nullable;

import java.nio.ByteBuffer;
import java.util.function.Supplier;

/**
 * Allocates the memory for the reads of a connection without TLS: that of the arriving buffer if it
 * is large, otherwise a buffer that all connections of the loop share, since its bytes are consumed
 * before the next read. Confined to the loop.
 */
final class ReadBuffers implements RecvByteBufAllocator {
    private static final int MOST_READS = 16; // before the loop reads other connections

    private final ByteBuf shared;
    private Supplier<@Nullable ByteBuffer> target = () -> null;

    /**
     * Create the allocator of a new connection.
     *
     * @param shared buffer of the loop
     */
    ReadBuffers(ByteBuf shared) {
        this.shared = shared;
    }

    /** Set the supplier of memory of the arriving large buffer; null selects the shared one. */
    void setTarget(Supplier<@Nullable ByteBuffer> newTarget) {
        target = newTarget;
    }

    @Override
    public ExtendedHandle newHandle() {
        return new Reads();
    }

    /** The reads of a connection in one iteration of the loop. */
    private final class Reads implements RecvByteBufAllocator.ExtendedHandle {
        private int attempted;
        private int last;
        private int reads;
        private boolean isFull;

        @Override
        public ByteBuf allocate(ByteBufAllocator ignored) {
            ByteBuffer memory = target.get();
            return memory == null
                    ? shared.clear().retain()
                    : Unpooled.wrappedBuffer(memory).clear();
        }

        @Override
        public int guess() {
            return shared.capacity();
        }

        @Override
        public void reset(ChannelConfig config) {
            reads = 0;
            isFull = false;
        }

        @Override
        public void incMessagesRead(int count) {
            reads += count;
        }

        @Override
        public void lastBytesRead(int bytes) {
            last = bytes;
            isFull = bytes == attempted;
        }

        @Override
        public int lastBytesRead() {
            return last;
        }

        @Override
        public void attemptedBytesRead(int bytes) {
            attempted = bytes;
        }

        @Override
        public int attemptedBytesRead() {
            return attempted;
        }

        @Override
        public boolean continueReading() {
            return isFull && reads < MOST_READS;
        }

        @Override
        public boolean continueReading(UncheckedBooleanSupplier maybeMore) {
            return continueReading();
        }

        @Override
        public void readComplete() {
            // the size of the shared buffer does not adapt
        }
    }
}
