package org.gradwire.backend.faulty;

import org.gradwire.spi.Message;
import org.gradwire.spi.MessageTypes;
import org.gradwire.spi.ReplyHandler;

import java.util.function.Consumer;

/**
 * Forwards one outcome of a request that was sent twice: the first successful reply, or the first
 * error when both fail.
 *
 * <p>A receiver may refuse the second copy of a request, and its replies may arrive in any order,
 * so that an error is forwarded only after the outcome of the other copy. The receiver may also
 * never reply to one of them, so that this wait has a limit.
 */
final class DuplicateRequestHandler implements ReplyHandler {
    private final ReplyHandler handler;
    private final Consumer<Runnable> limit;
    private Runnable error = () -> {}; // these three guarded by this
    private int errors;
    private boolean ended;

    /**
     * Create a handler that forwards one outcome.
     *
     * @param limit runs its task after the limit of the wait for the other copy; called at most
     *     once
     */
    DuplicateRequestHandler(ReplyHandler handler, Consumer<Runnable> limit) {
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
