package org.gradwire.autograd;

import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.access.TensorAccess;
import org.jspecify.annotations.Nullable;

/**
 * The node that accumulates the gradient of a leaf, at the end of a backward graph. Each leaf holds
 * exactly one, which all graphs that end in the leaf share.
 */
public final class AccumulateGrad extends Node {
    private static final @Nullable Tensor[] NOTHING = {};
    private static final @Nullable Edge[] NO_EDGES = {};

    private final Tensor variable;

    /** The edge to this node, shared by all graphs. */
    private final Edge edge = new Edge(this, 0);

    private volatile @Nullable HookList<PostAccumulateHook> hooks;

    /** Hook that runs after the gradient of a leaf was accumulated. */
    @FunctionalInterface
    public interface PostAccumulateHook {

        /**
         * Use or change the accumulated gradient, which {@link GraphTask#gradient} returns.
         *
         * @param leaf whose gradient it is
         * @param task the pass, which runs this hook
         */
        void accept(Tensor leaf, GraphTask task);
    }

    private AccumulateGrad(Tensor variable) {
        super(NO_EDGES, null);
        this.variable = variable;
        addInput(variable);
    }

    /**
     * Return the node of a leaf.
     *
     * @throws IllegalArgumentException when the tensor is not a leaf that requires a gradient
     */
    public static AccumulateGrad of(Tensor leaf) {
        if (!leaf.requiresGrad() || leaf.gradFn() != null) {
            throw new IllegalArgumentException(
                    "only a leaf that requires grad accumulates a gradient: "
                            + TensorAccess.describe(leaf));
        }
        return TensorAccess.accumulator(leaf, AccumulateGrad::new);
    }

    Edge edge() {
        return edge;
    }

    /** {@return the leaf} */
    public Tensor variable() {
        return variable;
    }

    /**
     * Register a hook that runs once in each pass that reaches the leaf, after its gradient was
     * accumulated. Hooks run in the order they were added, on the thread that runs the pass. After
     * PyTorch's {@code register_post_accumulate_grad_hook}.
     */
    public synchronized HookHandle addPostAccumulateHook(PostAccumulateHook hook) {
        HookList<PostAccumulateHook> all = hooks;
        if (all == null) {
            all = new HookList<>();
            hooks = all;
        }
        return all.add(hook);
    }

    void runPostAccumulateHooks(GraphTask task) {
        HookList<PostAccumulateHook> all = hooks;
        if (all != null && variable.requiresGrad()) {
            all.forEach(hook -> hook.accept(variable, task));
        }
    }

    /** Adapt to the leaf's new type or device. Hooks stay. */
    void variableChanged() {
        inputChanged(0, variable);
    }

    @Override
    public String name() {
        return "torch::autograd::AccumulateGrad";
    }

    /** Does nothing: the {@link GraphTask} hands the gradient to its accumulator. */
    @Override
    protected @Nullable Tensor[] apply(@Nullable Tensor[] gradients) {
        return NOTHING;
    }
}
