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
 * A worker's part of one distributed backward pass: its graph task, and the gradients it has sent
 * and not seen answered. It ends when both are done, or with the first error.
 *
 * <p>Every pass has an id, which travels with its gradients, so that what a failed pass left behind
 * is not taken for a part of the next one. A message may come twice: its gradients count once, and
 * its copies are answered alike.
 */
final class BackwardPass implements BackwardPhase, GradientSender {
    private final ContextState context;
    private final long id;
    private final long opener;
    private final BackwardMode mode;
    private final GraphTask task;
    private final Executor executor;
    private final AtomicInteger open = new AtomicInteger(1); // the task, and each request under way
    private final CompletableFuture<@Nullable Void> end = new CompletableFuture<>();
    private final AtomicInteger feeding = new AtomicInteger();
    private final Set<Long> taken = ConcurrentHashMap.newKeySet(); // messages whose gradients came
    private volatile long lastActive;
    private volatile boolean isReported;

    /**
     * Create a pass.
     *
     * @param opener the message whose gradients make this worker take part; on the initiator, where
     *     none does, the id of the pass, which is no message's
     * @param executor runs what arrives for it
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
        this.task = new GraphTask(starts, retainGraph, context::accumulate);
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
     * {@return for how long the pass has waited for gradients while nothing was going on here: no
     * node runs, and no request is under way}
     */
    long idleNanos() {
        boolean busy = feeding.get() > 0 || open.get() > 1;
        return busy || awaited().findAny().isEmpty() ? 0 : nanoTime() - lastActive;
    }

    private long nanoTime() {
        return context.worker().time().nanoTime();
    }

    /** {@return whether it was said that the pass is stalled} */
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

    /** {@return the messages whose gradients have not come} */
    Stream<SendRpcBackward> awaited() {
        return task.unfed().stream()
                .filter(SendRpcBackward.class::isInstance)
                .map(SendRpcBackward.class::cast);
    }

    /**
     * Say what is to be done at the end, which may be over already; it is given the failure, or
     * null.
     */
    void whenEnded(Consumer<@Nullable RuntimeException> action) {
        BackwardFailures.whenDone(end, action);
    }

    /**
     * {@return whether the answer to a message tells how the pass ended here: each copy of the one
     * that opened it is answered then, as only one answer is heard; so is what comes afterwards}
     */
    boolean answersAtEnd(long messageId) {
        return messageId == opener || end.isDone();
    }

    /** Take in the gradients that a message brings, unless it has come before. */
    void take(long messageId, SendRpcBackward send, @Nullable Tensor[] gradients) {
        if (taken.add(messageId)) {
            feed(send, gradients);
        }
    }

    /** Give a start of the pass its gradients, whose memory the pass owns from now on. */
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

    /** {@return a failure that says what a timeout means in a mode that waits for all results} */
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
