package org.gradwire.examples.elastic;

import org.gradwire.rpc.WireValue;
import org.gradwire.tensor.Device;
import org.gradwire.tensor.Tensor;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The state of a training between two steps.
 *
 * @param step number of steps done: also the position in the sequence of batches, which follow from
 *     a seed
 * @param tensors in parts, such as the parameters of a model; the name of a tensor begins with that
 *     of its part and a dot
 */
@WireValue
public record Snapshot(int step, Map<String, Tensor> tensors) {
    /** The state before the first step, without tensors: seeds determine it. */
    public static final Snapshot NONE = new Snapshot(0, Map.of());

    private static final String LOSSES = "losses";

    /** Begin a snapshot with the losses of all steps so far. */
    public static Snapshot of(List<Double> losses) {
        double[] numbers = losses.stream().mapToDouble(Double::doubleValue).toArray();
        return new Snapshot(losses.size(), Map.of(LOSSES, Tensor.of(numbers)));
    }

    /** Return this snapshot with a copy of a state on the host. */
    public Snapshot with(String part, Map<String, Tensor> state) {
        Map<String, Tensor> all = new LinkedHashMap<>(tensors);
        state.forEach((name, tensor) ->
                all.put(part + "." + name, tensor.detach().to(Device.CPU).clone()));
        return new Snapshot(step, all);
    }

    /** {@return whether nothing was saved} */
    public boolean isNone() {
        return tensors.isEmpty();
    }

    /** {@return the losses of all steps} */
    public List<Double> losses() {
        Tensor losses = tensors.get(LOSSES);
        return losses == null ? List.of() : Arrays.stream(losses.toDoubleArray()).boxed().toList();
    }

    /** {@return the state of a part, by the names in it; empty if there is none} */
    public Map<String, Tensor> part(String name) {
        String prefix = name + ".";
        Map<String, Tensor> state = new LinkedHashMap<>();
        tensors.forEach((full, tensor) -> {
            if (full.startsWith(prefix)) {
                state.put(full.substring(prefix.length()), tensor);
            }
        });
        return state;
    }
}
