package org.gradwire.backend.faulty;

import org.gradwire.rpc.RpcTimeoutException;
import org.gradwire.spi.Message;
import org.gradwire.spi.PendingCalls;
import org.gradwire.spi.ReplyHandler;

import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Forwards only the first outcome. A timeout error names the timeout of the call, though the
 * wrapped agent may have received a shorter one.
 */
record FirstOutcomeHandler(ReplyHandler handler, long timeoutNanos, AtomicBoolean ended)
        implements ReplyHandler {

    FirstOutcomeHandler(ReplyHandler handler, long timeoutNanos) {
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
