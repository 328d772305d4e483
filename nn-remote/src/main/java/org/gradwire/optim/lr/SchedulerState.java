package org.gradwire.optim.lr;

import org.gradwire.tensor.Tensor;

import java.util.Map;

/** Reads the saved states of schedulers. */
final class SchedulerState {

    private SchedulerState() {}

    static Tensor get(Map<String, Tensor> state, String name) {
        Tensor value = state.get(name);
        if (value == null) {
            throw new IllegalArgumentException(
                    "the saved state of a scheduler needs '%s'; it has %s"
                            .formatted(name, state.keySet()));
        }
        return value;
    }
}
