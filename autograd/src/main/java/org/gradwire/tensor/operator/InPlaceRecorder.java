package org.gradwire.tensor.operator;

import org.gradwire.autograd.Edge;
import org.gradwire.autograd.GradMode;
import org.gradwire.autograd.Node;
import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.access.AutogradAccess;
import org.gradwire.tensor.access.TensorAccess;
import org.gradwire.tensor.rule.Elementwise;
import org.gradwire.tensor.rule.InPlace;
import org.gradwire.tensor.storage.DevicePlacement;
import org.gradwire.tensor.storage.MemoryOverlap;
import org.gradwire.tensor.storage.Storage;
import org.gradwire.tensor.storage.TensorGeometry;
import org.gradwire.tensor.storage.ThreadState;
import org.jspecify.annotations.Nullable;

import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Records in-place operations. The out-of-place operator computes the elements, which are copied;
 * its history becomes that of the changed tensor and, through {@link ViewMeta}, of all views of the
 * same memory.
 */
public final class InPlaceRecorder {

    private InPlaceRecorder() {}

    /** {@return whether a gradient flows through a tensor after it is changed} */
    public static boolean isWanted(Tensor target) {
        return GradMode.enabled() && flowsThrough(target);
    }

    private static boolean flowsThrough(Tensor target) {
        ViewMeta of = TensorAccess.viewOf(target);
        return target.requiresGrad() || (of != null && of.base().requiresGrad());
    }

    /** {@return whether a gradient flows through a tensor after it is changed by others} */
    public static boolean isWanted(Tensor target, Tensor... operands) {
        if (!GradMode.enabled() || !target.dtype().isFloating()) {
            return false;
        }
        boolean any = flowsThrough(target);
        for (Tensor operand : operands) {
            any |= operand.requiresGrad();
        }
        return any;
    }

    /**
     * Change a tensor to the result of an operator.
     *
     * @param operator receives the tensor before the change, and the operands
     * @return the tensor
     * @throws IllegalStateException when a leaf that requires a gradient would be changed
     * @throws IllegalArgumentException when the result does not fit, or elements share memory
     */
    public static Tensor by(
            Function<Tensor[], Tensor> operator, Tensor target, Tensor... operands) {
        requireChangeable(target);
        MemoryOverlap.check(target, operands);
        var inputs = new Tensor[operands.length + 1];
        inputs[0] = before(target);
        for (int i = 0; i < operands.length; i++) {
            boolean changes =
                    TensorAccess.storage(operands[i]).equals(TensorAccess.storage(target));
            inputs[i + 1] = changes ? operands[i].copy() : operands[i];
        }
        Tensor result = applied(operator, inputs);
        InPlace.requireFit(target, result.dtype(), result);
        Tensor values = result.to(target.dtype());
        Elementwise.copyInto(target, values.detach());
        Node made = values.gradFn();
        if (made == null) {
            throw new AssertionError(
                    "an operator without a gradient: " + TensorAccess.describe(target));
        }
        giveHistory(target, made, values.outputIndex());
        return target;
    }

    /** Compute, and copy the tensor's saved elements to separate memory. */
    private static Tensor applied(Function<Tensor[], Tensor> operator, Tensor[] inputs) {
        Storage storage = TensorAccess.storage(inputs[0]);
        boolean shared = storage.isShared();
        storage.shared(false);
        try {
            Tensor result = ThreadState.current().withoutAutocast(() -> operator.apply(inputs));
            if (storage.isShared()) {
                TensorAccess.moveToOwnMemory(inputs[0]);
            }
            return result;
        } finally {
            storage.shared(shared);
        }
    }

    /** Copy the elements of a tensor that broadcasts, converted, from any device. */
    public static Tensor copy(Tensor target, Tensor source) {
        requireChangeable(target);
        Edge values = source.requiresGrad() ? Edge.of(source) : null;
        return replaced(target, "CopyBackwards", values, to -> InPlace.copyFrom(to, source));
    }

    /** Replace all elements by ones that have no gradient. */
    public static Tensor replace(Tensor target, String name, Consumer<Tensor> change) {
        requireChangeable(target);
        return replaced(target, name, null, change);
    }

    private static Tensor replaced(
            Tensor target, String name, @Nullable Edge values, Consumer<Tensor> change) {
        // A view's previous elements are part of its base, for which CopySlices returns zeros.
        boolean isBase = TensorAccess.viewOf(target) == null;
        Edge before = isBase && target.requiresGrad() ? Edge.of(target) : null;
        Node node = AutogradAccess.newReplacedNode(name, before, values);
        Tensor changed = DevicePlacement.change(target, change);
        giveHistory(changed, node, AutogradAccess.addInput(node, changed));
        return changed;
    }

    /**
     * Require that changes of a tensor can be recorded.
     *
     * @throws IllegalStateException when it is, or is a view of, a leaf that requires a gradient
     */
    private static void requireChangeable(Tensor target) {
        if (target.isLeaf() && target.requiresGrad()) {
            throw new IllegalStateException(
                    "a leaf that requires a gradient is changed in place; change it under GradMode.noGrad()");
        }
        if (target.isSparse()) {
            throw new IllegalStateException(
                    "in-place operations on sparse tensors are not recorded; use the operator that returns a new tensor, or do it under GradMode.noGrad()");
        }
        ViewMeta of = TensorAccess.viewOf(target);
        if (of != null) {
            of.requireChangeable();
            requireApart(target);
            requireApart(of.base());
        }
    }

    private static void requireApart(Tensor tensor) {
        if (TensorGeometry.of(tensor).mayOverlap()) {
            throw MemoryOverlap.writtenTwice(tensor);
        }
    }

    private static Tensor before(Tensor target) {
        Tensor before = target.detach();
        Node made = target.gradFn();
        if (made != null) {
            TensorAccess.setHistory(before, made, target.outputIndex());
        }
        return before;
    }

    private static void giveHistory(Tensor target, Node node, int index) {
        ViewMeta of = TensorAccess.viewOf(target);
        if (of == null) {
            TensorAccess.rebase(target, node, index);
            TensorAccess.storage(target).newHistory();
            return;
        }
        Tensor base = of.base();
        Edge before = base.requiresGrad() ? Edge.of(base) : null;
        Node slices = AutogradAccess.newCopySlicesNode(base, target, before, new Edge(node, index));
        TensorAccess.rebase(base, slices, AutogradAccess.addInput(slices, base));
        TensorAccess.storage(target).newHistory(); // the target's own history is updated on access
    }
}
