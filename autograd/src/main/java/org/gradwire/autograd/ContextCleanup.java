package org.gradwire.autograd;

import org.gradwire.rpc.RetryPolicy;
import org.gradwire.rpc.RpcException;
import org.gradwire.spi.IncomingRequest;
import org.gradwire.spi.MessageTypes;
import org.gradwire.spi.RequestHandler;
import org.gradwire.spi.Worker;

import java.util.Set;

/**
 * Releases contexts: here at once, then, by {@link MessageTypes#CLEANUP_AUTOGRAD_CONTEXT_REQ}, on
 * every worker that this one has sent recorded messages to, and so on from there. As a context is
 * removed before the message goes on, circles end.
 */
final class ContextCleanup {
    private static final System.Logger LOGGER = System.getLogger("org.gradwire.autograd");
    private static final RetryPolicy POLICY = RetryPolicy.DEFAULT.withMaxRetries(20);

    private ContextCleanup() {}

    static void release(AutogradContext context) {
        ContextContainer contexts = context.container();
        if (!contexts.remove(context)) {
            return;
        }
        context.passes().release();
        PassPart running = context.passes().current();
        if (running != null) {
            running.fail(
                    new RpcException(
                            "autograd context %d was released while a backward pass was under way"
                                    .formatted(context.id())));
        }
        Worker worker = contexts.worker();
        Set<Integer> reached = context.endRecording();
        if (running == null) {
            context.giveBackMemory();
        }
        for (int known : reached) {
            worker.requestWithRetries(
                            known,
                            MessageTypes.CLEANUP_AUTOGRAD_CONTEXT_REQ,
                            out -> out.writeLong(context.id()),
                            POLICY)
                    .onDone(reply -> {
                        try {
                            reply.value();
                        } catch (RuntimeException e) {
                            LOGGER.log(
                                    System.Logger.Level.INFO,
                                    "Could not release Dist Autograd Context on node {0}: {1}",
                                    known,
                                    e.getMessage());
                        }
                    });
        }
    }

    /**
     * Takes the message in. When the context is unknown here, the message that would make it is
     * late, or was lost; it will not make it any more.
     */
    static final class Handler implements RequestHandler {
        private final ContextContainer contexts;

        Handler(ContextContainer contexts) {
            this.contexts = contexts;
        }

        @Override
        public int requestType() {
            return MessageTypes.CLEANUP_AUTOGRAD_CONTEXT_REQ;
        }

        @Override
        public boolean light() {
            return true;
        }

        @Override
        public void handle(IncomingRequest request) {
            AutogradContext context = contexts.findOrRefuse(request.body().readLong());
            if (context != null) {
                release(context);
            }
            request.reply(MessageTypes.CLEANUP_AUTOGRAD_CONTEXT_RESP, _ -> {});
        }
    }
}
