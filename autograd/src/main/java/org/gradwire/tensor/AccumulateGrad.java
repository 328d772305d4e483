package org.gradwire.tensor;

import org.jspecify.annotations.Nullable;

/**
 * The end of a backward graph: receives the gradient of a leaf. A leaf has exactly one, which it
 * holds, however many graphs end in it.
 */
public final class AccumulateGrad extends Node {
    private static final @Nullable Tensor[] NOTHING = {};
    private static final @Nullable Edge[] NO_EDGES = {};

    private final Tensor variable;

    /** What leads here; one serves all that do. */
    private final Edge edge = new Edge(this, 0);

    private AccumulateGrad(Tensor variable) {
        super(NO_EDGES, null);
        this.variable = variable;
        addInput(variable);
    }

    /**
     * Return the one of a leaf.
     *
     * @throws IllegalArgumentException when the tensor is no leaf that requires a gradient
     */
    public static AccumulateGrad of(Tensor leaf) {
        if (!leaf.requiresGrad() || leaf.gradFn() != null) {
            throw new IllegalArgumentException(
                    "only a leaf that requires grad accumulates a gradient: " + leaf.describe());
        }
        return leaf.accumulator(AccumulateGrad::new);
    }

    Edge edge() {
        return edge;
    }

    /** {@return the leaf} */
    public Tensor variable() {
        return variable;
    }

    /** The leaf has another type, or is on another device. Hooks stay. */
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
