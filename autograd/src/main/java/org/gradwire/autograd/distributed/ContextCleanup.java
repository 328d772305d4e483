package org.gradwire.autograd.distributed;

import org.gradwire.rpc.RetryPolicy;
import org.gradwire.rpc.RpcConnectionException;
import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.RpcFuture;
import org.gradwire.rpc.WorkerInfo;
import org.gradwire.spi.IncomingRequest;
import org.gradwire.spi.Input;
import org.gradwire.spi.MessageTypes;
import org.gradwire.spi.PeerLog;
import org.gradwire.spi.RequestHandler;
import org.gradwire.spi.UntrustedText;
import org.gradwire.spi.Worker;

import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Releases contexts: on this worker at once, then, by {@link
 * MessageTypes#CLEANUP_AUTOGRAD_CONTEXT_REQ}, on every worker to which this one has sent recorded
 * messages, and so on from there. A context is removed before the message is forwarded, so cycles
 * end.
 *
 * <p>A worker replies when all workers that it has notified have replied. A lost one may have
 * introduced the context to any other worker, so all of them are notified.
 */
final class ContextCleanup {
    private static final RetryPolicy POLICY = Worker.CONTROL_RETRY_POLICY.withMaxRetries(20);

    private final Worker worker;
    private final PeerLog log;
    private final ContextKey context; // its key for the release
    private final Runnable whenDone;
    private final Set<Integer> told = new HashSet<>(); // guarded by this, as is the next
    private int unanswered = 1; // 1 for this worker's own part

    private ContextCleanup(ContextContainer contexts, ContextState context, Runnable whenDone) {
        this.worker = contexts.worker();
        this.log = contexts.failedReleases();
        this.context = context.key().forRelease();
        this.whenDone = whenDone;
    }

    /** Release a context by a decision of this worker. */
    static void release(ContextContainer contexts, ContextState context) {
        contexts.release(contexts.worker().self().id(), context.key().forRelease());
        releaseHere(contexts, context);
    }

    /** Release a context whose creator is lost, or does not have it open. */
    static void releaseHere(ContextContainer contexts, ContextState context) {
        release(contexts, context, () -> {});
    }

    /**
     * Release a context without waiting for it.
     *
     * @param whenDone runs when the others have released it too, or have failed to; on any thread
     */
    private static void release(
            ContextContainer contexts, ContextState context, Runnable whenDone) {
        if (!contexts.remove(context)) {
            whenDone.run();
            return;
        }
        context.passes().release();
        BackwardPhase running = context.passes().current();
        if (running != null) {
            running.fail(
                    new RpcException(
                            "autograd context %d was released while a backward pass was running"
                                    .formatted(context.id())));
        }
        Set<Integer> reached = context.endRecording();
        if (running == null) {
            context.freeMemory();
        }
        var cleanup = new ContextCleanup(contexts, context, whenDone);
        cleanup.tell(reached);
        cleanup.countAnswer();
    }

    private void tell(Collection<Integer> workers) {
        for (int id : workers) {
            if (countTold(id)) {
                worker.requestWithRetries(
                                id,
                                MessageTypes.CLEANUP_AUTOGRAD_CONTEXT_REQ,
                                context::write,
                                POLICY)
                        .onDone(reply -> onAnswer(id, reply));
            }
        }
    }

    private synchronized boolean countTold(int id) {
        boolean isNew = told.add(id);
        unanswered += isNew ? 1 : 0;
        return isNew;
    }

    private void onAnswer(int from, RpcFuture<Input> answer) {
        try {
            answer.value();
        } catch (RuntimeException e) {
            log.log(
                    System.Logger.Level.INFO,
                    from,
                    () ->
                            "Could not release Dist Autograd Context on node %d: %s"
                                    .formatted(
                                            from,
                                            UntrustedText.quote(String.valueOf(e.getMessage()))));
            if (e instanceof RpcConnectionException) {
                tell(others());
            }
        }
        countAnswer();
    }

    private List<Integer> others() {
        int self = worker.self().id();
        return worker.rpc().workers().stream()
                .map(WorkerInfo::id)
                .filter(id -> id != self)
                .toList();
    }

    private void countAnswer() {
        boolean isLast;
        synchronized (this) {
            unanswered--;
            isLast = unanswered == 0;
        }
        if (isLast) {
            whenDone.run();
        }
    }

    /**
     * Handles the message. If the context is unknown here, the message that would create it is late
     * or lost; from now on it does not create it.
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
        public boolean runsOnPoller() {
            return true;
        }

        @Override
        public void handle(IncomingRequest request) {
            List<ContextState> known =
                    contexts.release(request.from(), ContextKey.read(request.body()));
            var unfinished = new AtomicInteger(known.size());
            Runnable answer =
                    () -> request.reply(MessageTypes.CLEANUP_AUTOGRAD_CONTEXT_RESP, _ -> {});
            if (known.isEmpty()) {
                answer.run();
            }
            for (ContextState context : known) {
                release(
                        contexts,
                        context,
                        () -> {
                            if (unfinished.decrementAndGet() == 0) {
                                answer.run();
                            }
                        });
            }
        }
    }
}
