package org.gradwire.tensor.operator;

import static org.gradwire.tensor.testing.FailureAssertions.assertFails;
import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.tensor.DType;
import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.access.DTypeAccess;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.function.BinaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The types that operators give for all pairs of operands, and what they refuse, against what
 * PyTorch does; see {@code src/test/python/generate_promotion.py} for how the file is made.
 */
class PromotionTest {
    private static final Tensor MASK = Tensor.of(true, true);

    /** Parts of PyTorch's texts that name operators of Python, each with its counterpart here. */
    private static final Map<String, String> REWORDED =
            Map.of(
                    "masked_fill_ only",
                    "masked_fill only",
                    "Subtraction, the `-` operator, with two bool tensors is not supported. Use the `^` or `logical_xor()` operator instead.",
                    "sub does not take two bool tensors; use logicalXor()",
                    "Subtraction, the `-` operator, with a bool tensor is not supported. If you are trying to invert a mask, use the `~` or `logical_not()` operator instead.",
                    "sub does not take a bool tensor. To invert a mask, use logicalNot().");

    /** One line of the file. */
    private record Line(String operator, String left, String right, String expected) {

        static Line parse(String text) {
            String[] parts = text.split(" ", 4);
            return new Line(parts[0], parts[1], parts[2], parts[3]);
        }

        void check() {
            Object a = operand(left);
            Object b = operand(right);
            if (expected.startsWith("error ")) {
                assertFails(IllegalArgumentException.class, text(), () -> result(a, b));
            } else {
                assertEquals(expected, result(a, b).toString(), toString());
            }
        }

        private String text() {
            String text = expected.substring("error ".length());
            for (Map.Entry<String, String> reworded : REWORDED.entrySet()) {
                text = text.replace(reworded.getKey(), reworded.getValue());
            }
            return text;
        }

        private DType result(Object a, Object b) {
            if (a instanceof Tensor x) {
                return b instanceof Tensor y ? ofTensors(x, y) : withNumber(x, (Number) b);
            }
            return b instanceof Tensor y
                    ? Ops.where(MASK, (Number) a, y).dtype()
                    : Ops.where(MASK, (Number) a, (Number) b).dtype();
        }

        private DType ofTensors(Tensor a, Tensor b) {
            BinaryOperator<Tensor> rule =
                    switch (operator) {
                        case "result_type" -> (x, y) -> Tensor.zeros(Promotion.of(x, y));
                        case "add" -> Ops::add;
                        case "sub" -> Ops::sub;
                        case "mul" -> Ops::mul;
                        case "div" -> Ops::div;
                        case "eq" -> Ops::eq;
                        case "lt" -> Ops::lt;
                        case "logical_xor" -> Ops::logicalXor;
                        case "where" -> (x, y) -> Ops.where(MASK, x, y);
                        case "masked_fill" -> (x, y) -> x.maskedFill(MASK, y);
                        case "cat" -> (x, y) -> Ops.cat(List.of(x, y), 0);
                        case "stack" -> (x, y) -> Ops.stack(List.of(x, y), 0);
                        case "add_" -> Tensor::add_;
                        case "copy_" -> Tensor::copy_;
                        default -> throw new AssertionError(operator);
                    };
            return rule.apply(a, b).dtype();
        }

        private DType withNumber(Tensor a, Number b) {
            return switch (operator) {
                case "result_type" -> DTypeAccess.promote(a.dtype(), b);
                case "add" -> a.add(b).dtype();
                case "sub" -> a.sub(b).dtype();
                case "mul" -> a.mul(b).dtype();
                case "div" -> a.div(b).dtype();
                case "pow" -> a.pow(b).dtype();
                case "eq" -> a.eq(b).dtype();
                case "lt" -> a.lt(b).dtype();
                case "where" -> a.where(MASK, b).dtype();
                case "masked_fill" -> a.maskedFill(MASK, b).dtype();
                case "mul_" -> a.mul_(b).dtype();
                case "add_" -> {
                    Promotion.inPlace(DTypeAccess.promote(a.dtype(), b), a);
                    yield a.dtype();
                }
                default -> throw new AssertionError(operator);
            };
        }
    }

    private static Object operand(String text) {
        if (!text.contains("[")) {
            return text.contains(".") ? (Number) Double.valueOf(text) : Integer.valueOf(text);
        }
        String name = text.substring(0, text.indexOf('['));
        DType dtype =
                Stream.of(DType.values())
                        .filter(each -> each.toString().equals(name))
                        .findFirst()
                        .orElseThrow();
        return text.endsWith("[]") ? Tensor.ones(dtype) : Tensor.ones(dtype, 2);
    }

    private static Map<String, List<Line>> lines() {
        try (var in = PromotionTest.class.getResourceAsStream("/promotion.txt")) {
            assertNotNull(in);
            return new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .map(Line::parse)
                    .collect(Collectors.groupingBy(Line::operator));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static Stream<String> operators() {
        return lines().keySet().stream().sorted();
    }

    @ParameterizedTest
    @MethodSource("operators")
    void resultsHaveTheTypesOfPyTorch(String operator) {
        List<Line> lines = lines().getOrDefault(operator, List.of());
        for (DType dtype : DType.values()) {
            assertTrue(lines.stream().anyMatch(line -> line.left().startsWith(dtype.toString())));
        }
        assertTrue(lines.size() >= 20, "each with operands of all types");
        assertAll(lines.stream().map(line -> (Executable) line::check));
    }
}
