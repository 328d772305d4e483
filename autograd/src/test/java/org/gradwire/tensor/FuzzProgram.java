package org.gradwire.tensor;

import org.jspecify.annotations.Nullable;

import java.io.BufferedReader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/**
 * A program of operators with the results that PyTorch has; {@code src/test/python/fuzz/program.py}
 * describes its text.
 */
record FuzzProgram(List<List<String>> lines) {

    /** Read the next program, which ends with an empty line; null at the end. */
    static @Nullable FuzzProgram read(BufferedReader reader) throws IOException {
        List<List<String>> lines = new ArrayList<>();
        for (String line = reader.readLine(); line != null; line = reader.readLine()) {
            if (!line.isEmpty()) {
                lines.add(List.of(line.strip().split(" ", -1)));
            } else if (!lines.isEmpty()) {
                return new FuzzProgram(lines);
            }
        }
        return lines.isEmpty() ? null : new FuzzProgram(lines);
    }

    /** Make the input that a line describes. */
    static Tensor input(List<String> words) {
        DType dtype = DType.valueOf(words.get(2).toUpperCase(java.util.Locale.ROOT));
        List<String> elements =
                words.subList(5, words.size()).stream().filter(w -> !w.isEmpty()).toList();
        Tensor flat =
                switch (dtype) {
                    case FLOAT32 -> Tensor.of(floats(elements));
                    case FLOAT64 -> Tensor.of(doubles(elements));
                    case INT32 ->
                            Tensor.of(elements.stream().mapToInt(Integer::parseInt).toArray());
                    case INT64 -> Tensor.of(elements.stream().mapToLong(Long::parseLong).toArray());
                    case BOOL -> Tensor.of(flags(elements));
                    default -> throw new IllegalArgumentException(dtype.toString());
                };
        Tensor shaped = Tensor.empty(dtype, integers(words.get(3)));
        shaped.copy_(Ops.view(flat, shaped.shape()));
        return words.get(4).equals("grad") ? shaped.requiresGrad(true) : shaped;
    }

    private static float[] floats(List<String> words) {
        float[] numbers = new float[words.size()];
        for (int i = 0; i < numbers.length; i++) {
            numbers[i] = (float) number(words.get(i));
        }
        return numbers;
    }

    static double[] doubles(List<String> words) {
        return words.stream().mapToDouble(FuzzProgram::number).toArray();
    }

    private static boolean[] flags(List<String> words) {
        boolean[] flags = new boolean[words.size()];
        for (int i = 0; i < flags.length; i++) {
            flags[i] = words.get(i).equals("1");
        }
        return flags;
    }

    static double number(String word) {
        return switch (word) {
            case "nan" -> Double.NaN;
            case "inf" -> Double.POSITIVE_INFINITY;
            case "-inf" -> Double.NEGATIVE_INFINITY;
            default -> Double.parseDouble(word);
        };
    }

    /** Read {@code 1,2,3}, or {@code -} for none. */
    static int[] integers(String word) {
        return word.equals("-")
                ? new int[0]
                : Arrays.stream(word.split(",", -1)).mapToInt(Integer::parseInt).toArray();
    }

    /** {@return the names of the values that a statement makes; for a change in place none} */
    static List<String> results(List<String> words) {
        boolean none = !words.get(1).endsWith("=") || words.getFirst().equals("-");
        return none ? List.of() : List.of(words.getFirst().split(",", -1));
    }

    /** {@return the names of the values that a statement reads or changes} */
    static List<String> operands(List<String> words) {
        Stream<String> changed =
                isChange(words) ? Stream.of(words.getFirst()) : Stream.<String>empty();
        Stream<String> read =
                words.stream()
                        .skip(3)
                        .map(word -> word.startsWith("Lv") ? word.substring(1) : word)
                        .filter(word -> word.startsWith("v"))
                        .flatMap(word -> Arrays.stream(word.split(",", -1)));
        return Stream.concat(changed, read).toList();
    }

    /** {@return whether a statement changes a value in place} */
    static boolean isChange(List<String> words) {
        return words.get(1).endsWith(".");
    }

    /** {@return whether PyTorch raised an error} */
    static boolean fails(List<String> words) {
        return words.get(1).startsWith("!");
    }
}
