package org.gradwire.runtime;

import org.gradwire.spi.Message;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * A message that is sent more than once. Its memory is given back when its maker and whoever sends
 * a copy have released it.
 */
final class SharedMessage {
    private final Message message;
    private final AtomicInteger holders = new AtomicInteger(1);

    SharedMessage(Message message) {
        this.message = message;
    }

    /** Return one more message of the same memory, which its receiver is to release. */
    Message copy() {
        holders.incrementAndGet();
        return new Message(message.type(), message.payload(), message.buffers(), this::release);
    }

    /** Release the maker's hold, or that of a copy. */
    void release() {
        if (holders.decrementAndGet() == 0) {
            message.release();
        }
    }
}
