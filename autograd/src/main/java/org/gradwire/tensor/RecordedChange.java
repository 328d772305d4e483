package org.gradwire.tensor;

import org.jspecify.annotations.Nullable;

import java.util.function.Consumer;
import java.util.function.Function;

/**
 * In-place operations that are recorded. The operator that gives a new tensor computes the
 * elements, which are copied; its history becomes that of the changed tensor and, through {@link
 * ViewOf}, of all views of the same memory.
 */
final class RecordedChange {

    private RecordedChange() {}

    /** {@return whether a gradient flows through a tensor after it is changed} */
    static boolean isWanted(Tensor target) {
        return GradMode.enabled() && flowsThrough(target);
    }

    private static boolean flowsThrough(Tensor target) {
        ViewOf of = target.viewOf();
        return target.requiresGrad() || (of != null && of.base().requiresGrad());
    }

    /** {@return whether a gradient flows through a tensor after it is changed by others} */
    static boolean isWanted(Tensor target, Tensor... operands) {
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
     * Change a tensor to what an operator gives.
     *
     * @param operator is given the tensor as it was, and the operands
     * @return the tensor
     * @throws IllegalStateException when a leaf that requires a gradient would be changed
     * @throws IllegalArgumentException when the result does not fit, or elements share memory
     */
    static Tensor by(Function<Tensor[], Tensor> operator, Tensor target, Tensor... operands) {
        requireChangeable(target);
        Overlaps.check(target, operands);
        var inputs = new Tensor[operands.length + 1];
        inputs[0] = before(target);
        for (int i = 0; i < operands.length; i++) {
            boolean changes = operands[i].storage() == target.storage();
            inputs[i + 1] = changes ? operands[i].copy() : operands[i];
        }
        Tensor result = applied(operator, inputs);
        InPlace.requireFit(target, result.dtype(), result);
        Tensor values = result.to(target.dtype());
        Elementwise.copyInto(target, values.detach());
        Node made = values.gradFn();
        if (made == null) {
            throw new AssertionError("an operator without a gradient: " + target.describe());
        }
        giveHistory(target, made, values.outputIndex());
        return target;
    }

    /** Compute, and have what the graph keeps of the tensor as it was keep memory of its own. */
    private static Tensor applied(Function<Tensor[], Tensor> operator, Tensor[] inputs) {
        Storage storage = inputs[0].storage();
        boolean shared = storage.isShared();
        storage.shared(false);
        try {
            Tensor result = operator.apply(inputs);
            if (storage.isShared()) {
                inputs[0].moveToOwnMemory();
            }
            return result;
        } finally {
            storage.shared(shared);
        }
    }

    /** Copy the elements of a tensor that broadcasts, converted, from any device. */
    static Tensor copy(Tensor target, Tensor source) {
        requireChangeable(target);
        Edge values = source.requiresGrad() ? Edge.of(source) : null;
        return replaced(target, "CopyBackwards", values, to -> InPlace.copyFrom(to, source));
    }

    /** Replace all elements by ones that have no gradient. */
    static Tensor replace(Tensor target, String name, Consumer<Tensor> change) {
        requireChangeable(target);
        return replaced(target, name, null, change);
    }

    private static Tensor replaced(
            Tensor target, String name, @Nullable Edge values, Consumer<Tensor> change) {
        // What a view was before is a part of its base, which CopySlices gives zeros there.
        boolean isBase = target.viewOf() == null;
        Edge before = isBase && target.requiresGrad() ? Edge.of(target) : null;
        var node = new ReplacedNode(name, before, values);
        Tensor changed = Devices.change(target, change);
        giveHistory(changed, node, node.addInput(changed));
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
                    "a leaf Variable that requires grad is being used in an in-place operation; do it under GradMode.noGrad()");
        }
        if (target.isSparse()) {
            throw new IllegalStateException(
                    "in-place operations on sparse tensors are not recorded; use the operator that returns a new tensor, or do it under GradMode.noGrad()");
        }
        ViewOf of = target.viewOf();
        if (of != null) {
            of.requireChangeable();
            requireApart(target);
            requireApart(of.base());
        }
    }

    private static void requireApart(Tensor tensor) {
        if (Geometry.of(tensor).mayOverlap()) {
            throw Overlaps.writtenTwice(tensor);
        }
    }

    private static Tensor before(Tensor target) {
        Tensor before = target.detach();
        Node made = target.gradFn();
        if (made != null) {
            before.setHistory(made, target.outputIndex());
        }
        return before;
    }

    private static void giveHistory(Tensor target, Node node, int index) {
        ViewOf of = target.viewOf();
        if (of == null) {
            target.rebase(node, index);
            target.storage().newHistory();
            return;
        }
        Tensor base = of.base();
        Edge before = base.requiresGrad() ? Edge.of(base) : null;
        var slices = new CopySlicesNode(base, target, before, new Edge(node, index));
        base.rebase(slices, slices.addInput(base));
        target.storage().newHistory(); // the target's own follows when it is asked for
    }
}
