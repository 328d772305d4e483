package org.gradwire.checkpoint;

import org.gradwire.tensor.Tensor;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/** Compares states with those that they are loaded into. */
final class StateChecks {
    private static final Pattern PARAMETER = Pattern.compile("state\\.(\\d{1,9})\\..+");
    private static final String GROUPS = "param_groups.";
    private static final String PARAMETERS = ".params";

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

    /** Verify that a state has the groups of an optimizer, and states of its parameters only. */
    static void requireOptimizer(
            Map<String, Tensor> current, List<Tensor> parameters, Map<String, Tensor> state) {
        requireOptimizer(current, state);
        state.forEach((name, tensor) -> {
            Matcher parts = PARAMETER.matcher(name);
            if (parts.matches()) {
                int[] shape = parameters.get(Integer.parseInt(parts.group(1))).shape();
                if (!broadcasts(tensor.shape(), shape)) {
                    throw new IllegalArgumentException(
                            "'%s' is %s, and the parameter has shape %s"
                                    .formatted(name, describe(tensor), Arrays.toString(shape)));
                }
            }
        });
    }

    /** Verify the same without the shapes of the parameters. */
    static void requireOptimizer(Map<String, Tensor> current, Map<String, Tensor> state) {
        requireAlike(groups(current), groups(state));
        long parameters =
                current.entrySet().stream()
                        .filter(entry -> entry.getKey().endsWith(PARAMETERS))
                        .mapToLong(entry -> entry.getValue().numel())
                        .sum();
        for (String name : state.keySet()) {
            Matcher parts = PARAMETER.matcher(name);
            if (!name.startsWith(GROUPS)
                    && !(parts.matches() && Integer.parseInt(parts.group(1)) < parameters)) {
                throw new IllegalArgumentException(
                        "'%s' is unexpected in the state of an optimizer of %d parameters"
                                .formatted(name, parameters));
            }
        }
    }

    private static Map<String, Tensor> groups(Map<String, Tensor> state) {
        Map<String, Tensor> groups = new LinkedHashMap<>(state);
        groups.keySet().removeIf(name -> !name.startsWith(GROUPS));
        return groups;
    }

    private static boolean broadcasts(int[] shape, int[] to) {
        int shift = to.length - shape.length;
        return shift >= 0
                && IntStream.range(0, shape.length)
                        .allMatch(d -> shape[d] == 1 || shape[d] == to[d + shift]);
    }
}
