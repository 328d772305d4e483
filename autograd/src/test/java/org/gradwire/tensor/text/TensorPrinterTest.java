package org.gradwire.tensor.text;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.tensor.DType;
import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.storage.Shapes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/**
 * Tensors as text, against what PyTorch printed for the same ones; see {@code
 * src/test/python/generate_printed.py} for how the file is made, and what its lines mean.
 */
class TensorPrinterTest {

    /** A tensor and its text. */
    record Printed(String description, String text) {

        Tensor tensor() {
            String[] words = description.split(" ");
            DType dtype = DType.valueOf(words[0].toUpperCase(Locale.ROOT));
            int[] shape =
                    words[1].equals("-")
                            ? new int[0]
                            : Arrays.stream(words[1].split(","))
                                    .mapToInt(Integer::parseInt)
                                    .toArray();
            Tensor numbers = numbers(dtype, words, Shapes.count(shape)).reshape(shape);
            return switch (words[2]) {
                case "plain" -> numbers;
                case "leaf" -> numbers.requiresGrad(dtype.isFloating());
                case "result" -> numbers.requiresGrad(dtype.isFloating()).neg();
                case "transposed" -> shape.length == 0 ? numbers : numbers.transpose(0, -1);
                default -> throw new AssertionError(description);
            };
        }

        private static Tensor numbers(DType dtype, String[] words, int count) {
            if (words[3].equals("ramp")) {
                double start = Double.parseDouble(words[4]);
                double step = Double.parseDouble(words[5]);
                return Tensor.of(
                                IntStream.range(0, count)
                                        .mapToDouble(i -> start + i * step)
                                        .toArray())
                        .to(dtype);
            }
            var given = Arrays.stream(words).skip(4);
            return dtype == DType.INT64
                    ? Tensor.of(given.mapToLong(Long::parseLong).toArray())
                    : Tensor.of(given.mapToDouble(Double::parseDouble).toArray()).to(dtype);
        }

        @Override
        public String toString() {
            return description.substring(0, Math.min(description.length(), 80));
        }
    }

    static List<Printed> cases() {
        List<Printed> cases = new ArrayList<>();
        for (String block : read().split("(?m)^case ", -1)) {
            if (!block.isEmpty()) {
                List<String> lines = block.lines().toList();
                String text =
                        String.join(
                                "\n",
                                lines.stream().skip(1).map(line -> line.substring(2)).toList());
                cases.add(new Printed(lines.getFirst(), text));
            }
        }
        return cases;
    }

    private static String read() {
        try (InputStream in = TensorPrinterTest.class.getResourceAsStream("/printed.txt")) {
            return in == null ? "" : new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void tableIsNotEmpty() {
        assertTrue(cases().size() > 200, "cases: " + cases().size());
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("cases")
    void printsWhatPyTorchPrints(Printed printed) {
        assertEquals(printed.text(), printed.tensor().toString());
    }
}
