package org.gradwire.autograd.distributed;

import org.gradwire.autograd.GraphTask;
import org.gradwire.autograd.Node;
import org.gradwire.rpc.RpcErrorKind;
import org.gradwire.rpc.RpcException;
import org.gradwire.tensor.Tensor;
import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * A worker's part of a distributed backward pass: its graph task, and the gradients that it has
 * sent and that have no reply yet. It ends when both are done, or with the first error.
 *
 * <p>Every pass has an id, which travels with its gradients, so gradients of a failed pass are not
 * used in the next one. A message may arrive twice: its gradients count once, and each copy gets a
 * reply.
 */
final class BackwardPass implements BackwardPhase, GradientSender {
    private final ContextState context;
    private final long id;
    private final long opener;
    private final BackwardMode mode;
    private final GraphTask task;
    private final Executor executor;
    private final AtomicInteger open = new AtomicInteger(1); // the task, and each request in flight
    private final CompletableFuture<@Nullable Void> end = new CompletableFuture<>();
    private final AtomicInteger feeding = new AtomicInteger();
    private final Set<Long> taken = ConcurrentHashMap.newKeySet(); // ids of messages with gradients
    private volatile long lastActive;
    private volatile boolean isReported;

    /**
     * Create a pass.
     *
     * @param opener id of the message whose gradients make this worker take part; on the initiator,
     *     where there is none, the id of the pass, which no message has
     * @param executor runs the messages that arrive for the pass
     */
    BackwardPass(
            ContextState context,
            long id,
            long opener,
            BackwardMode mode,
            boolean retainGraph,
            List<? extends Node> starts,
            Executor executor) {
        this.context = context;
        this.id = id;
        this.opener = opener;
        this.mode = mode;
        this.executor = executor;
        this.lastActive = nanoTime();
        this.task = new GraphTask(starts, retainGraph, context);
        var _ =
                task.completion()
                        .whenComplete((_, failure) -> {
                            if (failure == null) {
                                closeOne();
                            } else {
                                end(BackwardFailures.cause(failure));
                            }
                        });
    }

    @Override
    public long id() {
        return id;
    }

    @Override
    public boolean isDiscovery() {
        return false;
    }

    @Override
    public Executor executor() {
        return executor;
    }

    BackwardMode mode() {
        return mode;
    }

    @Override
    public ContextKey context() {
        return context.key();
    }

    /**
     * {@return the time for which the pass has waited for gradients without activity here: no node
     * runs, and no request is in flight; 0 if it is active or awaits none}
     */
    long idleNanos() {
        boolean busy = feeding.get() > 0 || open.get() > 1;
        return busy || awaited().findAny().isEmpty() ? 0 : nanoTime() - lastActive;
    }

    private long nanoTime() {
        return context.worker().time().nanoTime();
    }

    /** {@return whether the pass was reported as stalled} */
    boolean isReported() {
        return isReported;
    }

    void setReported() {
        isReported = true;
    }

    @Override
    public boolean waitsFor(int worker) {
        return awaited().anyMatch(send -> send.destination() == worker);
    }

    /** {@return the send functions whose gradients have not arrived} */
    Stream<SendRpcBackward> awaited() {
        return task.unfed().stream()
                .filter(SendRpcBackward.class::isInstance)
                .map(SendRpcBackward.class::cast);
    }

    /**
     * Run an action at the end of the pass, immediately if it has ended; it gets the failure, or
     * null.
     */
    void whenEnded(Consumer<@Nullable RuntimeException> action) {
        BackwardFailures.whenDone(end, action);
    }

    /**
     * {@return whether the reply to a message reports the end of the pass here: true for each copy
     * of the opener, since the sender receives only one of the replies, and for any message after
     * the end}
     */
    boolean answersAtEnd(long messageId) {
        return messageId == opener || end.isDone();
    }

    /** Feed the gradients of a message into the pass, once for all its copies. */
    void take(long messageId, SendRpcBackward send, @Nullable Tensor[] gradients) {
        if (taken.add(messageId)) {
            feed(send, gradients);
        }
    }

    /** Feed a start node its gradients, whose memory the pass owns from now on. */
    void feed(Node start, @Nullable Tensor[] gradients) {
        feeding.incrementAndGet();
        try {
            ScopedValue.where(GradientSender.RUNNING, this)
                    .run(() -> task.feed(start, true, gradients));
        } finally {
            lastActive = nanoTime();
            feeding.decrementAndGet();
        }
    }

    @Override
    public void sendGradients(int to, long messageId, Tensor[] gradients) {
        open.incrementAndGet();
        GradientMessage.send(
                context,
                this,
                to,
                messageId,
                gradients,
                task.retainGraph(),
                failure -> {
                    if (failure == null) {
                        closeOne();
                    } else {
                        fail(explained(failure));
                    }
                });
    }

    /**
     * {@return the failure, with an explanation if it is a timeout in FAST mode, which waits for
     * all results}
     */
    private RuntimeException explained(RuntimeException failure) {
        if (mode != BackwardMode.FAST || !isTimeout(failure)) {
            return failure;
        }
        String explained =
                "%s; the pass runs in BackwardMode.FAST, in which the results of all calls must take part: if one is not used, run it with BackwardOptions.smart()"
                        .formatted(failure.getMessage());
        return new RpcException(RpcErrorKind.TIMEOUT, explained, failure);
    }

    private static boolean isTimeout(RuntimeException failure) {
        return failure instanceof RpcException e
                && e.kind() == RpcErrorKind.TIMEOUT
                && !String.valueOf(e.getMessage()).contains("BackwardMode.FAST");
    }

    @Override
    public void fail(RuntimeException failure) {
        task.fail(failure);
        end(failure);
    }

    private void closeOne() {
        lastActive = nanoTime();
        if (open.decrementAndGet() == 0) {
            end(null);
        }
    }

    private void end(@Nullable RuntimeException failure) {
        if (failure != null) {
            context.leaveMemory();
        }
        context.passes().ended(this);
        if (failure == null) {
            end.complete(null);
        } else {
            end.completeExceptionally(failure);
        }
    }
}
