package org.gradwire.runtime.wire;

import org.gradwire.spi.Message;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * A reference-counted message that is sent more than once. Its memory is freed when its creator and
 * the receivers of all copies have released it. Thread-safe.
 */
public final class SharedMessage {
    private final Message message;
    private final AtomicInteger holders = new AtomicInteger(1);

    public SharedMessage(Message message) {
        this.message = message;
    }

    /** Return another message with the same memory, which its receiver releases. */
    public Message copy() {
        holders.incrementAndGet();
        return new Message(message.type(), message.payload(), message.buffers(), this::release);
    }

    /** Release a reference: the creator's or a copy's. */
    public void release() {
        if (holders.decrementAndGet() == 0) {
            message.release();
        }
    }
}
