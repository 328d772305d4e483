package org.gradwire.tensor.rule;

import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.access.TensorAccess;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Einstein summation: products of tensors with labeled dimensions, summed over the labels that the
 * result lacks. Operands are multiplied from left to right, each pair as a batch of matrices.
 *
 * <p>A letter is its own label; dimensions of an ellipsis have labels above all letters.
 */
public final class Einsum {
    private static final String ELLIPSIS = "...";
    private static final int FIRST_OF_ELLIPSIS = 1 << 16;

    private final String[] terms;
    private final int ellipsis; // how many dimensions it has at most
    private final Map<Integer, Integer> sizes = new HashMap<>();
    private final Map<Integer, Integer> counts = new HashMap<>();

    private Einsum(String[] terms, List<Tensor> operands) {
        this.terms = terms;
        int most = 0;
        for (int i = 0; i < terms.length; i++) {
            int letters = terms[i].replace(ELLIPSIS, "").length();
            if (terms[i].contains(ELLIPSIS)) {
                most = Math.max(most, TensorAccess.dims(operands.get(i)).length - letters);
            }
        }
        this.ellipsis = most;
    }

    public static Tensor of(String equation, List<Tensor> operands) {
        String text = equation.replace(" ", "");
        int arrow = text.indexOf("->");
        String left = arrow < 0 ? text : text.substring(0, arrow);
        String[] terms = left.split(",", -1);
        requireOperands(terms.length, operands.size());
        for (String term : terms) {
            requireLetters(term);
        }
        var einsum = new Einsum(terms, operands);
        List<Tensor> tensors = new ArrayList<>();
        List<int[]> labels = new ArrayList<>();
        for (int i = 0; i < terms.length; i++) {
            int[] own = einsum.labels(i, operands.get(i));
            einsum.note(own, operands.get(i), i);
            labels.add(own);
            tensors.add(operands.get(i));
        }
        int[] output = einsum.output(arrow < 0 ? null : text.substring(arrow + 2));
        return einsum.contract(tensors, labels, output);
    }

    private static void requireOperands(int expected, int given) {
        if (given != expected) {
            throw new IllegalArgumentException(
                    "einsum(): %s operands were provided than specified in the equation: %d, expected %d"
                            .formatted(given > expected ? "more" : "fewer", given, expected));
        }
    }

    private static void requireLetters(String term) {
        String letters = term.replaceFirst("\\.\\.\\.", "");
        for (int i = 0; i < letters.length(); i++) {
            char c = letters.charAt(i);
            if (!(c >= 'a' && c <= 'z') && !(c >= 'A' && c <= 'Z')) {
                throw new IllegalArgumentException(
                        "einsum(): invalid subscript given at index %d in '%s', subscripts must be in [a-zA-Z] with one ellipsis at most"
                                .formatted(i, term));
            }
        }
    }

    private int[] labels(int index, Tensor operand) {
        String term = terms[index];
        int letters = term.replace(ELLIPSIS, "").length();
        int rest = TensorAccess.dims(operand).length - letters;
        if (rest < 0 || (rest > 0 && !term.contains(ELLIPSIS))) {
            throw new IllegalArgumentException(
                    "einsum(): the number of subscripts in the equation (%d) does not match the number of dimensions (%d) for operand %d%s"
                            .formatted(
                                    letters,
                                    TensorAccess.dims(operand).length,
                                    index,
                                    term.contains(ELLIPSIS) ? "" : " and no ellipsis was given"));
        }
        return expanded(term, rest);
    }

    /** {@return the labels of a term, with some of an ellipsis, which are the last of all} */
    private int[] expanded(String term, int rest) {
        int dots = term.indexOf(ELLIPSIS);
        IntStream before = term.substring(0, Math.max(dots, 0)).chars();
        if (dots < 0) {
            return term.chars().toArray();
        }
        int first = FIRST_OF_ELLIPSIS + ellipsis - rest;
        IntStream within = IntStream.range(first, first + rest);
        IntStream after = term.substring(dots + ELLIPSIS.length()).chars();
        return IntStream.concat(IntStream.concat(before, within), after).toArray();
    }

    private void note(int[] labels, Tensor operand, int index) {
        for (int d = 0; d < labels.length; d++) {
            requireSquare(labels, d, operand, index);
            int size = TensorAccess.dims(operand)[d];
            int label = labels[d];
            int known = sizes.getOrDefault(label, 1);
            if (known != 1 && size != 1 && known != size) {
                throw new IllegalArgumentException(
                        "einsum(): operands do not broadcast with remapped shapes: subscript %s has size %d and %d"
                                .formatted(name(label), known, size));
            }
            sizes.put(label, known == 1 ? size : known);
            counts.merge(label, 1, Integer::sum);
        }
    }

    /** Check that a dimension has the size of earlier ones of the operand with its label. */
    private static void requireSquare(int[] labels, int d, Tensor operand, int index) {
        for (int e = 0; e < d; e++) {
            if (labels[e] == labels[d]
                    && TensorAccess.dims(operand)[e] != TensorAccess.dims(operand)[d]) {
                throw new IllegalArgumentException(
                        "einsum(): subscript %s is repeated for operand %d but the sizes don't match, %d != %d"
                                .formatted(
                                        name(labels[d]),
                                        index,
                                        TensorAccess.dims(operand)[d],
                                        TensorAccess.dims(operand)[e]));
            }
        }
    }

    private static String name(int label) {
        return label >= FIRST_OF_ELLIPSIS ? ELLIPSIS : Character.toString(label);
    }

    private int[] output(@Nullable String given) {
        if (given == null) {
            IntStream once =
                    counts.keySet().stream()
                            .filter(l -> l < FIRST_OF_ELLIPSIS && counts.getOrDefault(l, 0) == 1)
                            .mapToInt(Integer::intValue)
                            .sorted();
            IntStream dots = IntStream.range(FIRST_OF_ELLIPSIS, FIRST_OF_ELLIPSIS + ellipsis);
            return IntStream.concat(dots, once).toArray();
        }
        requireLetters(given);
        int[] labels = expanded(given, ellipsis);
        Set<Integer> seen = new LinkedHashSet<>();
        for (int label : labels) {
            if (!sizes.containsKey(label)) {
                throw new IllegalArgumentException(
                        "einsum(): output subscript %s does not appear in the equation for any input operand"
                                .formatted(name(label)));
            }
            if (!seen.add(label)) {
                throw new IllegalArgumentException(
                        "einsum(): output subscript %s appears more than once in the output"
                                .formatted(name(label)));
            }
        }
        return labels;
    }

    private Tensor contract(List<Tensor> operands, List<int[]> labels, int[] output) {
        Labelled result = broadcast(diagonal(operands.getFirst(), labels.getFirst()));
        for (int i = 1; i < operands.size(); i++) {
            Set<Integer> kept = new LinkedHashSet<>();
            Arrays.stream(output).forEach(kept::add);
            labels.subList(i + 1, labels.size())
                    .forEach(later -> Arrays.stream(later).forEach(kept::add));
            Labelled next = broadcast(diagonal(operands.get(i), labels.get(i)));
            result = multiply(result, next, kept);
        }
        return ordered(summed(result, output), output);
    }

    /** A tensor and the labels of its dimensions, each once. */
    private record Labelled(Tensor tensor, List<Integer> labels) {

        int size(int label) {
            return TensorAccess.dims(tensor)[labels.indexOf(label)];
        }

        /** {@return the tensor with the dimensions of some labels, in that order, as one each} */
        Tensor grouped(List<List<Integer>> groups) {
            int[] order = groups.stream().flatMap(List::stream).mapToInt(labels::indexOf).toArray();
            int[] shape =
                    groups.stream()
                            .mapToInt(group ->
                                    group.stream().mapToInt(this::size).reduce(1, (a, b) -> a * b))
                            .toArray();
            return tensor.permute(order).reshape(shape);
        }
    }

    private static Labelled diagonal(Tensor operand, int[] all) {
        List<Integer> labels = new ArrayList<>(Arrays.stream(all).boxed().toList());
        Tensor tensor = operand;
        for (int d = 0; d < labels.size(); d++) {
            int label = labels.get(d);
            int other = labels.lastIndexOf(label);
            if (other != d) {
                tensor = tensor.diagonal(0, d, other);
                labels.subList(other, other + 1).clear();
                labels.subList(d, d + 1).clear();
                labels.add(label);
                d = -1; // the dimensions have moved
            }
        }
        return new Labelled(tensor, labels);
    }

    private Labelled broadcast(Labelled operand) {
        int[] shape =
                operand.labels.stream().mapToInt(label -> sizes.getOrDefault(label, 1)).toArray();
        return Arrays.equals(shape, TensorAccess.dims(operand.tensor))
                ? operand
                : new Labelled(operand.tensor.expand(shape), operand.labels);
    }

    /** Multiply two operands, and sum over labels that are no longer needed. */
    private static Labelled multiply(Labelled first, Labelled second, Set<Integer> kept) {
        Labelled a = reduced(first, second.labels, kept);
        Labelled b = reduced(second, first.labels, kept);
        List<Integer> batch = new ArrayList<>();
        List<Integer> summed = new ArrayList<>();
        for (Integer label : a.labels) {
            if (b.labels.contains(label)) {
                (kept.contains(label) ? batch : summed).add(label);
            }
        }
        List<Integer> left = without(a.labels, b.labels);
        List<Integer> right = without(b.labels, a.labels);
        Tensor product =
                a.grouped(List.of(batch, left, summed))
                        .bmm(b.grouped(List.of(batch, summed, right)));
        List<Integer> labels = new ArrayList<>(batch);
        labels.addAll(left);
        labels.addAll(right);
        int[] shape =
                labels.stream()
                        .mapToInt(label -> (a.labels.contains(label) ? a : b).size(label))
                        .toArray();
        return new Labelled(product.reshape(shape), labels);
    }

    /** Sum over the labels that neither the other operand nor the result has. */
    private static Labelled reduced(Labelled operand, List<Integer> others, Set<Integer> kept) {
        List<Integer> wanted =
                operand.labels.stream()
                        .filter(label -> others.contains(label) || kept.contains(label))
                        .toList();
        return summed(operand, wanted.stream().mapToInt(Integer::intValue).toArray());
    }

    private static Labelled summed(Labelled operand, int[] kept) {
        List<Integer> wanted = Arrays.stream(kept).boxed().toList();
        int[] gone =
                IntStream.range(0, operand.labels.size())
                        .filter(d -> !wanted.contains(operand.labels.get(d)))
                        .toArray();
        if (gone.length == 0) {
            return operand;
        }
        return new Labelled(
                operand.tensor.sum(gone, false),
                operand.labels.stream().filter(wanted::contains).toList());
    }

    private static List<Integer> without(List<Integer> labels, List<Integer> others) {
        return labels.stream().filter(label -> !others.contains(label)).toList();
    }

    private static Tensor ordered(Labelled operand, int[] output) {
        return operand.tensor.permute(Arrays.stream(output).map(operand.labels::indexOf).toArray());
    }

    /** Multiply two tensors with labels, each once in one of them; the result has some labels. */
    public static Tensor product(Tensor a, int[] aLabels, Tensor b, int[] bLabels, int[] result) {
        Set<Integer> kept = new LinkedHashSet<>();
        Arrays.stream(result).forEach(kept::add);
        Labelled first = new Labelled(a, Arrays.stream(aLabels).boxed().toList());
        Labelled second = new Labelled(b, Arrays.stream(bLabels).boxed().toList());
        return ordered(multiply(first, second, kept), result);
    }
}
