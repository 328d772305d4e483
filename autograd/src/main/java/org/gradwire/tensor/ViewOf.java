package org.gradwire.tensor;

/**
 * Which tensor another is a view of. A recorded in-place operation on either gives the {@linkplain
 * #base base} another history, and its views look for theirs there.
 */
final class ViewOf {
    private static final String CHANGED = "%s is being modified inplace where that is recorded; %s";

    /** How a view was made. */
    enum Origin {
        /** By an operator that was, or would have been, recorded. */
        OPERATOR,

        /** Under {@link GradMode#noGrad}: no gradient flows through it, whatever the base gets. */
        NO_GRAD,

        /** By an {@link AutogradFunction}, whose backward rule alone knows the gradient. */
        FUNCTION
    }

    private final Tensor base;
    private final Storage storage;
    private final Origin origin;
    private volatile int history;

    private ViewOf(Tensor base, Origin origin) {
        this.base = base;
        this.storage = base.storage();
        this.origin = origin;
        this.history = storage.histories();
    }

    /** Remember of a result that it lies in the memory of an operand. */
    static void mark(Tensor result, Tensor operand, Origin origin) {
        Storage storage = operand.storage();
        if (result != operand && result.viewOf() == null && result.storage() == storage) {
            ViewOf between = operand.viewOf();
            result.viewOf(
                    between == null
                            ? new ViewOf(operand, origin)
                            : new ViewOf(between.base, between.combined(origin)));
        }
    }

    /** Remember of a function's result that it lies in the memory of another tensor, if it does. */
    static void markShared(Tensor result, Tensor... others) {
        for (Tensor other : others) {
            if (result.storage() == other.storage()) {
                mark(result, other, Origin.FUNCTION);
            }
        }
    }

    private Origin combined(Origin later) {
        return origin == Origin.OPERATOR ? later : origin;
    }

    /** {@return the tensor that is no view itself} */
    Tensor base() {
        return base;
    }

    /** {@return whether the base still has the memory of its views} */
    boolean holds() {
        return base.storage() == storage;
    }

    /**
     * Give a view its part of the history of the base, if that has another one than it had.
     *
     * @throws IllegalStateException when only a function of the program knows the view's gradient
     */
    void refresh(Tensor view) {
        if (history != storage.histories() && origin != Origin.NO_GRAD && holds()) {
            refreshOnce(view);
        }
    }

    private synchronized void refreshOnce(Tensor view) {
        int now = storage.histories();
        if (history == now) {
            return;
        }
        if (origin == Origin.FUNCTION) {
            throw new IllegalStateException(
                    "a result of an AutogradFunction lies in the memory of its input, or of another result, which was modified inplace; return a copy() from the function");
        }
        if (base.requiresGrad()) {
            var node = new AsStridedNode(base, view);
            view.rebase(node, node.addInput(view));
        } else {
            view.rebase(null, 0);
        }
        history = now; // last: who sees it sees the history of the view too
    }

    /**
     * Require that changes of a view can be recorded.
     *
     * @throws IllegalStateException when the base is a leaf that requires a gradient, or it is not
     *     known how gradients flow between base and view
     */
    void requireChangeable() {
        if (base.isLeaf() && base.requiresGrad()) {
            throw new IllegalStateException(
                    "a view of a leaf Variable that requires grad is being used in an in-place operation; do it under GradMode.noGrad()");
        }
        if (origin == Origin.NO_GRAD) {
            throw new IllegalStateException(
                    CHANGED.formatted(
                            "a view that was made under GradMode.noGrad()",
                            "make the view, and change it, either both there or both outside"));
        }
        if (origin == Origin.FUNCTION) {
            throw new IllegalStateException(
                    CHANGED.formatted(
                            "a result of an AutogradFunction that lies in the memory of its input",
                            "change a copy() of it"));
        }
    }
}
