package com.example.socket;

import org.gradwire.rpc.RpcErrorKind;
import org.gradwire.spi.Message;

/** A unit of data on an authenticated connection. */
sealed interface Frame {
    int REQUEST = 1;
    int REPLY = 2;
    int REFUSAL = 3;
    int HEARTBEAT = 4;

    /**
     * Counted for each frame, so that many empty messages do not exceed the queue's bound either.
     */
    long OVERHEAD = 256;

    /** A call, from the side that dialed. */
    record Request(long id, Message message) implements Frame {}

    /** The reply to the request with this id. */
    record Reply(long id, Message message) implements Frame {}

    /** The refusal of the request with this id, which gets no reply. */
    record Refusal(long id, RpcErrorKind kind, String reason) implements Frame {}

    /** A heartbeat of an idle side. */
    record Heartbeat() implements Frame {}

    /**
     * Never sent: represents a request or reply that the reader skipped, since it is too large or
     * memory is exhausted.
     */
    record PassedOver(boolean isRequest, long id, String reason) implements Frame {}

    /** {@return the memory it occupies while queued, in bytes} */
    default long byteSize() {
        return switch (this) {
            case Request request -> OVERHEAD + request.message.byteSize();
            case Reply reply -> OVERHEAD + reply.message.byteSize();
            default -> OVERHEAD;
        };
    }

    /** Release the message's memory, after its last read. */
    default void release() {
        switch (this) {
            case Request request -> request.message.release();
            case Reply reply -> reply.message.release();
            default -> {} // holds none
        }
    }
}
