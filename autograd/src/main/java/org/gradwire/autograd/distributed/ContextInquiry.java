package org.gradwire.autograd.distributed;

import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.RpcFuture;
import org.gradwire.rpc.WorkerInfo;
import org.gradwire.spi.IncomingRequest;
import org.gradwire.spi.Input;
import org.gradwire.spi.MessageTypes;
import org.gradwire.spi.RequestHandler;
import org.gradwire.spi.UntrustedText;
import org.gradwire.spi.Worker;

/**
 * Asks the creator of a context that a lost worker has introduced here whether it is open, by
 * {@link MessageTypes#AUTOGRAD_CONTEXT_OPEN_REQ}, and releases it if it is not: a lost worker may
 * have forged it.
 */
final class ContextInquiry {
    private ContextInquiry() {}

    static void ask(ContextContainer contexts, ContextState context) {
        Worker worker = contexts.worker();
        ContextKey key = context.key();
        boolean isMember =
                worker.rpc().workers().stream()
                        .map(WorkerInfo::id)
                        .anyMatch(id -> id == key.creator());
        if (isMember) {
            worker.requestWithRetries(
                            key.creator(),
                            MessageTypes.AUTOGRAD_CONTEXT_OPEN_REQ,
                            key::write,
                            Worker.CONTROL_RETRY_POLICY)
                    .onDone(answer -> onAnswer(contexts, context, answer));
        } else {
            ContextCleanup.releaseHere(contexts, context);
        }
    }

    private static void onAnswer(
            ContextContainer contexts, ContextState context, RpcFuture<Input> answer) {
        boolean isOpen;
        try {
            isOpen = answer.value().readBoolean();
        } catch (RpcException e) {
            contexts.failedReleases()
                    .log(
                            System.Logger.Level.DEBUG,
                            context.key().creator(),
                            () ->
                                    "it is not known whether autograd context %d is open: %s"
                                            .formatted(
                                                    context.id(),
                                                    UntrustedText.quote(
                                                            String.valueOf(e.getMessage()))));
            return; // the loss of the creator releases it
        }
        if (!isOpen) {
            ContextCleanup.releaseHere(contexts, context);
        }
    }

    /** Replies whether a context of this worker is open. */
    static final class Handler implements RequestHandler {
        private final ContextContainer contexts;

        Handler(ContextContainer contexts) {
            this.contexts = contexts;
        }

        @Override
        public int requestType() {
            return MessageTypes.AUTOGRAD_CONTEXT_OPEN_REQ;
        }

        @Override
        public boolean runsOnPoller() {
            return true;
        }

        @Override
        public void handle(IncomingRequest request) {
            boolean isOpen = contexts.isOpen(ContextKey.read(request.body()));
            request.reply(MessageTypes.AUTOGRAD_CONTEXT_OPEN_RESP, out -> out.writeBoolean(isOpen));
        }
    }
}
