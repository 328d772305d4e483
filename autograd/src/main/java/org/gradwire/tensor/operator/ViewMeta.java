package org.gradwire.tensor.operator;

import org.gradwire.autograd.AutogradFunction;
import org.gradwire.autograd.GradMode;
import org.gradwire.autograd.Node;
import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.access.AutogradAccess;
import org.gradwire.tensor.access.TensorAccess;
import org.gradwire.tensor.storage.Storage;

/**
 * View metadata: the base of a view, as PyTorch's {@code DifferentiableViewMeta}. A recorded
 * in-place operation on either replaces the history of the {@linkplain #base base}, from which its
 * views derive theirs.
 */
public final class ViewMeta {
    private static final String CHANGED = "%s is changed in place where changes are recorded; %s";

    /** Origin of a view. */
    enum Origin {
        /** Made by an operator while recording was enabled. */
        OPERATOR,

        /**
         * Made under {@link GradMode#noGrad}: no gradient flows through it, even if the base gets
         * one.
         */
        NO_GRAD,

        /** Made by an {@link AutogradFunction}, whose backward rule alone defines the gradient. */
        FUNCTION
    }

    private final Tensor base;
    private final Storage storage;
    private final Origin origin;
    private volatile int history;

    private ViewMeta(Tensor base, Origin origin) {
        this.base = base;
        this.storage = TensorAccess.storage(base);
        this.origin = origin;
        this.history = storage.histories();
    }

    /** Mark a result as a view of an operand. */
    static void mark(Tensor result, Tensor operand, Origin origin) {
        Storage storage = TensorAccess.storage(operand);
        if (result != operand
                && TensorAccess.viewOf(result) == null
                && TensorAccess.storage(result).equals(storage)) {
            ViewMeta between = TensorAccess.viewOf(operand);
            TensorAccess.viewOf(
                    result,
                    between == null
                            ? new ViewMeta(operand, origin)
                            : new ViewMeta(between.base, between.combined(origin)));
        }
    }

    /** Mark a function's result as a view of another tensor, if they share memory. */
    public static void markShared(Tensor result, Tensor... others) {
        for (Tensor other : others) {
            if (TensorAccess.storage(result).equals(TensorAccess.storage(other))) {
                mark(result, other, Origin.FUNCTION);
            }
        }
    }

    private Origin combined(Origin later) {
        return origin == Origin.OPERATOR ? later : origin;
    }

    /** {@return the tensor that is not a view itself} */
    Tensor base() {
        return base;
    }

    /** {@return whether the base still has the memory of its views} */
    public boolean holds() {
        return TensorAccess.storage(base).equals(storage);
    }

    /**
     * Derive a view's history from the base, if the base's has changed.
     *
     * @throws IllegalStateException when only a custom function defines the view's gradient
     */
    public void refresh(Tensor view) {
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
                    "a result of an AutogradFunction shares the memory of its input, or of another result, which was changed in place; return a copy() from the function");
        }
        if (base.requiresGrad()) {
            Node node = AutogradAccess.newAsStridedNode(base, view);
            TensorAccess.rebase(view, node, AutogradAccess.addInput(node, view));
        } else {
            TensorAccess.rebase(view, null, 0);
        }
        history = now; // last, since it publishes the history of the view too
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
                    "a view of a leaf that requires a gradient is changed in place; change it under GradMode.noGrad()");
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
                            "a result of an AutogradFunction that shares the memory of its input",
                            "change a copy() of it"));
        }
    }
}
