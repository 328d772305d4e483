package org.gradwire.tensor.operator;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.operator.RowCases.RowCase;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Values and gradients of every row and sample against those that PyTorch gave; see {@code
 * src/test/python/generate_reference.py} for how the file is made.
 *
 * <p>Run with {@code -Dgradwire.reference.samples=FILE} to write the samples that the script reads.
 */
class ReferenceTest {
    private static final Map<String, List<String>> REFERENCE = read();

    static Stream<RowCase> cases() {
        return RowCases.all();
    }

    private static Map<String, List<String>> read() {
        try (var in = ReferenceTest.class.getResourceAsStream("/reference.txt")) {
            var cases = new HashMap<String, List<String>>();
            List<String> current = new ArrayList<>();
            String all = in == null ? "" : new String(in.readAllBytes(), StandardCharsets.UTF_8);
            for (String line : all.lines().toList()) {
                if (line.startsWith("case ")) {
                    current = new ArrayList<>();
                    cases.put(line.substring(5), current);
                } else {
                    current.add(line);
                }
            }
            return cases;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void writesSamplesWhenAsked() throws IOException {
        String file = System.getProperty("gradwire.reference.samples");
        String text = cases().map(ReferenceTest::describe).collect(Collectors.joining());
        if (file != null) {
            Files.writeString(Path.of(file), text);
        }
        assertEquals(cases().count(), text.lines().filter(l -> l.startsWith("case ")).count());
    }

    private static String describe(RowCase rowCase) {
        return "case "
                + rowCase
                + "\n"
                + argumentLines(rowCase.args()).stream()
                        .map(line -> line + "\n")
                        .collect(Collectors.joining());
    }

    private static List<String> argumentLines(@Nullable Object[] args) {
        List<String> lines = new ArrayList<>();
        for (Object arg : args) {
            switch (arg) {
                case null -> lines.add("arg none");
                case Tensor tensor when tensor.isSparse() -> {
                    lines.add("arg sparse " + (tensor.isCoalesced() ? "coalesced" : "any"));
                    addSparse(lines, tensor);
                }
                case Tensor tensor -> lines.add("arg " + line(tensor));
                case List<?> list -> {
                    lines.add("arg list " + list.size());
                    list.forEach(element -> addElement(lines, (Tensor) element));
                }
                case int[] ints -> lines.add("arg ints " + joined(ints));
                default ->
                        lines.add(
                                "arg "
                                        + arg.getClass().getSimpleName().toLowerCase(Locale.ROOT)
                                        + " "
                                        + arg);
            }
        }
        return lines;
    }

    private static void addElement(List<String> lines, Tensor tensor) {
        if (tensor.isSparse()) {
            lines.add("element sparse any");
            addSparse(lines, tensor);
        } else {
            lines.add("element " + line(tensor));
        }
    }

    private static void addSparse(List<String> lines, Tensor tensor) {
        lines.add("indices " + line(tensor.heldIndices()));
        lines.add("values " + line(tensor.heldValues()));
        lines.add("shape " + joined(tensor.shape()));
    }

    private static String joined(int[] ints) {
        return ints.length == 0
                ? "-"
                : Arrays.stream(ints).mapToObj(Integer::toString).collect(Collectors.joining(","));
    }

    private static String line(Tensor tensor) {
        String values =
                Arrays.stream(tensor.toDoubleArray())
                        .mapToObj(Double::toString)
                        .collect(Collectors.joining(" "));
        boolean constant = tensor.dtype().isFloating() && !tensor.requiresGrad();
        return "%s %s %s %s"
                .formatted(
                        constant ? "constant" : "tensor",
                        tensor.dtype(),
                        joined(tensor.shape()),
                        values)
                .strip();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("cases")
    void valuesAndGradientsAreThoseOfPyTorch(RowCase rowCase) {
        List<String> expected = REFERENCE.get(rowCase.toString());
        assertNotNull(expected, rowCase + " is not in reference.txt; generate it again");
        @Nullable Object[] args = rowCase.args();
        assertEquals(
                argumentLines(args),
                expected.stream()
                        .filter(l -> !l.startsWith("out ") && !l.startsWith("grad "))
                        .toList(),
                "the samples changed; generate reference.txt again");
        List<Tensor> results = RowCases.results(rowCase.row().apply(args));
        compare(rowCase + " result", lines(expected, "out "), results);
        List<Tensor> leaves = rowCase.leaves(args);
        if (results.getFirst().requiresGrad()) {
            RowCases.mixed(results).backward();
            compare(
                    rowCase + " gradient",
                    lines(expected, "grad "),
                    leaves.stream().map(Tensor::grad).toList());
        }
    }

    private static List<String> lines(List<String> all, String start) {
        return all.stream()
                .filter(line -> line.startsWith(start))
                .map(line -> line.substring(start.length()))
                .toList();
    }

    private static double number(String text) {
        return switch (text) { // as Python writes them
            case "nan" -> Double.NaN;
            case "inf" -> Double.POSITIVE_INFINITY;
            case "-inf" -> Double.NEGATIVE_INFINITY;
            default -> Double.parseDouble(text);
        };
    }

    private static void compare(String what, List<String> expected, List<Tensor> actual) {
        assertEquals(expected.size(), actual.size(), what);
        IntStream.range(0, expected.size())
                .forEach(i -> {
                    String[] parts = expected.get(i).split(" ");
                    Tensor tensor = actual.get(i);
                    assertEquals(parts[1], tensor.dtype().toString(), what);
                    assertEquals(parts[2], joined(tensor.shape()), what);
                    assertEquals(parts[0].equals("sparse"), tensor.isSparse(), what + " is sparse");
                    double[] values =
                            Arrays.stream(parts)
                                    .skip(3)
                                    .mapToDouble(ReferenceTest::number)
                                    .toArray();
                    assertArrayEquals(values, tensor.toDense().toDoubleArray(), 1e-9, what);
                });
    }
}
