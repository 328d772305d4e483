package org.gradwire.checkpoint.tests;

import org.gradwire.checkpoint.Rows;
import org.gradwire.checkpoint.Stateful;
import org.gradwire.tensor.Tensor;

import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/** A state with one tensor, which is replaced when it is loaded. */
record Held(Map<String, Tensor> held, Map<String, Rows> rows) implements Stateful {

    static Held of(Tensor tensor) {
        return new Held(new HashMap<>(Map.of("x", tensor)), Map.of());
    }

    static Held rows(Rows rows, Tensor whole) {
        Tensor part = whole.narrow(0, rows.first(), rows.count()).clone();
        return new Held(new HashMap<>(Map.of("x", part)), Map.of("x", rows));
    }

    Tensor x() {
        return Objects.requireNonNull(held.get("x"));
    }

    @Override
    public Map<String, Tensor> stateDict() {
        return held;
    }

    @Override
    public void loadStateDict(Map<String, Tensor> state) {
        state.forEach((name, tensor) -> held.put(name, tensor.clone()));
    }
}
