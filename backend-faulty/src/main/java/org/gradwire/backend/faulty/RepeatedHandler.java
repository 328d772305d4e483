package org.gradwire.backend.faulty;

import org.gradwire.spi.Message;
import org.gradwire.spi.MessageTypes;
import org.gradwire.spi.ReplyHandler;

import java.util.function.Consumer;

/**
 * Lets one outcome of a request that was sent twice through: the first reply that is no error, or
 * the first error when both are.
 *
 * <p>A receiver may refuse the second copy of a request, and its replies may come in any order: the
 * caller must not take that refusal for the outcome. It may also never answer one of them: so the
 * outcome of the other is waited for, but not for ever.
 */
final class RepeatedHandler implements ReplyHandler {
    private final ReplyHandler handler;
    private final Consumer<Runnable> limit;
    private Runnable error = () -> {}; // these three guarded by this
    private int errors;
    private boolean ended;

    /**
     * Hand outcomes to a handler.
     *
     * @param limit runs its task when a copy has had time enough after the error of the other; it
     *     is given one at most
     */
    RepeatedHandler(ReplyHandler handler, Consumer<Runnable> limit) {
        this.handler = handler;
        this.limit = limit;
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
        boolean isFirst;
        synchronized (this) {
            isFirst = errors++ == 0;
            error = isFirst ? outcome : error;
        }
        if (isFirst) {
            limit.accept(this::failIfOpen);
        } else {
            failIfOpen();
        }
    }

    private void failIfOpen() {
        if (end()) {
            firstError().run();
        }
    }

    private synchronized Runnable firstError() {
        return error;
    }
}
