package org.gradwire.checkpoint;

import org.gradwire.checkpoint.Manifest.SavedTensor;
import org.gradwire.tensor.Tensor;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * Tensors of a checkpoint, checked against the states that they are loaded into.
 *
 * @param states by name
 * @param tensors of each state
 */
record LoadPlan(Map<String, ? extends Stateful> states, Map<String, Map<String, Tensor>> tensors) {

    static LoadPlan of(
            TensorSource saved,
            Map<String, ? extends Stateful> states,
            Function<String, Optional<String>> names)
            throws IOException {
        Map<String, Map<String, Tensor>> tensors = new LinkedHashMap<>();
        states.keySet().forEach(name -> tensors.put(name, new LinkedHashMap<>()));
        for (SavedTensor tensor : saved.tensors()) {
            Optional<String> wanted = names.apply(tensor.name());
            if (wanted.isPresent()) {
                add(saved, tensor, wanted.get(), states, tensors);
            }
        }
        var plan = new LoadPlan(states, tensors);
        plan.check(saved);
        return plan;
    }

    private static void add(
            TensorSource saved,
            SavedTensor tensor,
            String wanted,
            Map<String, ? extends Stateful> states,
            Map<String, Map<String, Tensor>> tensors)
            throws IOException {
        int slash = wanted.indexOf('/');
        String name = wanted.substring(0, Math.max(0, slash));
        String key = wanted.substring(slash + 1);
        Stateful state = states.get(name);
        Map<String, Tensor> loaded = tensors.get(name);
        if (state == null || loaded == null) {
            return; // another member's, or not wanted
        }
        Rows rows = state.rows().get(key);
        if (rows == null) {
            rows = new Rows(0, tensor.rows(), tensor.rows());
        } else if (tensor.shape().isEmpty() || rows.total() != tensor.rows()) {
            throw new CheckpointException(
                    "%s: '%s' has shape %s, and this program wants %s"
                            .formatted(saved, tensor.name(), tensor.shape(), rows));
        }
        if (loaded.put(key, saved.rows(tensor, rows)) != null) {
            throw new CheckpointException(
                    "%s: two tensors are mapped to '%s'; map each to another name"
                            .formatted(saved, wanted));
        }
    }

    private void check(TensorSource saved) throws CheckpointException {
        for (var entry : states.entrySet()) {
            Map<String, Tensor> state = tensors.getOrDefault(entry.getKey(), Map.of());
            try {
                entry.getValue().check(state);
            } catch (IllegalArgumentException e) {
                throw new CheckpointException(
                        "%s does not match the state '%s': %s"
                                .formatted(saved, entry.getKey(), e.getMessage()),
                        e);
            }
        }
    }

    /** Change the states. */
    void run() {
        states.forEach((name, state) -> state.loadStateDict(tensors.getOrDefault(name, Map.of())));
    }
}
