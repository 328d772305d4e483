package org.gradwire.optim;

import org.gradwire.tensor.DType;
import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.TensorScope;
import org.jspecify.annotations.Nullable;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * A validated state of {@link LBFGS}.
 *
 * @param parts by name, vectors in the type and on the device of the parameters
 */
record LbfgsState(Map<String, Tensor> parts, LBFGS.Options options) {
    private static final String STATE = "state.0.";
    private static final String GROUP = "param_groups.0.";
    private static final String PARAMETERS = "params";
    private static final Set<String> COUNTS = Set.of("func_evals", "n_iter");
    private static final Set<String> NUMBERS = Set.of("t", "prev_loss", "H_diag");
    private static final Set<String> LAST_STEP =
            Set.of("d", "prev_flat_grad", "t", "prev_loss", "H_diag");
    private static final Set<String> HISTORY = Set.of("ro", "old_dirs", "old_stps");
    private static final Set<String> VECTORS = Set.of("d", "prev_flat_grad");
    private static final Set<String> ROWS = Set.of("old_dirs", "old_stps");

    static LbfgsState of(Map<String, Tensor> state, ParameterGroup<LBFGS.Options> group, int size) {
        Map<String, Tensor> parts = new LinkedHashMap<>();
        Map<String, Double> numbers = new LinkedHashMap<>();
        Tensor first = group.parameters().getFirst();
        state.forEach((key, tensor) -> {
            if (key.startsWith(STATE)) {
                String name = key.substring(STATE.length());
                parts.put(name, part(name, tensor, first, size, rows(state)));
            } else if (key.startsWith(GROUP)) {
                numbers.put(key.substring(GROUP.length()), option(key, tensor));
            } else {
                throw refused("'%s' is not a part of it".formatted(key));
            }
        });
        Tensor parameters = state.get(GROUP + PARAMETERS);
        int count = parameters == null ? 0 : parameters.numel();
        if (count != group.parameters().size()) {
            throw refused(
                    "it is of %d parameters, the optimizer has %d"
                            .formatted(count, group.parameters().size()));
        }
        numbers.remove(PARAMETERS);
        requireKnown(numbers.keySet(), OptionValues.of(group.options()).keySet());
        requireAllOrNone(parts.keySet(), LAST_STEP);
        requireAllOrNone(parts.keySet(), HISTORY);
        return new LbfgsState(parts, OptionValues.with(group.options(), numbers));
    }

    private static double option(String key, Tensor tensor) {
        if (key.equals(GROUP + PARAMETERS)) {
            return 0;
        }
        if (tensor.numel() != 1) {
            throw refused(
                    "'%s' has shape %s, expected one number"
                            .formatted(key, Arrays.toString(tensor.shape())));
        }
        return tensor.item();
    }

    private static void requireKnown(Set<String> found, Set<String> known) {
        for (String name : found) {
            if (!known.contains(name)) {
                throw refused("'%s' is not a part of it".formatted(GROUP + name));
            }
        }
    }

    /** Reject a state that has only some of several dependent parts. */
    private static void requireAllOrNone(Set<String> found, Set<String> together) {
        Set<String> missing = new TreeSet<>(together);
        missing.removeAll(found);
        if (!missing.isEmpty() && missing.size() < together.size()) {
            throw refused(
                    "it has no %s, but other parts of %s"
                            .formatted(missing, new TreeSet<>(together)));
        }
    }

    private static int rows(Map<String, Tensor> state) {
        Tensor inverses = state.get(STATE + "ro");
        return inverses == null ? 0 : inverses.numel();
    }

    private static Tensor part(String name, Tensor tensor, Tensor parameter, int size, int rows) {
        if (COUNTS.contains(name) || NUMBERS.contains(name)) {
            requireShape(name, tensor);
            if (COUNTS.contains(name) && !isCount(tensor.item())) {
                throw refused(
                        "'%s' is %s, expected an integer from 0 on"
                                .formatted(STATE + name, tensor.item()));
            }
            return tensor;
        }
        if (name.equals("ro")) {
            requireShape(name, tensor, rows);
            return tensor.to(DType.FLOAT64);
        }
        if (VECTORS.contains(name)) {
            requireShape(name, tensor, size);
        } else if (ROWS.contains(name)) {
            requireShape(name, tensor, rows, size);
        } else {
            throw refused("'%s' is not a part of it".formatted(STATE + name));
        }
        return TensorScope.outside(
                () -> tensor.to(parameter.dtype()).to(parameter.device()).copy());
    }

    private static boolean isCount(double number) {
        return number >= 0 && number == Math.rint(number) && !Double.isInfinite(number);
    }

    private static void requireShape(String name, Tensor tensor, int... shape) {
        if (!Arrays.equals(tensor.shape(), shape)) {
            throw refused(
                    "'%s' has shape %s, expected %s"
                            .formatted(
                                    STATE + name,
                                    Arrays.toString(tensor.shape()),
                                    Arrays.toString(shape)));
        }
    }

    private static IllegalArgumentException refused(String why) {
        return new IllegalArgumentException(
                "the state is not that of an LBFGS over these parameters: " + why);
    }

    long count(String name) {
        Tensor part = parts.get(name);
        return part == null ? 0 : part.itemAsLong();
    }

    double number(String name) {
        Tensor part = parts.get(name);
        return part == null ? 0 : part.item();
    }

    @Nullable Tensor vector(String name) {
        return parts.get(name);
    }
}
