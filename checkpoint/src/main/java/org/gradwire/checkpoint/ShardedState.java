package org.gradwire.checkpoint;

import org.gradwire.tensor.Tensor;

import java.util.Map;

/** A state some of whose tensors are rows of larger ones. */
record ShardedState(Stateful state, Map<String, Rows> rows) implements Stateful {

    @Override
    public Map<String, Tensor> stateDict() {
        return state.stateDict();
    }

    @Override
    public void loadStateDict(Map<String, Tensor> loaded) {
        state.loadStateDict(loaded);
    }

    @Override
    public void check(Map<String, Tensor> loaded) {
        state.check(loaded);
    }
}
