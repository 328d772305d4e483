package org.gradwire.autograd;

import org.gradwire.rpc.RpcErrorKind;
import org.gradwire.rpc.RpcException;
import org.gradwire.tensor.GraphRoot;
import org.gradwire.tensor.GraphTask;
import org.gradwire.tensor.Node;
import org.gradwire.tensor.Tensor;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * A worker's part of one distributed backward pass: its graph task, and the gradients it has sent
 * and not seen answered. It ends when both are done, or with the first error.
 *
 * <p>Every pass has an id, which travels with its gradients, so that what a failed pass left behind
 * is not taken for a part of the next one.
 */
final class BackwardPass {
    private static final String NODE_PREFIX = "Error on Node ";

    /** The pass whose nodes the thread is running. */
    private static final ScopedValue<BackwardPass> RUNNING = ScopedValue.newInstance();

    private final AutogradContext context;
    private final long id;
    private final GraphTask task;
    private final Executor executor;
    private final AtomicInteger open = new AtomicInteger(1); // the task, and each request under way
    private final CompletableFuture<@Nullable Void> end = new CompletableFuture<>();

    /**
     * Create a pass.
     *
     * @param executor runs what arrives for it
     */
    BackwardPass(
            AutogradContext context,
            long id,
            boolean retainGraph,
            List<? extends Node> starts,
            Executor executor) {
        this.context = context;
        this.id = id;
        this.executor = executor;
        this.task = new GraphTask(starts, retainGraph, context::accumulate);
        var _ =
                task.completion()
                        .whenComplete((_, failure) -> {
                            if (failure == null) {
                                closeOne();
                            } else {
                                end(cause(failure));
                            }
                        });
    }

    /** {@return the pass whose nodes the calling thread is running} */
    static BackwardPass running() {
        return RUNNING.get();
    }

    /** Run a pass from its roots and wait for its end. */
    static void run(AutogradContext context, List<Tensor> roots, boolean retainGraph) {
        ContextContainer container = context.container();
        var root = new GraphRoot(roots);
        var initiator = new PassInitiator(container.worker());
        BackwardPass pass =
                context.begin(container.newMessageId(), retainGraph, List.of(root), initiator);
        int self = container.worker().self().id();
        pass.whenEnded(failure -> initiator.end(failure == null ? null : prefixed(self, failure)));
        List<Tensor> ones = new ArrayList<>(roots.size());
        roots.forEach(tensor -> ones.add(Tensor.onesLike(tensor)));
        pass.feed(root, ones.toArray(Tensor[]::new));
        initiator.awaitEnd();
    }

    /** Say on which worker an error happened, unless it says so already. */
    private static RuntimeException prefixed(int self, RuntimeException failure) {
        String message = failure.getMessage();
        if (message != null && message.startsWith(NODE_PREFIX)) {
            return failure;
        }
        RpcErrorKind kind = failure instanceof RpcException e ? e.kind() : RpcErrorKind.UNKNOWN;
        return new RpcException(
                kind,
                NODE_PREFIX + self + ": " + (message == null ? failure.toString() : message),
                failure);
    }

    long id() {
        return id;
    }

    /** {@return runs what arrives for the pass} */
    Executor executor() {
        return executor;
    }

    /**
     * Say what is to be done at the end, which may be over already; it is given the failure, or
     * null.
     */
    void whenEnded(Consumer<@Nullable RuntimeException> action) {
        var _ =
                end.whenComplete(
                        (_, failure) -> action.accept(failure == null ? null : cause(failure)));
    }

    private static RuntimeException cause(Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null
                        ? failure.getCause()
                        : failure;
        return cause instanceof RuntimeException e
                ? e
                : new RpcException(RpcErrorKind.UNKNOWN, cause.toString(), cause);
    }

    /** Give a start of the pass its gradients, whose memory the pass owns from now on. */
    void feed(Node start, @Nullable Tensor[] gradients) {
        ScopedValue.where(RUNNING, this).run(() -> task.feed(start, true, gradients));
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
                        fail(failure);
                    }
                });
    }

    /** End the pass with an error that happened outside its task. */
    void fail(RuntimeException failure) {
        task.fail(failure);
        end(failure);
    }

    private void closeOne() {
        if (open.decrementAndGet() == 0) {
            end(null);
        }
    }

    private void end(@Nullable RuntimeException failure) {
        context.ended(this);
        if (failure == null) {
            end.complete(null);
        } else {
            end.completeExceptionally(failure);
        }
    }
}
