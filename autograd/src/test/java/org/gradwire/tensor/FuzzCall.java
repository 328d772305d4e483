package org.gradwire.tensor;

import org.gradwire.spi.Operator;
import org.gradwire.tensor.operator.library.TensorOperators;
import org.jspecify.annotations.Nullable;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The operators that {@link FuzzProgram}s call, by the names of the table, and their arguments. */
final class FuzzCall {
    private static final Map<String, Operator> OPERATORS =
            new TensorOperators()
                    .operators().stream().collect(Collectors.toMap(Operator::name, each -> each));

    private FuzzCall() {}

    static Object apply(String name, @Nullable Object[] args) {
        Operator operator = OPERATORS.get(name);
        if (operator == null) {
            throw new AssertionError("no operator " + name);
        }
        Class<?>[] types = operator.parameterTypes();
        for (int i = 0; i < args.length; i++) {
            if (types[i] == Integer.class && args[i] instanceof Long number) {
                args[i] = Math.toIntExact(number);
            } else if (types[i] == Double.class && args[i] instanceof Long number) {
                args[i] = number.doubleValue();
            }
        }
        return Objects.requireNonNull(operator.apply(args));
    }

    /** {@return the arguments of a statement} */
    static @Nullable Object[] arguments(List<String> words, Function<String, Tensor> values) {
        return words.stream().skip(3).map(word -> argument(word, values)).toArray();
    }

    private static @Nullable Object argument(String word, Function<String, Tensor> values) {
        String rest = word.substring(1);
        return switch (word.charAt(0)) {
            case '_' -> null;
            case 'v' -> values.apply(word);
            case 'i' -> Long.valueOf(rest);
            case 'd' -> FuzzProgram.number(rest);
            case 'b' -> rest.equals("true");
            case 'I' -> FuzzProgram.integers(rest);
            case 'S' -> rest;
            case 'T' -> DType.valueOf(rest.toUpperCase(Locale.ROOT));
            case 'L' -> Arrays.stream(rest.split(",", -1)).map(values).toList();
            default -> throw new IllegalArgumentException(word);
        };
    }
}
