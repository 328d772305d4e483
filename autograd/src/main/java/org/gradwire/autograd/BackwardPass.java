package org.gradwire.autograd;

import org.gradwire.rpc.RpcErrorKind;
import org.gradwire.rpc.RpcException;
import org.gradwire.spi.Worker;
import org.gradwire.tensor.GraphRoot;
import org.gradwire.tensor.GraphTask;
import org.gradwire.tensor.Node;
import org.gradwire.tensor.Tensor;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
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
final class BackwardPass implements PassPart {

    /** The pass whose nodes the thread is running. */
    private static final ScopedValue<BackwardPass> RUNNING = ScopedValue.newInstance();

    private final AutogradContext context;
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
            AutogradContext context,
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
                                end(Failures.cause(failure));
                            }
                        });
    }

    /** {@return the pass whose nodes the calling thread is running} */
    static BackwardPass running() {
        return RUNNING.get();
    }

    /** Run a pass from its roots and wait for its end. */
    static void run(
            AutogradContext context, BackwardMode mode, List<Tensor> roots, boolean retainGraph) {
        Worker worker = context.container().worker();
        var root = new GraphRoot(roots);
        long id = context.container().newMessageId();
        var initiator = new PassInitiator(worker);
        BackwardPass pass =
                switch (mode) {
                    case FAST -> context.passes().begin(id, retainGraph, root, initiator);
                    case SMART ->
                            context.passes()
                                    .begin(
                                            Discovery.run(context, id, root),
                                            retainGraph,
                                            root,
                                            initiator);
                };
        pass.whenEnded(failure -> initiator.end(Failures.named(worker, failure)));
        List<Tensor> ones = new ArrayList<>(roots.size());
        roots.forEach(tensor -> ones.add(Tensor.onesLike(tensor)));
        pass.feed(root, ones.toArray(Tensor[]::new));
        initiator.awaitEnd();
    }

    @Override
    public long id() {
        return id;
    }

    @Override
    public Executor executor() {
        return executor;
    }

    BackwardMode mode() {
        return mode;
    }

    ContextKey context() {
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
        return context.container().worker().time().nanoTime();
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
        Failures.whenDone(end, action);
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
    private void feed(Node start, @Nullable Tensor[] gradients) {
        feeding.incrementAndGet();
        try {
            ScopedValue.where(RUNNING, this).run(() -> task.feed(start, true, gradients));
        } finally {
            lastActive = nanoTime();
            feeding.decrementAndGet();
        }
    }

    /** Send gradients to the worker that a message with tensors came from. */
    void sendGradients(int to, long messageId, Tensor[] gradients) {
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
                "%s; the pass runs in BackwardMode.FAST, in which the results of all calls must take part: if one is not used, run it in BackwardMode.SMART"
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
