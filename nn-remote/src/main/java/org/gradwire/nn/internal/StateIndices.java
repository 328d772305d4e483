package org.gradwire.nn.internal;

import org.gradwire.tensor.Tensor;

import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Maps the parameter indices of one owner's optimizer to those of the distributed optimizer, and
 * translates the keys of states.
 */
public final class StateIndices {
    private static final Pattern STATE = Pattern.compile("state\\.(\\d{1,9})\\.(.+)");
    private static final Pattern PARAMETERS = Pattern.compile("param_groups\\.\\d{1,9}\\.params");

    private final Map<Integer, Integer> numbers = new HashMap<>();
    private final Map<Integer, Integer> indices = new HashMap<>();

    public StateIndices(List<Integer> numbers) {
        for (int i = 0; i < numbers.size(); i++) {
            this.numbers.put(i, numbers.get(i));
            this.indices.put(numbers.get(i), i);
        }
    }

    /** {@return the state of the owner's optimizer, with global indices} */
    public Map<String, Tensor> toNumbers(Map<String, Tensor> state) {
        return translated(state, numbers);
    }

    /** {@return the owner's part of a global state, with local indices} */
    public Map<String, Tensor> fromNumbers(Map<String, Tensor> state) {
        return translated(state, indices);
    }

    /** {@return the owner's part of a global state, with global indices} */
    public Map<String, Tensor> part(Map<String, Tensor> state) {
        return toNumbers(fromNumbers(state));
    }

    private static Map<String, Tensor> translated(
            Map<String, Tensor> state, Map<Integer, Integer> table) {
        Map<String, Tensor> translated = new LinkedHashMap<>();
        state.forEach((key, tensor) -> {
            Matcher parts = STATE.matcher(key);
            if (!parts.matches()) {
                boolean lists = PARAMETERS.matcher(key).matches();
                translated.put(key, lists ? translated(tensor, table) : tensor);
                return;
            }
            Integer to = table.get(Integer.valueOf(parts.group(1)));
            if (to != null) {
                translated.put("state.%d.%s".formatted(to, parts.group(2)), tensor);
            }
        });
        return translated;
    }

    private static Tensor translated(Tensor numbers, Map<Integer, Integer> table) {
        return Tensor.of(
                Arrays.stream(numbers.toLongArray())
                        .mapToObj(number -> table.get((int) number))
                        .filter(Objects::nonNull)
                        .mapToLong(Integer::longValue)
                        .toArray());
    }
}
