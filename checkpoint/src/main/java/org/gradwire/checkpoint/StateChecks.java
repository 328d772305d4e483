package org.gradwire.checkpoint;

import org.gradwire.nn.remote.DistributedOptimizer;
import org.gradwire.nn.remote.DistributedOptimizerException;
import org.gradwire.tensor.Tensor;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

/** Compares states with those that they are loaded into. */
final class StateChecks {
    private StateChecks() {}

    /** Return a tensor of a state that {@link #requireAlike} has accepted. */
    static Tensor get(Map<String, Tensor> state, String name) {
        Tensor tensor = state.get(name);
        if (tensor == null) {
            throw new IllegalArgumentException("'%s' is missing".formatted(name));
        }
        return tensor;
    }

    /** Return tensors that do not share the memory of a file. */
    static Map<String, Tensor> copies(Map<String, Tensor> state) {
        Map<String, Tensor> copies = new LinkedHashMap<>();
        state.forEach((name, tensor) -> copies.put(name, tensor.clone()));
        return copies;
    }

    /** Verify that the owners of an optimizer's parameters accept a state. */
    static void requireAccepted(DistributedOptimizer optimizer, Map<String, Tensor> state) {
        try {
            optimizer.checkStateDict(state);
        } catch (DistributedOptimizerException e) {
            throw new IllegalArgumentException(String.valueOf(e.getMessage()), e);
        }
    }

    /** Verify that names, types and shapes are equal. */
    static void requireAlike(Map<String, Tensor> current, Map<String, Tensor> state) {
        requireSameNames(current, state);
        current.forEach((name, tensor) -> {
            Tensor loaded = get(state, name);
            if (!describe(tensor).equals(describe(loaded))) {
                throw new IllegalArgumentException(
                        "'%s' is %s, expected %s"
                                .formatted(name, describe(loaded), describe(tensor)));
            }
        });
    }

    private static void requireSameNames(Map<String, Tensor> current, Map<String, Tensor> state) {
        for (String name : current.keySet()) {
            var _ = get(state, name);
        }
        for (String name : state.keySet()) {
            if (!current.containsKey(name)) {
                throw new IllegalArgumentException(
                        "'%s' is unexpected, there is no such tensor".formatted(name));
            }
        }
    }

    private static String describe(Tensor tensor) {
        return tensor.dtype() + Arrays.toString(tensor.shape());
    }
}
