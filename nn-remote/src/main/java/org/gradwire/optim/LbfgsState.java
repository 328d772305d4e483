package org.gradwire.optim;

import org.gradwire.tensor.DType;
import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.TensorScope;
import org.jspecify.annotations.Nullable;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * A saved state of {@link LBFGS}, checked.
 *
 * @param parts by name, vectors in the type and on the device of the parameters
 */
record LbfgsState(Map<String, Tensor> parts, LBFGS.Options options) {
    private static final String STATE = "state.0.";
    private static final String GROUP = "param_groups.0.";
    private static final String PARAMETERS = "params";
    private static final Set<String> COUNTS = Set.of("func_evals", "n_iter");
    private static final Set<String> NUMBERS = Set.of("t", "prev_loss", "H_diag");
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
                numbers.put(key.substring(GROUP.length()), tensor.numel() == 1 ? tensor.item() : 0);
            } else {
                throw refused("'%s' is no part of it".formatted(key));
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
        return new LbfgsState(parts, OptionNumbers.with(group.options(), numbers));
    }

    private static int rows(Map<String, Tensor> state) {
        Tensor inverses = state.get(STATE + "ro");
        return inverses == null ? 0 : inverses.numel();
    }

    private static Tensor part(String name, Tensor tensor, Tensor parameter, int size, int rows) {
        if (COUNTS.contains(name) || NUMBERS.contains(name)) {
            requireShape(name, tensor);
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
            throw refused("'%s' is no part of it".formatted(STATE + name));
        }
        return TensorScope.outside(
                () -> tensor.to(parameter.dtype()).to(parameter.device()).copy());
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
