package org.gradwire.autograd.distributed;

import org.gradwire.spi.IncomingRequest;
import org.gradwire.spi.Output;
import org.jspecify.annotations.Nullable;

import java.util.concurrent.Executor;
import java.util.function.Consumer;

/** What the messages of passes have in common: each is answered with nothing, or a failure. */
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

    /** Take a message in where its pass runs; what that throws is the answer. */
    static void take(IncomingRequest request, ContextState context, long passId, Runnable step) {
        BackwardPhase phase = context.passes().current(passId);
        Executor executor = phase == null ? context.worker().executor() : phase.executor();
        executor.execute(() -> {
            try {
                step.run();
            } catch (RuntimeException | Error e) { // also for want of memory
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
