package org.gradwire.autograd;

import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.access.TensorAccess;
import org.gradwire.tensor.storage.NodeRun;
import org.jspecify.annotations.Nullable;

/** Tracks which output gradients of a node have exclusive memory. */
final class GradientOwnership {
    private final NodeRun nodeRun;
    private final @Nullable Tensor[] inputs;
    private final boolean[] exclusive;
    private boolean ended;

    GradientOwnership(NodeRun nodeRun, @Nullable Tensor[] inputs, boolean[] exclusive) {
        this.nodeRun = nodeRun;
        this.inputs = inputs;
        this.exclusive = exclusive;
    }

    /** Treat all gradients as shared from now on. */
    void end() {
        ended = true;
    }

    boolean exclusive(@Nullable Tensor[] outputs, int index) {
        Tensor output = outputs[index];
        if (ended
                || output == null
                || TensorAccess.storage(output).isShared()
                || isSharedWithAnother(outputs, index, output)) {
            return false;
        }
        for (int i = 0; i < inputs.length; i++) {
            Tensor input = inputs[i];
            if (input != null && TensorAccess.storage(input).shares(TensorAccess.storage(output))) {
                return exclusive[i];
            }
        }
        return TensorAccess.storage(output).madeDuring(nodeRun);
    }

    /**
     * Release the exclusive input gradients that share no memory with the outputs. The node must
     * not use them afterwards.
     */
    void giveBackInputs(@Nullable Tensor[] outputs) {
        for (int i = 0; i < inputs.length && !ended; i++) {
            Tensor input = inputs[i];
            if (input != null
                    && exclusive[i]
                    && !TensorAccess.storage(input).isShared()
                    && !isSharedWithAnother(inputs, i, input)
                    && !isSharedWithAnother(outputs, -1, input)) {
                TensorAccess.storage(input).giveBack();
            }
        }
    }

    private static boolean isSharedWithAnother(@Nullable Tensor[] all, int index, Tensor tensor) {
        for (int i = 0; i < all.length; i++) {
            Tensor other = all[i];
            if (i != index
                    && other != null
                    && TensorAccess.storage(other).shares(TensorAccess.storage(tensor))) {
                return true;
            }
        }
        return false;
    }
}
