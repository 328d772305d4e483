package org.gradwire.autograd;

import org.gradwire.tensor.DType;
import org.gradwire.tensor.Device;
import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.access.AutogradAccess;
import org.gradwire.tensor.access.TensorAccess;
import org.gradwire.tensor.storage.ForwardCall;
import org.gradwire.tensor.storage.ThreadState;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;

/**
 * A function of the backward graph: computes the gradients of an operator's inputs from those of
 * its outputs.
 *
 * <p>Operators create their nodes, and so does an {@link AutogradFunction}, with which programs add
 * their own functions. A subclass outside this package (the two ends of a message) passes its edges
 * to the constructor, and calls {@link #attach} for each tensor whose gradient it is to receive.
 *
 * <p><b>Threads.</b> The graph is built by one thread; hooks may be added by any. A node may run in
 * several {@link GraphTask}s at a time. Nodes are compared by identity.
 */
public abstract class Node {
    private static final Edge[] NO_EDGES = {};
    private static final NodeInput[] NO_INPUTS = {};

    static {
        AutogradAccess.install(new AutogradMembers());
    }

    /** The destination of each output gradient; null where none is needed. */
    final @Nullable Edge[] edges;

    private final @Nullable ForwardCall forwardCall;

    /** Random: the JVM's identity hash takes 50 ns for an object that has none yet. */
    private final int hash = ThreadLocalRandom.current().nextInt();

    private NodeInput[] inputs = NO_INPUTS;
    private volatile @Nullable Hooks hooks;

    private static final class Hooks {
        final HookList<PreHook> pre = new HookList<>();
        final HookList<PostHook> post = new HookList<>();
    }

    /** Hook that runs before a node, on the gradients it will receive. */
    @FunctionalInterface
    public interface PreHook {
        /** Return the gradients to use, the same or others; null where none is defined. */
        @Nullable Tensor[] apply(@Nullable Tensor[] gradients);
    }

    /** Hook that runs after a node, on its outputs. */
    @FunctionalInterface
    public interface PostHook {
        /**
         * Observe a run of a node.
         *
         * @param outputs the gradients it returned; empty for {@link AccumulateGrad}
         * @param inputs the gradients it received
         */
        void accept(@Nullable Tensor[] outputs, @Nullable Tensor[] inputs);
    }

    /** Hook on the gradient of a tensor. */
    @FunctionalInterface
    public interface TensorHook {
        /** Return the gradient to use, the same or another. */
        Tensor apply(Tensor gradient);
    }

    /**
     * Create a node.
     *
     * @param nextEdges where the gradients that {@link #apply} returns go to, in order
     */
    protected Node(List<Edge> nextEdges) {
        this(nextEdges.toArray(NO_EDGES), ForwardCall.current(ThreadState.current()));
    }

    Node(@Nullable Edge[] edges, @Nullable ForwardCall forwardCall) {
        this.edges = edges;
        this.forwardCall = forwardCall;
    }

    @Override
    public final int hashCode() {
        return hash;
    }

    /** {@return whether the other is this very node} */
    @Override
    public final boolean equals(@Nullable Object other) {
        return this == other;
    }

    /** {@return the forward call of this node, if it was recorded} */
    final @Nullable ForwardCall forwardCall() {
        return forwardCall;
    }

    /**
     * {@return the program's innermost frame in the forward call of this node; known when it was
     * made in {@link AnomalyMode}}
     */
    public final Optional<StackTraceElement> forwardSite() {
        return Optional.ofNullable(forwardCall == null ? null : forwardCall.site());
    }

    /** {@return the name, such as {@code AddBackward0}} */
    public abstract String name();

    /**
     * Compute the gradients of the operator's inputs. Recording is off. Must not change the
     * gradients given, and may return them.
     *
     * @param gradients one for each {@linkplain #attach attached} tensor; null stands for zero
     * @return one for each edge; null stands for zero. They are summed to the shape and cast to the
     *     type of where they go
     */
    protected abstract @Nullable Tensor[] apply(@Nullable Tensor[] gradients);

    /** Release the saved tensors. Called after a run of a pass that does not retain the graph. */
    protected void releaseSaved() {}

    /**
     * {@return whether another worker waits for this node, so that it runs before other ready
     * nodes}
     */
    protected boolean isAwaited() {
        return false;
    }

    /**
     * {@return whether the memory of the gradients passed to {@link #apply} is unused after it has
     * returned, except by the gradients that it returned}
     */
    protected boolean isDoneWithGradients() {
        return false;
    }

    /**
     * {@return the destinations of this node's output gradients; inputs that require none have no
     * edge}
     */
    public final List<Edge> nextEdges() {
        List<Edge> defined = new ArrayList<>(edges.length);
        for (Edge edge : edges) {
            if (edge != null) {
                defined.add(edge);
            }
        }
        return defined;
    }

    /**
     * Attach a tensor whose gradient this node receives: this becomes its {@link Tensor#gradFn}.
     *
     * @param tensor a new tensor that is not used elsewhere yet
     * @return the index of its gradient among those that {@link #apply} is given
     */
    public final int attach(Tensor tensor) {
        if (tensor.gradFn() != null) {
            throw new IllegalArgumentException(
                    "the tensor is the result of %s already; attach an alias of it (detach)"
                            .formatted(tensor.gradFn().name()));
        }
        int index = addInput(tensor);
        TensorAccess.setHistory(tensor, this, index);
        return index;
    }

    final int addInput(Tensor tensor) {
        int index = inputs.length;
        inputs = Arrays.copyOf(inputs, index + 1);
        inputs[index] = new NodeInput(tensor);
        return index;
    }

    final void inputChanged(int index, Tensor tensor) {
        inputs[index].changed(tensor);
    }

    /** {@return the number of gradients that this node receives} */
    public final int inputs() {
        return inputs.length;
    }

    /**
     * {@return the gradient that replaces an undefined one: zeros of the attached tensor's shape,
     * type and layout, on its device}
     */
    public final Tensor zeroGradient(int index) {
        return inputs[index].zeros();
    }

    /** {@return whether the gradient of an input must be sparse} */
    final boolean inputSparse(int index) {
        return inputs[index].isSparse();
    }

    final int[] inputShape(int index) {
        return inputs[index].shape;
    }

    final DType inputDtype(int index) {
        return inputs[index].dtype;
    }

    final Device inputDevice(int index) {
        return inputs[index].device;
    }

    /**
     * Register a hook that sees, and may replace, the gradients before this node runs. Hooks run in
     * the order they were added.
     */
    public final HookHandle addPreHook(PreHook hook) {
        return hooks().pre.add(hook);
    }

    /** Register a hook that runs after this node. Hooks run in the order they were added. */
    public final HookHandle addPostHook(PostHook hook) {
        return hooks().post.add(hook);
    }

    final HookHandle addTensorHook(int index, TensorHook hook) {
        return inputs[index].add(hook);
    }

    /** Set the tensor whose {@code grad} accumulates its gradient; null to stop. */
    final void retainGrad(int index, @Nullable Tensor tensor) {
        inputs[index].retain(tensor);
    }

    final boolean retainsGrad(int index) {
        return inputs[index].isRetained();
    }

    private synchronized Hooks hooks() {
        Hooks all = hooks;
        if (all == null) {
            all = new Hooks();
            hooks = all;
        }
        return all;
    }

    /** {@return whether any hook runs before the node} */
    final boolean watched() {
        Hooks own = hooks;
        if (own != null && !own.pre.isEmpty()) {
            return true;
        }
        for (NodeInput input : inputs) {
            if (input.watched()) {
                return true;
            }
        }
        return false;
    }

    /**
     * Run the hooks of the node, then those of the tensors with a gradient.
     *
     * @param runs whether the node will run; if not, only those of the tensors do
     */
    final @Nullable Tensor[] runHooks(@Nullable Tensor[] gradients, boolean runs) {
        @Nullable Tensor[] current = gradients;
        Hooks own = hooks;
        if (own != null && runs) {
            for (PreHook hook : own.pre) {
                current = checkedCount(hook.apply(current), gradients.length);
            }
        }
        for (int i = 0; i < current.length && i < inputs.length; i++) {
            Tensor gradient = current[i];
            if (gradient != null) {
                current[i] = inputs[i].run(this, gradient);
            }
        }
        return current;
    }

    private @Nullable Tensor[] checkedCount(@Nullable Tensor[] hooked, int count) {
        if (hooked.length != count) {
            throw new IllegalStateException(
                    "a pre-hook of %s returned an incorrect number of gradients (expected %d, got %d)"
                            .formatted(name(), count, hooked.length));
        }
        for (int i = 0; i < count && i < inputs.length; i++) {
            Tensor gradient = hooked[i];
            if (gradient != null) {
                inputs[i].checked(this, gradient);
            }
        }
        return hooked.clone(); // the hook may keep its array
    }

    /** {@return whether any hook runs after the node} */
    final boolean watchedAfterwards() {
        Hooks own = hooks;
        return own != null && !own.post.isEmpty();
    }

    /** Run the hooks that run after the node. */
    final void runPostHooks(@Nullable Tensor[] outputs, @Nullable Tensor[] gradients) {
        Hooks own = hooks;
        if (own != null) {
            for (PostHook hook : own.post) {
                hook.accept(outputs, gradients);
            }
        }
    }

    /** {@return the name in angle brackets, as PyTorch prints it} */
    @Override
    public String toString() {
        return "<" + name() + ">";
    }
}
