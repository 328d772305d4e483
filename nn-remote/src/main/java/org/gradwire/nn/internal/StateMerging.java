package org.gradwire.nn.internal;

import org.gradwire.tensor.Tensor;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;

/** Merges the states of the owners into one. */
public final class StateMerging {

    private StateMerging() {}

    /**
     * Merge states: each parameter belongs to one owner, options belong to all.
     *
     * @param owners names, for the failure
     * @throws IllegalStateException when options differ
     */
    public static Map<String, Tensor> merge(List<String> owners, List<Map<String, Tensor>> states) {
        Map<String, Tensor> merged = new LinkedHashMap<>(states.getFirst());
        for (int i = 1; i < states.size(); i++) {
            String pair = owners.getFirst() + " and " + owners.get(i);
            checkSameOptions(pair, states.getFirst(), states.get(i));
            states.get(i)
                    .forEach((key, tensor) ->
                            merged.merge(key, tensor, (a, b) -> isList(key) ? joined(a, b) : a));
        }
        return merged;
    }

    private static boolean isList(String key) {
        return key.startsWith("param_groups.") && key.endsWith(".params");
    }

    private static boolean isOption(String key) {
        return key.startsWith("param_groups.") && !isList(key);
    }

    private static Tensor joined(Tensor a, Tensor b) {
        return Tensor.of(
                LongStream.concat(Arrays.stream(a.toLongArray()), Arrays.stream(b.toLongArray()))
                        .sorted()
                        .toArray());
    }

    private static void checkSameOptions(
            String owners, Map<String, Tensor> one, Map<String, Tensor> other) {
        Map<String, Double> expected = options(one);
        Map<String, Double> actual = options(other);
        if (!expected.equals(actual)) {
            throw new IllegalStateException(
                    "the options on %s differ: %s and %s; a state needs the same groups of parameters on all owners"
                            .formatted(owners, expected, actual));
        }
    }

    private static Map<String, Double> options(Map<String, Tensor> state) {
        Map<String, Double> options = new LinkedHashMap<>();
        state.forEach((key, tensor) -> {
            if (isOption(key)) {
                options.put(key, tensor.item());
            }
        });
        return options;
    }
}
