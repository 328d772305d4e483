package org.gradwire.optim;

import org.gradwire.tensor.DType;
import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.TensorScope;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * Converts an optimizer's state to tensors by name and back. Loading validates the whole state
 * before changing anything.
 */
final class SavedState {
    private static final String STATE = "state";
    private static final String GROUPS = "param_groups";
    private static final String STEP = "step";
    private static final String PARAMETERS = "params";
    private static final Pattern KEY =
            Pattern.compile("(%s|%s)\\.(\\d{1,9})\\.(.+)".formatted(STATE, GROUPS));

    private SavedState() {}

    static <O extends Record & OptimizerOptions<O>> Map<String, Tensor> of(
            List<ParameterGroup<O>> groups, Map<Tensor, ParameterState> states) {
        Map<String, Tensor> saved = new LinkedHashMap<>();
        int index = 0;
        for (int g = 0; g < groups.size(); g++) {
            ParameterGroup<O> group = groups.get(g);
            String prefix = GROUPS + "." + g + ".";
            int first = index;
            for (Tensor parameter : group.parameters()) {
                save(saved, STATE + "." + index++ + ".", states.get(parameter));
            }
            saved.put(prefix + PARAMETERS, Tensor.of(LongStream.range(first, index).toArray()));
            OptionValues.of(group.options())
                    .forEach((name, number) ->
                            saved.put(prefix + name, Tensor.scalar(DType.FLOAT64, number)));
        }
        return saved;
    }

    private static void save(
            Map<String, Tensor> saved, String prefix, @Nullable ParameterState state) {
        if (state != null) {
            saved.put(prefix + STEP, Tensor.scalar(DType.INT64, state.step()));
            state.tensors().forEach((name, tensor) -> saved.put(prefix + name, tensor.detach()));
        }
    }

    /**
     * A state that fits an optimizer.
     *
     * @param options of the groups
     * @param tensors of each parameter that has a state, not copied
     */
    record Checked<O>(List<O> options, Map<Tensor, Map<String, Tensor>> tensors) {}

    /**
     * Verify that a state fits the groups of an optimizer.
     *
     * @throws IllegalArgumentException when it does not
     */
    static <O extends Record & OptimizerOptions<O>> Checked<O> check(
            List<ParameterGroup<O>> groups, Map<String, Tensor> saved) {
        List<Map<String, Tensor>> savedGroups = new ArrayList<>();
        Map<Integer, Map<String, Tensor>> savedStates = new LinkedHashMap<>();
        sort(saved, savedGroups, savedStates);
        List<O> options = options(groups, savedGroups);
        List<Tensor> parameters =
                groups.stream().flatMap(group -> group.parameters().stream()).toList();
        Map<Tensor, Map<String, Tensor>> tensors = new LinkedHashMap<>();
        savedStates.forEach((index, state) -> {
            if (index >= parameters.size()) {
                throw new IllegalArgumentException(
                        "the saved state has a parameter %d, the optimizer only %d parameters"
                                .formatted(index, parameters.size()));
            }
            requireShapes(index, parameters.get(index), state);
            tensors.put(parameters.get(index), state);
        });
        return new Checked<>(options, tensors);
    }

    static <O extends Record & OptimizerOptions<O>> void load(
            List<ParameterGroup<O>> groups,
            Map<Tensor, ParameterState> states,
            Map<String, Tensor> saved) {
        Checked<O> checked = check(groups, saved);
        Map<Tensor, ParameterState> loaded = new HashMap<>();
        checked.tensors()
                .forEach((parameter, tensors) ->
                        loaded.put(
                                parameter, TensorScope.outside(() -> state(parameter, tensors))));
        states.clear();
        states.putAll(loaded);
        for (int g = 0; g < groups.size(); g++) {
            groups.get(g).options(checked.options().get(g));
        }
    }

    private static void sort(
            Map<String, Tensor> saved,
            List<Map<String, Tensor>> groups,
            Map<Integer, Map<String, Tensor>> states) {
        Map<Integer, Map<String, Tensor>> numbered = new TreeMap<>();
        saved.forEach((key, tensor) -> {
            Matcher parts = KEY.matcher(key);
            if (!parts.matches()) {
                throw new IllegalArgumentException(
                        "'%s' is not a part of an optimizer's state; expected state.<parameter>.<name> and param_groups.<group>.<option>"
                                .formatted(key));
            }
            var target = parts.group(1).equals(STATE) ? states : numbered;
            target.computeIfAbsent(Integer.valueOf(parts.group(2)), _ -> new LinkedHashMap<>())
                    .put(parts.group(3), tensor);
        });
        groups.addAll(numbered.values());
    }

    private static <O extends Record & OptimizerOptions<O>> List<O> options(
            List<ParameterGroup<O>> groups, List<Map<String, Tensor>> saved) {
        if (groups.size() != saved.size()) {
            throw new IllegalArgumentException(
                    "loaded state dict has a different number of parameter groups: %d, the optimizer has %d"
                            .formatted(saved.size(), groups.size()));
        }
        List<O> options = new ArrayList<>();
        for (int g = 0; g < groups.size(); g++) {
            Map<String, Tensor> numbers = new LinkedHashMap<>(saved.get(g));
            Tensor parameters = numbers.remove(PARAMETERS);
            int size = parameters == null ? 0 : parameters.numel();
            if (size != groups.get(g).parameters().size()) {
                throw new IllegalArgumentException(
                        "loaded state dict contains a parameter group that doesn't match the size of optimizer's group: group %d has %d parameters in the state, %d in the optimizer"
                                .formatted(g, size, groups.get(g).parameters().size()));
            }
            Map<String, Double> values = new LinkedHashMap<>();
            numbers.forEach((name, tensor) -> values.put(name, tensor.item()));
            O loaded = OptionValues.with(groups.get(g).options(), values);
            loaded.validate();
            options.add(loaded);
        }
        return options;
    }

    private static void requireShapes(int index, Tensor parameter, Map<String, Tensor> tensors) {
        tensors.forEach((name, tensor) -> {
            if (name.equals(STEP)) {
                requireOne(index, tensor);
            } else if (!broadcasts(tensor.shape(), parameter.shape())) {
                throw new IllegalArgumentException(
                        "'%s' of parameter %d has shape %s in the saved state, the parameter has %s"
                                .formatted(
                                        name,
                                        index,
                                        Arrays.toString(tensor.shape()),
                                        Arrays.toString(parameter.shape())));
            }
        });
    }

    private static void requireOne(int index, Tensor step) {
        if (step.numel() != 1) {
            throw new IllegalArgumentException(
                    "'%s' of parameter %d has shape %s in the saved state, expected one number"
                            .formatted(STEP, index, Arrays.toString(step.shape())));
        }
    }

    private static ParameterState state(Tensor parameter, Map<String, Tensor> tensors) {
        var state = new ParameterState(parameter);
        tensors.forEach((name, tensor) -> {
            if (name.equals(STEP)) {
                state.step(tensor.itemAsLong());
                return;
            }
            Tensor own = tensor.dtype().isFloating() ? tensor.to(parameter.dtype()) : tensor;
            state.put(name, own.to(parameter.device()).copy());
        });
        return state;
    }

    private static boolean broadcasts(int[] shape, int[] to) {
        int shift = to.length - shape.length;
        return shift >= 0
                && IntStream.range(0, shape.length)
                        .allMatch(d -> shape[d] == 1 || shape[d] == to[d + shift]);
    }
}
