package org.gradwire.backend.netty;

import org.gradwire.spi.Message;

import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Limits the memory of messages that wait to be sent to a peer. A request above the limit is
 * refused. Replies may wait up to twice the limit; a peer that leaves more unread is lost. Messages
 * for one peer take at most a sixteenth of the heap. Thread-safe.
 */
final class SendBudget {
    private static final int HEAP_PART = 16;
    private static final int MESSAGE_OVERHEAD = 256;
    private static final int REPLIES = 2;

    private final long limit;
    private final long heapLimit = Runtime.getRuntime().maxMemory() / HEAP_PART;
    private final AtomicLong bytes = new AtomicLong();
    private final AtomicLong heapBytes = new AtomicLong();

    SendBudget(long limit) {
        this.limit = limit;
    }

    /** {@return whether there is room for a message, which is then charged} */
    boolean tryCharge(Message message, boolean isReply) {
        int times = isReply ? REPLIES : 1;
        long more = message.byteSize();
        long moreOnHeap = heapBytes(message);
        long sum = bytes.addAndGet(more);
        long heapSum = heapBytes.addAndGet(moreOnHeap);
        // A single message is always accepted: maxMessageBytes limits it.
        boolean isFirst = sum == more && heapSum == moreOnHeap;
        if (isFirst || (sum <= times * limit && heapSum <= times * heapLimit)) {
            return true;
        }
        release(message);
        return false;
    }

    void release(Message message) {
        bytes.addAndGet(-message.byteSize());
        heapBytes.addAndGet(-heapBytes(message));
    }

    private static long heapBytes(Message message) {
        long size = (long) MESSAGE_OVERHEAD + message.payload().length;
        for (MemorySegment buffer : message.buffers()) {
            size += buffer.isNative() ? 0 : buffer.byteSize();
        }
        return size;
    }

    /** {@return bytes that wait to be sent now} */
    long bytes() {
        return bytes.get();
    }
}
