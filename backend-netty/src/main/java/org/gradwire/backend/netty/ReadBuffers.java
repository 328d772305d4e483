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
 * Gives a connection without TLS the memory into which it reads: that of the buffer which is
 * arriving, if it is a large one, and otherwise a buffer that all lanes of the loop use by turns,
 * for what is read is taken out before the next read.
 */
final class ReadBuffers implements RecvByteBufAllocator {
    private static final int MOST_READS = 16; // before other lanes have their turn

    private final ByteBuf shared;
    private Supplier<@Nullable ByteBuffer> target = () -> null;

    /**
     * Create one for a new connection.
     *
     * @param shared of the loop
     */
    ReadBuffers(ByteBuf shared) {
        this.shared = shared;
    }

    /** Read into the memory of a large buffer that is arriving, if there is one. */
    void setTarget(Supplier<@Nullable ByteBuffer> newTarget) {
        target = newTarget;
    }

    @Override
    public ExtendedHandle newHandle() {
        return new Reads();
    }

    /** The reads of one turn. */
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
            // nothing is learned from it
        }
    }
}
