package org.gradwire.examples.elastic;

import org.gradwire.checkpoint.Stateful;
import org.gradwire.tensor.DType;
import org.gradwire.tensor.Tensor;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** The losses of all steps so far, as a state of the training. */
public final class Losses implements Stateful {
    private static final String NAME = "losses";

    private final List<Double> losses = new ArrayList<>();

    /** Create the losses of a training that has done no step. */
    public Losses() {}

    /** Add the loss of a step. */
    public void add(double loss) {
        losses.add(loss);
    }

    /** {@return the losses, in the order of the steps} */
    public List<Double> all() {
        return List.copyOf(losses);
    }

    /** {@return the number of steps} */
    public int size() {
        return losses.size();
    }

    @Override
    public Map<String, Tensor> stateDict() {
        return Map.of(NAME, Tensor.of(losses.stream().mapToDouble(Double::doubleValue).toArray()));
    }

    @Override
    public void check(Map<String, Tensor> state) {
        Tensor saved = state.get(NAME);
        if (saved == null || saved.dtype() != DType.FLOAT64 || saved.dim() != 1) {
            throw new IllegalArgumentException(
                    "expected the losses of all steps, but the state is " + state);
        }
    }

    @Override
    public void loadStateDict(Map<String, Tensor> state) {
        check(state);
        losses.clear();
        state.values().forEach(saved -> Arrays.stream(saved.toDoubleArray()).forEach(losses::add));
    }
}
