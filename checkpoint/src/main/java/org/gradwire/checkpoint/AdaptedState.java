package org.gradwire.checkpoint;

import org.gradwire.tensor.Tensor;

import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** A state of an object that is not itself {@link Stateful}. */
record AdaptedState(
        Supplier<Map<String, Tensor>> reader,
        Consumer<Map<String, Tensor>> loader,
        Consumer<Map<String, Tensor>> checker)
        implements Stateful {

    /** {@return a state whose names, types and shapes do not change} */
    static AdaptedState of(
            Supplier<Map<String, Tensor>> reader, Consumer<Map<String, Tensor>> loader) {
        return new AdaptedState(
                reader, loader, state -> StateChecks.requireAlike(reader.get(), state));
    }

    @Override
    public Map<String, Tensor> stateDict() {
        return reader.get();
    }

    @Override
    public void loadStateDict(Map<String, Tensor> state) {
        loader.accept(state);
    }

    @Override
    public void check(Map<String, Tensor> state) {
        checker.accept(state);
    }
}
