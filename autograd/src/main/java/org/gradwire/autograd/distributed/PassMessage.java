package org.gradwire.autograd.distributed;

import org.gradwire.spi.IncomingRequest;
import org.gradwire.spi.Output;
import org.jspecify.annotations.Nullable;

import java.util.concurrent.Executor;
import java.util.function.Consumer;

/** The exchange of messages of passes: each gets an empty reply, or a failure. */
final class PassMessage {

    private PassMessage() {}

    static void send(
            ContextState context,
            int to,
            int type,
            Consumer<Output> body,
            Consumer<@Nullable RuntimeException> whenAnswered) {
        context.worker()
                .request(to, type, body, null)
                .onDone(reply -> {
                    RuntimeException failure = null;
                    try {
                        reply.value();
                    } catch (RuntimeException e) {
                        failure = e;
                    }
                    whenAnswered.accept(failure);
                });
    }

    /** Handle a message on the executor of its pass; an exception becomes the reply. */
    static void take(IncomingRequest request, ContextState context, long passId, Runnable step) {
        BackwardPhase phase = context.passes().current(passId);
        Executor executor = phase == null ? context.worker().executor() : phase.executor();
        executor.execute(() -> {
            try {
                step.run();
            } catch (RuntimeException | Error e) { // also OutOfMemoryError
                request.fail(e);
            }
        });
    }

    static void answer(IncomingRequest request, int replyType, @Nullable RuntimeException failure) {
        if (failure == null) {
            request.reply(replyType, _ -> {});
        } else {
            request.fail(failure);
        }
    }
}
