package org.gradwire.backend.faulty;

import org.gradwire.spi.Message;
import org.gradwire.spi.MessageTypes;
import org.gradwire.spi.ReplyHandler;

/**
 * Lets one outcome of a request that was sent twice through: the first reply that is no error, or
 * the first error when both are.
 *
 * <p>A receiver may refuse the second copy of a request, and its replies may come in any order: the
 * caller must not take that refusal for the outcome.
 */
final class RepeatedHandler implements ReplyHandler {
    private final ReplyHandler handler;
    private Runnable error = () -> {}; // these three guarded by this
    private int errors;
    private boolean ended;

    RepeatedHandler(ReplyHandler handler) {
        this.handler = handler;
    }

    @Override
    public void onReply(Message reply) {
        if (reply.type() == MessageTypes.EXCEPTION) {
            onError(() -> handler.onReply(reply));
        } else if (end()) {
            handler.onReply(reply);
        }
    }

    @Override
    public void onFailure(RuntimeException failure) {
        onError(() -> handler.onFailure(failure));
    }

    private synchronized boolean end() {
        boolean isFirst = !ended;
        ended = true;
        return isFirst;
    }

    private void onError(Runnable outcome) {
        Runnable first;
        synchronized (this) {
            error = errors == 0 ? outcome : error;
            if (ended || ++errors < 2) {
                return;
            }
            ended = true;
            first = error;
        }
        first.run();
    }
}
