package org.gradwire.autograd.distributed;

import org.gradwire.autograd.Node;
import org.gradwire.profiler.Profiler;
import org.gradwire.profiler.Scope;
import org.gradwire.rpc.RRef;
import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.TypeMismatchException;
import org.gradwire.tensor.Tensor;
import org.jspecify.annotations.Nullable;

import java.lang.ScopedValue.CallableOp;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The autograd context of distributed backward passes, as one worker sees it: its recorded messages
 * with tensors, and the gradients that passes accumulated on it.
 *
 * <p>{@link DistAutograd#context} opens a context on one worker, for the calling thread. Functions
 * called from that thread run in the context too, so every worker that its calls reach takes part.
 * {@link #close()} releases it everywhere.
 *
 * <p><b>Threads.</b> All methods may be called from any thread. Passes of different contexts run
 * concurrently; a context runs one pass at a time.
 */
public final class AutogradContext implements AutoCloseable {
    private final AutogradExtension autograd;
    private final ContextState state;

    AutogradContext(AutogradExtension autograd, ContextState state) {
        this.autograd = autograd;
        this.state = state;
    }

    /**
     * {@return the id, unique in the group; its upper 16 bits are the id of the worker that opened
     * the context}
     */
    public long id() {
        return state.id();
    }

    ContextState state() {
        return state;
    }

    /**
     * Compute gradients as {@link #backward(BackwardOptions, Tensor...)} with {@link
     * BackwardOptions#fast}.
     */
    public void backward(Tensor... roots) {
        backward(BackwardOptions.fast(), roots);
    }

    /**
     * Compute the gradients of the sum of the roots with respect to all leaves on which they
     * depend, on all workers, and add them to the gradients of this context there. {@link
     * Tensor#grad()} is neither read nor written.
     *
     * {@snippet :
     * context.backward(BackwardOptions.smart().retainGraph(), first, second);
     * }
     *
     * @param roots at least one; each requires a gradient, has one element and is the result of an
     *     operator
     * @throws RpcException if there is no root, a root is unsuitable, or the pass fails on any
     *     worker; {@code Error on Node <id>:} names the worker. The context can be used again.
     */
    public void backward(BackwardOptions options, Tensor... roots) {
        if (roots == null) {
            throw new TypeMismatchException(
                    "the roots of a backward pass must be tensors, but the array is null");
        }
        try (Scope _ = Profiler.scope("torch::distributed::autograd::backward")) {
            check(roots);
            autograd.engine().run(state, options.mode(), List.of(roots), options.retainsGraph());
        }
    }

    /**
     * Run a backward pass from a value that another worker may own, on its owner, and wait for the
     * end.
     *
     * {@snippet :
     * RRef<Tensor> loss = rpc.remote("worker1", Model::loss, x);
     * context.backward(BackwardOptions.fast(), loss);
     * }
     *
     * @param root reference to a value that a call within this context has created
     * @throws RuntimeException as {@link #backward(BackwardOptions, Tensor...)}; also if this
     *     context was closed, or the value is not a tensor
     */
    public void backward(BackwardOptions options, RRef<Tensor> root) {
        boolean retainsGraph = options.retainsGraph();
        run(() -> {
            switch (options.mode()) {
                case FAST -> root.runSync(AutogradOps::rrefBackward, id(), retainsGraph);
                case SMART -> root.runSync(AutogradOps::smartRrefBackward, id(), retainsGraph);
            }
        });
    }

    /**
     * Run an action in this context, then restore the thread's previous context if it is still
     * open. The action's calls are recorded in this context, and the functions that they call may
     * look it up by its id. Exceptions of the action are propagated.
     *
     * @throws RpcException if this context was closed
     */
    public void run(Runnable action) {
        ContextState before = enter();
        try {
            action.run();
        } finally {
            leave(before);
        }
    }

    /**
     * Run an operation in this context as {@link #run} does, and return its result. Other threads
     * make calls in the context this way:
     *
     * {@snippet :
     * try (var context = DistAutograd.context(rpc);
     *         var threads = Executors.newVirtualThreadPerTaskExecutor()) {
     *     Future<Tensor> left =
     *             threads.submit(() -> context.call(() -> rpc.rpcSync("worker1", Ops::mul, w, x)));
     *     Future<Tensor> right =
     *             threads.submit(() -> context.call(() -> rpc.rpcSync("worker2", Ops::mul, w, y)));
     *     context.backward(left.get().add(right.get()).sum());
     * }
     * }
     *
     * @throws X the exception of the operation
     * @throws RpcException if this context was closed
     */
    public <R extends @Nullable Object, X extends Throwable> R call(
            CallableOp<? extends R, X> operation) throws X {
        ContextState before = enter();
        try {
            return operation.call();
        } finally {
            leave(before);
        }
    }

    /** Enter this context and return the thread's previous one, null for none. */
    private @Nullable ContextState enter() {
        ContextContainer contexts = autograd.contexts();
        return contexts.enter(contexts.lookup(state.key()));
    }

    private void leave(@Nullable ContextState before) {
        ContextContainer contexts = autograd.contexts();
        boolean isOpen = before != null && contexts.isOpen(before.key());
        contexts.enter(isOpen ? before : null);
    }

    private static void check(Tensor... roots) {
        if (roots.length == 0) {
            throw new RpcException("No tensors provided for gradient computation");
        }
        for (Tensor root : roots) {
            if (!root.requiresGrad()) {
                throw new RpcException(
                        "a root of a backward pass must require a gradient, unlike " + root);
            }
            if (root.numel() != 1) {
                throw new RpcException(
                        "%s is not a scalar, all roots need to be scalar".formatted(root));
            }
            if (root.gradFn() == null) {
                throw new RpcException(
                        "%s does not have a valid gradient function".formatted(root));
            }
        }
    }

    /** {@return a copy of the gradients so far, by leaf; tensors are equal by identity only} */
    public Map<Tensor, Tensor> gradients() {
        return state.gradients();
    }

    /** {@return the send functions of this worker, in ascending order of message id} */
    public List<Node> sendFunctions() {
        return state.sendFunctions();
    }

    /** {@return the receive functions of this worker, in ascending order of message id} */
    public List<Node> recvFunctions() {
        return state.recvFunctions();
    }

    /** {@return the ids of the workers to which this one has sent recorded messages} */
    public Set<Integer> knownWorkerIds() {
        return state.knownWorkers();
    }

    /**
     * Release the context on this worker and, by messages with retries, on all others that it has
     * reached. Does not wait for them. Further calls do nothing.
     */
    @Override
    public void close() {
        ContextCleanup.release(autograd.contexts(), state);
    }

    /** {@return whether the other object is the same context on the same worker} */
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof AutogradContext that && state.equals(that.state);
    }

    @Override
    public int hashCode() {
        return state.hashCode();
    }
}
