package org.gradwire.tensor;

import org.gradwire.rpc.TypeMismatchException;
import org.gradwire.spi.Operator;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;

/** Executes a {@link FuzzProgram} and looks for the first difference from PyTorch. */
final class FuzzRun {
    /** Of the results that PyTorch has, relatively; what rounding may change comes on top. */
    private static final double TOLERANCE = 1e-4;

    private static final double ABSOLUTE = 2e-6;
    private static final Map<String, Operator> OPERATORS =
            new TensorOperators()
                    .operators().stream().collect(Collectors.toMap(Operator::name, each -> each));

    private final Map<String, Tensor> values = new HashMap<>();
    private final List<String> operators = new ArrayList<>();

    /** A difference, which ends a run. */
    private static final class Difference extends RuntimeException {
        private static final long serialVersionUID = 1;

        Difference(String text) {
            super(text, null, false, false);
        }
    }

    private FuzzRun() {}

    /** {@return the first difference: its kind, where it is, and what differs; empty for none} */
    static Optional<String> difference(FuzzProgram program) {
        try {
            var run = new FuzzRun();
            program.lines().forEach(run::execute);
            return Optional.empty();
        } catch (Difference difference) {
            return Optional.of(String.valueOf(difference.getMessage()));
        }
    }

    private void execute(List<String> words) {
        switch (words.getFirst()) {
            case "in" -> values.put(words.get(1), FuzzProgram.input(words));
            case "is" -> compare("value", words, value(words.get(1)));
            case "grad" -> compareGradient(words);
            case "backward" -> backward(words);
            default -> operate(words);
        }
    }

    private void operate(List<String> words) {
        String operator = words.get(2);
        boolean fails = words.get(1).startsWith("!");
        String what = operator + described(words);
        operators.add(operator);
        Object result;
        try {
            result =
                    words.get(1).endsWith(".")
                            ? FuzzChanges.apply(operator, value(words.getFirst()), arguments(words))
                            : call(operator, arguments(words));
        } catch (RuntimeException | AssertionError e) {
            if (!fails) {
                throw new Difference("raises " + what + ": " + e);
            } else if (!isError(e)) {
                throw new Difference("internal " + what + ": " + e);
            }
            return;
        }
        if (fails) {
            throw new Difference("silent " + what + " gives " + text(result));
        }
        if (words.get(1).equals("=")) {
            keep(words.getFirst(), result, what);
        }
    }

    private void keep(String names, @Nullable Object result, String what) {
        List<?> results = result instanceof List<?> list ? list : List.of((Tensor) result);
        String[] parts = names.equals("-") ? new String[0] : names.split(",", -1);
        if (results.size() != parts.length) {
            throw new Difference("count " + what + ": " + results.size() + " for " + parts.length);
        }
        for (int i = 0; i < parts.length; i++) {
            values.put(parts[i], (Tensor) results.get(i));
        }
    }

    private static Object call(String name, @Nullable Object[] args) {
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

    private static boolean isError(Throwable e) {
        return e.getClass() == IllegalArgumentException.class
                || e.getClass() == IndexOutOfBoundsException.class
                || e.getClass() == IllegalStateException.class
                || e.getClass() == UnsupportedOperationException.class
                || e.getClass() == ArithmeticException.class
                || e instanceof TypeMismatchException;
    }

    private @Nullable Object[] arguments(List<String> words) {
        return words.subList(3, words.size()).stream().map(this::argument).toArray();
    }

    private @Nullable Object argument(String word) {
        String rest = word.substring(1);
        return switch (word.charAt(0)) {
            case '_' -> null;
            case 'v' -> value(word);
            case 'i' -> Long.valueOf(rest);
            case 'd' -> FuzzProgram.number(rest);
            case 'b' -> rest.equals("true");
            case 'I' -> FuzzProgram.integers(rest);
            case 'S' -> rest;
            case 'T' -> DType.valueOf(rest.toUpperCase(java.util.Locale.ROOT));
            case 'L' -> Arrays.stream(rest.split(",", -1)).map(this::value).toList();
            default -> throw new IllegalArgumentException(word);
        };
    }

    private Tensor value(String name) {
        Tensor value = values.get(name);
        if (value == null) {
            throw new IllegalArgumentException("no value " + name);
        }
        return value;
    }

    private String described(List<String> words) {
        List<String> all = new ArrayList<>();
        if (words.get(1).endsWith(".")) {
            all.add(text(value(words.getFirst())));
        }
        for (Object arg : arguments(words)) {
            all.add(text(arg));
        }
        return all.stream().collect(Collectors.joining(", ", "(", ")"));
    }

    private static String text(@Nullable Object value) {
        return switch (value) {
            case Tensor tensor -> tensor.dtype() + Arrays.toString(tensor.shape());
            case int[] ints -> Arrays.toString(ints);
            case List<?> list -> list.stream().map(FuzzRun::text).toList().toString();
            case null, default -> String.valueOf(value);
        };
    }

    private void backward(List<String> words) {
        boolean fails = words.size() > 2;
        List<Tensor> roots = Arrays.stream(words.get(1).split(",", -1)).map(this::value).toList();
        String what = operators.toString();
        if (roots.stream().noneMatch(Tensor::requiresGrad)) {
            throw new Difference("history " + what + ": no root requires a gradient");
        }
        Tensor loss = Tensor.zeros(DType.FLOAT64);
        for (Tensor root : roots) {
            loss = loss.add(root.to(DType.FLOAT64).mul(weights(root)).sum());
        }
        try {
            loss.backward();
        } catch (RuntimeException | AssertionError e) {
            if (!fails) {
                throw new Difference("backward " + what + ": " + e);
            } else if (!isError(e)) {
                throw new Difference("internal " + what + ": " + e);
            }
            return;
        }
        if (fails) {
            throw new Difference("silent backward " + what);
        }
    }

    private static Tensor weights(Tensor like) {
        double[] weights = new double[like.numel()];
        for (int i = 0; i < weights.length; i++) {
            weights[i] = (i % 7 - 3) / 2.0 + 0.125;
        }
        return Tensor.of(weights, like.shape());
    }

    private void compareGradient(List<String> words) {
        Tensor gradient = value(words.get(1)).grad();
        if (gradient == null || words.get(2).equals("none")) {
            if (gradient != null || !words.get(2).equals("none")) {
                throw new Difference(
                        "gradient %s %s: %s for %s"
                                .formatted(
                                        words.get(1),
                                        operators,
                                        gradient,
                                        words.subList(2, words.size())));
            }
            return;
        }
        if (gradient.strides().length != gradient.dim() || !sound(gradient)) {
            throw new Difference("gradient " + words.get(1) + " " + operators + ": not sound");
        }
        compare("gradient", words, gradient.toDense());
    }

    /** {@return whether the storage holds all elements} */
    private static boolean sound(Tensor tensor) {
        try {
            return tensor.isSparse() || tensor.toDoubleArray().length == tensor.numel();
        } catch (RuntimeException e) {
            return false;
        }
    }

    private void compare(String kind, List<String> words, Tensor value) {
        String what = kind + " " + words.get(1) + " " + operators + ": ";
        requireEqual(what + "dtype ", words.get(2), value.dtype().toString());
        requireEqual(
                what + "shape ",
                Arrays.toString(FuzzProgram.integers(words.get(3))),
                Arrays.toString(value.shape()));
        if (!words.get(4).equals("*")) {
            compareStrides(what, FuzzProgram.integers(words.get(4)), value);
        }
        List<String> expected = words.subList(6, words.size());
        if (value.dtype().isFloating()) {
            compareFractions(what, expected, value, Double.parseDouble(words.get(5)));
        } else {
            compareWhole(what, expected, value);
        }
    }

    /** Compare the strides of dimensions that have some; those of others mean nothing. */
    private static void compareStrides(String what, int[] expected, Tensor value) {
        int[] actual = value.strides();
        for (int d = 0; d < actual.length && value.numel() > 0; d++) {
            if (value.size(d) > 1 && actual[d] != expected[d]) {
                throw new Difference(
                        "%sstrides of %s are %s for %s"
                                .formatted(
                                        what,
                                        Arrays.toString(value.shape()),
                                        Arrays.toString(actual),
                                        Arrays.toString(expected)));
            }
        }
    }

    private static void requireEqual(String what, String expected, String actual) {
        if (!expected.equals(actual)) {
            throw new Difference(what + actual + " for " + expected);
        }
    }

    private static void compareWhole(String what, List<String> expected, Tensor value) {
        long[] actual = value.to(DType.INT64).toLongArray();
        for (int i = 0; i < Math.min(actual.length, expected.size()); i++) {
            String word = expected.get(i);
            if (!word.equals("?") && Long.parseLong(word) != actual[i]) {
                throw new Difference(what + i + ": " + actual[i] + " for " + word);
            }
        }
    }

    private static void compareFractions(
            String what, List<String> expected, Tensor value, double tolerance) {
        double[] actual = value.toDoubleArray();
        double smallest = value.dtype() == DType.FLOAT32 ? Float.MIN_NORMAL : Double.MIN_NORMAL;
        for (int i = 0; i < Math.min(actual.length, expected.size()); i++) {
            String word = expected.get(i);
            if (!word.equals("?")
                    && !near(FuzzProgram.number(word), actual[i], tolerance, smallest)) {
                throw new Difference(what + i + ": " + actual[i] + " for " + word);
            }
        }
    }

    private static boolean near(double expected, double actual, double tolerance, double smallest) {
        if (Double.isNaN(expected) || Double.isInfinite(expected) || Double.isNaN(actual)) {
            return Double.compare(expected, actual) == 0;
        }
        if (expected == 0 && actual == 0) {
            return true;
        }
        double size = Math.abs(expected);
        return Math.abs(expected - actual)
                <= TOLERANCE * size + tolerance * Math.max(size, 1e-3) + ABSOLUTE + smallest;
    }
}
