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
                || sharedWithAnother(outputs, index, output)) {
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

    private static boolean sharedWithAnother(@Nullable Tensor[] outputs, int index, Tensor output) {
        for (int i = 0; i < outputs.length; i++) {
            Tensor other = outputs[i];
            if (i != index && other != null && other.storage().shares(output.storage())) {
                return true;
            }
        }
        return false;
    }
}
