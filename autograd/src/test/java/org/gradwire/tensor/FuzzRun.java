package org.gradwire.tensor;

import org.gradwire.rpc.TypeMismatchException;
import org.gradwire.tensor.storage.Storage;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Executes a {@link FuzzProgram} and looks for the first difference from PyTorch that {@link
 * FuzzTriage} does not accept. After an accepted one the run continues without the values that
 * depend on it.
 */
final class FuzzRun {
    private final Map<String, Tensor> values = new LinkedHashMap<>();
    private final List<List<String>> statements = new ArrayList<>();

    /** Values that are missing or differ, and what was computed from them. */
    private final Set<String> excluded = new HashSet<>();

    /** The statements that read or made values in some memory. */
    private final Map<Storage, Set<List<String>>> uses = new HashMap<>();

    /** The statements whose values a later one changed. */
    private final Set<List<String>> changed = new LinkedHashSet<>();

    private final Set<String> accepted = new LinkedHashSet<>();
    private boolean mixed;

    /**
     * The result of a run.
     *
     * @param difference the first difference that is not accepted: its kind, the operator that
     *     produced it, and what differs
     * @param accepted the rules that accepted others
     */
    record Outcome(Optional<String> difference, Set<String> accepted) {}

    /** A difference that no rule accepts, which ends a run. */
    private static final class Difference extends RuntimeException {
        private static final long serialVersionUID = 1;

        Difference(String text) {
            super(text, null, false, false);
        }
    }

    private FuzzRun() {}

    static Outcome of(FuzzProgram program) {
        var run = new FuzzRun();
        try {
            program.lines().forEach(run::execute);
            return new Outcome(Optional.empty(), run.accepted);
        } catch (Difference difference) {
            return new Outcome(Optional.ofNullable(difference.getMessage()), run.accepted);
        }
    }

    private void execute(List<String> words) {
        switch (words.getFirst()) {
            case "in" -> {
                values.put(words.get(1), FuzzProgram.input(words));
                mixed |= words.get(2).equals("float32");
            }
            case "is" -> compareValue(words);
            case "grad" -> compareGradient(words);
            case "backward" -> backward(words);
            default -> operate(words);
        }
    }

    /** Accept a difference, and exclude what it affects; fail where no rule accepts it. */
    private void report(String difference, Collection<String> affected) {
        accepted.add(FuzzTriage.rule(difference).orElseThrow(() -> new Difference(difference)));
        excluded.addAll(affected);
    }

    private void operate(List<String> words) {
        statements.add(words);
        List<String> affected =
                FuzzProgram.isChange(words)
                        ? sharing(words.getFirst())
                        : FuzzProgram.results(words);
        if (excludes(FuzzProgram.operands(words))) {
            excluded.addAll(affected);
            return;
        }
        Object result;
        try {
            result = apply(words);
        } catch (RuntimeException | Error e) {
            requireError(e, text(words));
            if (!FuzzProgram.fails(words)) {
                report("raises " + text(words) + ": " + e, affected);
            }
            return;
        }
        if (FuzzProgram.fails(words)) {
            report("silent " + text(words) + " gives " + FuzzText.of(result), affected);
        } else if (!FuzzProgram.isChange(words)) {
            keep(words, result);
        }
    }

    private boolean excludes(Collection<String> names) {
        return names.stream().anyMatch(excluded::contains);
    }

    /** {@return the values in the memory of another one, and that one} */
    private List<String> sharing(String name) {
        Tensor target = values.get(name);
        if (target == null) {
            return List.of(name);
        }
        return values.entrySet().stream()
                .filter(entry -> entry.getValue().storage().equals(target.storage()))
                .map(Map.Entry::getKey)
                .toList();
    }

    private Object apply(List<String> words) {
        @Nullable Object[] args = arguments(words);
        if (!FuzzProgram.isChange(words)) {
            return FuzzCall.apply(words.get(2), args);
        }
        Tensor target = value(words.getFirst());
        changed.addAll(uses.getOrDefault(target.storage(), Set.of()));
        return FuzzChanges.apply(words.get(2), target, args);
    }

    private void keep(List<String> words, Object result) {
        List<?> results = result instanceof List<?> list ? list : List.of(result);
        List<String> names = FuzzProgram.results(words);
        if (results.size() != names.size()) {
            throw new Difference(
                    "count " + text(words) + ": " + results.size() + " for " + names.size());
        }
        for (int i = 0; i < names.size(); i++) {
            Tensor each = (Tensor) results.get(i);
            values.put(names.get(i), each);
            mixed |= each.dtype() == DType.FLOAT32;
            if (each.requiresGrad() && !each.isLeaf()) {
                each.retainGrad();
            }
        }
        Stream.concat(FuzzProgram.operands(words).stream(), names.stream())
                .map(name -> value(name).storage())
                .forEach(s -> uses.computeIfAbsent(s, any -> new LinkedHashSet<>()).add(words));
    }

    /** Fail unless the exception is one that operators document. */
    private static void requireError(Throwable e, String what) {
        boolean documented =
                e.getClass() == IllegalArgumentException.class
                        || e.getClass() == IndexOutOfBoundsException.class
                        || e.getClass() == IllegalStateException.class
                        || e.getClass() == UnsupportedOperationException.class
                        || e.getClass() == ArithmeticException.class
                        || e instanceof TypeMismatchException;
        if (!documented) {
            throw new Difference("internal " + what + ": " + e);
        }
    }

    private @Nullable Object[] arguments(List<String> words) {
        return FuzzCall.arguments(words, this::value);
    }

    private Tensor value(String name) {
        return Objects.requireNonNull(values.get(name), name);
    }

    /** {@return the operator of a statement with its arguments} */
    private String text(List<String> words) {
        Stream<@Nullable Object> target =
                FuzzProgram.isChange(words) ? Stream.of(value(words.getFirst())) : Stream.empty();
        return Stream.concat(target, Arrays.stream(arguments(words)))
                .map(FuzzText::of)
                .collect(Collectors.joining(", ", words.get(2) + "(", ")"));
    }

    private String texts(Stream<List<String>> some) {
        return some.filter(words -> values.keySet().containsAll(FuzzProgram.operands(words)))
                .map(this::text)
                .toList()
                .toString();
    }

    private void compareValue(List<String> words) {
        String name = words.get(1);
        if (!excluded.contains(name)) {
            List<String> producer = statements.getLast();
            FuzzComparison.difference(words, value(name), false)
                    .ifPresent(it ->
                            report(
                                    "value " + text(producer) + place(producer, name) + ": " + it,
                                    Set.of(name)));
        }
    }

    /** {@return which of several results a value is} */
    private static String place(List<String> producer, String name) {
        List<String> results = FuzzProgram.results(producer);
        return results.size() < 2 ? "" : ", result " + results.indexOf(name);
    }

    private void backward(List<String> words) {
        boolean fails = words.size() > 2;
        List<String> roots = List.of(words.get(1).split(",", -1));
        try {
            loss(roots).backward();
        } catch (RuntimeException | Error e) {
            requireError(e, "backward " + texts(differentiated()));
            if (!fails && excluded.isEmpty()) {
                report("raises backward " + culprits() + ": " + e, values.keySet());
            }
            excluded.addAll(values.keySet());
            return;
        }
        if (fails && excluded.isEmpty()) {
            report("silent backward " + culprits(), values.keySet());
        }
    }

    private Tensor loss(List<String> roots) {
        Tensor loss = Tensor.zeros(DType.FLOAT64).requiresGrad(true);
        for (String name : roots) {
            Tensor root = values.get(name);
            if (root != null && (root.requiresGrad() || !excluded.contains(name))) {
                loss = loss.add(root.to(DType.FLOAT64).mul(weights(root)).sum());
            }
        }
        return loss;
    }

    /**
     * {@return the possible causes of a failed backward: operators on memory that was changed
     * later}
     */
    private String culprits() {
        List<List<String>> all = differentiated().toList();
        List<List<String>> some = all.stream().filter(changed::contains).toList();
        return texts((some.isEmpty() ? all : some).stream());
    }

    private Stream<List<String>> differentiated() {
        return statements.stream()
                .filter(words ->
                        FuzzProgram.results(words).stream()
                                .map(values::get)
                                .anyMatch(each -> each != null && each.requiresGrad()));
    }

    private static Tensor weights(Tensor like) {
        double[] weights = new double[like.numel()];
        for (int i = 0; i < weights.length; i++) {
            weights[i] = (i % 7 - 3) / 2.0 + 0.125;
        }
        return Tensor.of(weights, like.shape());
    }

    /** Compare a gradient; those of all that was computed from its value were compared before. */
    private void compareGradient(List<String> words) {
        String name = words.get(1);
        // Nothing is known of the values after an accepted difference.
        if (values.containsKey(name) && isFirst(name) && !excludes(computedFrom(name))) {
            gradientDifference(words, value(name))
                    .ifPresent(it -> report("gradient " + readers(name) + ": " + it, Set.of(name)));
        }
    }

    /** {@return the operators that read a value; the one that made it where none did} */
    private String readers(String name) {
        List<List<String>> readers =
                statements.stream()
                        .filter(words -> FuzzProgram.operands(words).contains(name))
                        .toList();
        Stream<String> makers =
                statements.stream()
                        .filter(words -> FuzzProgram.results(words).contains(name))
                        .map(this::text);
        return readers.isEmpty()
                ? "of " + makers.findFirst().orElse("an input")
                : texts(readers.stream());
    }

    /** {@return whether a value is not an argument that its operator returned} */
    private boolean isFirst(String name) {
        Tensor value = value(name);
        return values.entrySet().stream()
                .filter(entry -> entry.getValue() == value)
                .findFirst()
                .filter(entry -> entry.getKey().equals(name))
                .isPresent();
    }

    private Set<String> computedFrom(String name) {
        Set<String> names = new HashSet<>(Set.of(name));
        for (List<String> words : statements) {
            if (FuzzProgram.operands(words).stream().anyMatch(names::contains)) {
                names.addAll(FuzzProgram.results(words));
            }
        }
        return names;
    }

    private Optional<String> gradientDifference(List<String> words, Tensor value) {
        Tensor gradient = value.grad();
        boolean none = words.get(2).equals("none");
        if (gradient == null) {
            return none
                    ? Optional.empty()
                    : Optional.of("none for " + words.subList(2, words.size()));
        }
        Tensor dense = gradient.toDense();
        if (none) {
            boolean zero = Arrays.stream(dense.toDoubleArray()).allMatch(each -> each == 0);
            return Optional.of((zero ? "zeros" : dense) + " for none");
        }
        return FuzzComparison.difference(words, dense, mixed);
    }
}
