package com.example.socket;

import org.gradwire.rpc.RpcErrorKind;
import org.gradwire.spi.Message;

/** What travels over a connection once it is greeted. */
sealed interface Frame {
    int REQUEST = 1;
    int REPLY = 2;
    int REFUSAL = 3;
    int HEARTBEAT = 4;

    /** So that many empty messages do not fit into a bounded queue either. */
    long OVERHEAD = 256;

    /** A call, from who dialed. */
    record Request(long id, Message message) implements Frame {}

    /** The answer to the request with this id. */
    record Reply(long id, Message message) implements Frame {}

    /** There will be no answer to the request with this id. */
    record Refusal(long id, RpcErrorKind kind, String reason) implements Frame {}

    /** A sign of life from who has nothing else to say. */
    record Heartbeat() implements Frame {}

    /**
     * Never sent: what the reader makes of a request or reply that it had to pass over, since it is
     * too large or there is no memory for it.
     */
    record PassedOver(boolean isRequest, long id, String reason) implements Frame {}

    /** {@return how much memory it holds while it waits to be sent} */
    default long byteSize() {
        return switch (this) {
            case Request request -> OVERHEAD + request.message.byteSize();
            case Reply reply -> OVERHEAD + reply.message.byteSize();
            default -> OVERHEAD;
        };
    }

    /** Give back the message's memory, which is read no more. */
    default void release() {
        switch (this) {
            case Request request -> request.message.release();
            case Reply reply -> reply.message.release();
            default -> {} // holds none
        }
    }
}
