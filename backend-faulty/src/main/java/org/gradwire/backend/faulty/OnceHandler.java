package org.gradwire.backend.faulty;

import org.gradwire.rpc.RpcTimeoutException;
import org.gradwire.spi.Message;
import org.gradwire.spi.PendingCalls;
import org.gradwire.spi.ReplyHandler;

import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Lets one outcome through, the first. The time that a timeout names is that of the call, though
 * the agent behind may have been given less.
 */
record OnceHandler(ReplyHandler handler, long timeoutNanos, AtomicBoolean ended)
        implements ReplyHandler {

    OnceHandler(ReplyHandler handler, long timeoutNanos) {
        this(handler, timeoutNanos, new AtomicBoolean());
    }

    @Override
    public void onReply(Message reply) {
        if (ended.compareAndSet(false, true)) {
            handler.onReply(reply);
        }
    }

    @Override
    public void onFailure(RuntimeException failure) {
        if (failure instanceof RpcTimeoutException) {
            onTimeout();
        } else if (ended.compareAndSet(false, true)) {
            handler.onFailure(failure);
        }
    }

    void onTimeout() {
        if (ended.compareAndSet(false, true)) {
            handler.onFailure(new RpcTimeoutException(PendingCalls.timeoutText(timeoutNanos)));
        }
    }
}
