package org.gradwire.checkpoint;

import org.gradwire.tensor.DType;
import org.gradwire.tensor.Tensor;

import java.io.IOException;
import java.util.Map;

/** The state of an elastic training that says if its last step is done. */
final class Progress implements Stateful {
    /** The name of the state. */
    static final String NAME = "elastic";

    private static final String IS_DONE = "isDone";

    private boolean isDone;

    void isDone(boolean value) {
        isDone = value;
    }

    @Override
    public Map<String, Tensor> stateDict() {
        return Map.of(IS_DONE, Tensor.scalar(DType.BOOL, isDone ? 1 : 0));
    }

    /** Accept also the state of a checkpoint that an elastic training has not saved. */
    @Override
    public void check(Map<String, Tensor> state) {
        if (!state.isEmpty()) {
            StateChecks.requireAlike(stateDict(), state);
        }
    }

    @Override
    public void loadStateDict(Map<String, Tensor> state) {
        Tensor saved = state.get(IS_DONE);
        isDone = saved != null && saved.itemAsLong() != 0;
    }

    /** {@return whether the newest checkpoint is that after the last step} */
    static boolean isDone(CheckpointStorage storage) throws IOException {
        var newest = Checkpoint.latest(storage).checkpoint();
        if (newest.isEmpty()) {
            return false;
        }
        for (var tensor : newest.get().manifest().tensors()) {
            if (tensor.name().equals(NAME + "/" + IS_DONE)) {
                return newest.get().tensor(tensor).itemAsLong() != 0;
            }
        }
        return false;
    }
}
