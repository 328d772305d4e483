package org.gradwire.backend.netty;

import org.gradwire.spi.Message;

import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What waits to be sent to one peer. A request that would pass the limit is refused; when replies
 * pass twice the limit, the peer reads nothing, and is given up. Of the heap, one peer's messages
 * take a sixteenth at most. Thread-safe.
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

    /** {@return whether there is room for a message, which is charged then} */
    boolean tryCharge(Message message, boolean isReply) {
        int times = isReply ? REPLIES : 1;
        long more = message.byteSize();
        long moreOnHeap = heapBytes(message);
        long sum = bytes.addAndGet(more);
        long heapSum = heapBytes.addAndGet(moreOnHeap);
        // One message alone is always taken: its own limit is another one.
        boolean isFirst = sum == more && heapSum == moreOnHeap;
        if (isFirst || (sum <= times * limit && heapSum <= times * heapLimit)) {
            return true;
        }
        giveBack(message);
        return false;
    }

    void giveBack(Message message) {
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

    /** {@return bytes that wait now} */
    long bytes() {
        return bytes.get();
    }
}
