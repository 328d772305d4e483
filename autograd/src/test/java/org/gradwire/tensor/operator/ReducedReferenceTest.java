package org.gradwire.tensor.operator;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.tensor.DType;
import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.operator.RowCases.RowCase;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * Values and gradients of the samples in bfloat16 against those that PyTorch gave, where it has a
 * kernel; see {@code src/test/python/generate_reference.py} for how the file is made.
 */
class ReducedReferenceTest {
    private static final double EPSILON = 0x1p-7;
    private static final Map<String, List<String>> REFERENCE = read();

    private static final String ANY_OF_EQUAL = "of equal elements PyTorch may take any first";

    /** Cases that differ, and why. */
    private static final Map<String, String> ACCEPTED =
            Map.of(
                    "aten::kl_div #2", "PyTorch rounds each term, and the sum of those cancels",
                    "aten::sort #2", ANY_OF_EQUAL,
                    "aten::argsort #2", ANY_OF_EQUAL,
                    "aten::topk #2", ANY_OF_EQUAL,
                    "aten::kthvalue #0", ANY_OF_EQUAL,
                    "aten::_unique2 #3", "PyTorch takes 0 and -0 of bfloat16 for two numbers");

    private static Map<String, List<String>> read() {
        try (var in = ReducedReferenceTest.class.getResourceAsStream("/reference_bfloat16.txt")) {
            assertNotNull(in);
            var cases = new LinkedHashMap<String, List<String>>();
            List<String> current = new ArrayList<>();
            for (String line :
                    new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList()) {
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

    static Stream<RowCase> cases() {
        return RowCases.all()
                .filter(rowCase -> REFERENCE.containsKey(rowCase.toString()))
                .filter(rowCase -> !ACCEPTED.containsKey(rowCase.toString()));
    }

    @Test
    void eachCaseOfTheFileIsASample() {
        assertEquals(
                REFERENCE.size() - ACCEPTED.size(),
                cases().count(),
                "generate reference_bfloat16.txt anew");
        assertTrue(REFERENCE.size() > 900);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("cases")
    void valuesAndGradientsAreThoseOfPyTorch(RowCase rowCase) {
        List<String> expected = Objects.requireNonNull(REFERENCE.get(rowCase.toString()));
        @Nullable Object[] args =
                ReducedRowsTest.each(rowCase.args(), x -> ReducedRowsTest.leaf(x, DType.BFLOAT16));
        List<Tensor> results = RowCases.results(rowCase.row().apply(args));
        compare(lines(expected, "out "), results, 2 * EPSILON);
        if (results.getFirst().requiresGrad()) {
            ReducedRowsTest.weighted(results).backward();
            List<Tensor> gradients =
                    rowCase.row().inputs(args).stream()
                            .map(Tensor::grad)
                            .filter(Objects::nonNull)
                            .toList();
            compare(lines(expected, "grad "), gradients, 8 * EPSILON);
        }
    }

    private static List<String> lines(List<String> all, String start) {
        return all.stream()
                .filter(line -> line.startsWith(start))
                .map(line -> line.substring(start.length()))
                .toList();
    }

    private static void compare(List<String> expected, List<Tensor> actual, double steps) {
        assertEquals(expected.size(), actual.size());
        for (int i = 0; i < actual.size(); i++) {
            String[] parts = expected.get(i).split(" ", -1);
            Tensor tensor = actual.get(i);
            assertEquals(parts[0].equals("sparse"), tensor.isSparse());
            assertEquals(parts[1], tensor.dtype().toString());
            assertArrayEquals(shape(parts[2]), tensor.shape());
            double[] numbers =
                    Arrays.stream(parts)
                            .skip(3)
                            .mapToDouble(ReducedReferenceTest::number)
                            .toArray();
            ReducedRowsTest.close(numbers, ReducedRowsTest.dense(tensor), steps);
        }
    }

    private static int[] shape(String text) {
        return text.equals("-")
                ? new int[0]
                : Arrays.stream(text.split(",", -1)).mapToInt(Integer::parseInt).toArray();
    }

    private static double number(String text) {
        return switch (text) { // as Python writes them
            case "nan" -> Double.NaN;
            case "inf" -> Double.POSITIVE_INFINITY;
            case "-inf" -> Double.NEGATIVE_INFINITY;
            case "True" -> 1;
            case "False" -> 0;
            default -> Double.parseDouble(text);
        };
    }
}
