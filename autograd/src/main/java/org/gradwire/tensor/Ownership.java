package org.gradwire.tensor;

import org.jspecify.annotations.Nullable;

/** Tells which of the gradients that a node gave nobody else can see. */
final class Ownership {
    private final Execution execution;
    private final @Nullable Tensor[] inputs;
    private final boolean[] exclusive;
    private boolean ended;

    Ownership(Execution execution, @Nullable Tensor[] inputs, boolean[] exclusive) {
        this.execution = execution;
        this.inputs = inputs;
        this.exclusive = exclusive;
    }

    /** From now on somebody else may see them all. */
    void end() {
        ended = true;
    }

    boolean exclusive(@Nullable Tensor[] outputs, int index) {
        Tensor output = outputs[index];
        if (ended
                || output == null
                || output.storage().isShared()
                || isSharedWithAnother(outputs, index, output)) {
            return false;
        }
        for (int i = 0; i < inputs.length; i++) {
            Tensor input = inputs[i];
            if (input != null && input.storage().shares(output.storage())) {
                return exclusive[i];
            }
        }
        return output.storage().madeDuring(execution);
    }

    /**
     * Give back the memory of what the node was given, where nobody else can see it and it holds
     * none of what the node gave. The node must be done with it.
     */
    void giveBackInputs(@Nullable Tensor[] outputs) {
        for (int i = 0; i < inputs.length && !ended; i++) {
            Tensor input = inputs[i];
            if (input != null
                    && exclusive[i]
                    && !input.storage().isShared()
                    && !isSharedWithAnother(inputs, i, input)
                    && !isSharedWithAnother(outputs, -1, input)) {
                input.storage().giveBack();
            }
        }
    }

    private static boolean isSharedWithAnother(@Nullable Tensor[] all, int index, Tensor tensor) {
        for (int i = 0; i < all.length; i++) {
            Tensor other = all[i];
            if (i != index && other != null && other.storage().shares(tensor.storage())) {
                return true;
            }
        }
        return false;
    }
}
