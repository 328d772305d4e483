package org.gradwire.tensor.operator;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.rpc.TypeMismatchException;
import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.access.TensorAccess;
import org.gradwire.tensor.operator.library.TensorOperators;
import org.gradwire.tensor.operator.sample.ErrorSample;
import org.gradwire.tensor.operator.sample.Sampler;
import org.gradwire.tensor.rule.GradientArithmetic;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Each row refuses each of its error samples with a reason, and leaves the arguments unchanged. */
class ErrorSamplesTest {

    /** One operator with one of its error samples. */
    record RefusalCase(OperatorRow row, int sample) {

        ErrorSample errorSample() {
            return row.refusals(new Sampler()).get(sample);
        }

        @Override
        public String toString() {
            return row.name() + " #" + sample;
        }
    }

    /** A snapshot of a tensor before a call. */
    private record Before(
            Tensor tensor, Tensor copy, int[] shape, int version, boolean requiresGrad) {

        static Before of(Tensor tensor) {
            return new Before(
                    tensor,
                    GradientArithmetic.copy(tensor),
                    tensor.shape(),
                    TensorAccess.storage(tensor).version(),
                    tensor.requiresGrad());
        }

        private static double[] elements(Tensor tensor) {
            Tensor x = tensor.detach();
            return (x.isSparse() ? x.toDense() : x).toDoubleArray();
        }

        void assertSame() {
            assertArrayEquals(shape, tensor.shape());
            assertEquals(copy.dtype(), tensor.dtype());
            assertEquals(copy.layout(), tensor.layout());
            assertArrayEquals(elements(copy), elements(tensor));
            assertEquals(version, TensorAccess.storage(tensor).version());
            assertEquals(requiresGrad, tensor.requiresGrad());
            assertNull(tensor.grad());
        }
    }

    static Stream<RefusalCase> cases() {
        return TensorOperators.rows().stream()
                .flatMap(row ->
                        IntStream.range(0, row.refusals(new Sampler()).size())
                                .mapToObj(i -> new RefusalCase(row, i)));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("cases")
    void argumentsAreRefusedAndStayAsTheyWere(RefusalCase refusalCase) {
        ErrorSample errorSample = refusalCase.errorSample();
        @Nullable Object[] args = errorSample.args();
        List<Before> tensors = tensors(args).stream().map(Before::of).toList();
        @Nullable Object[] others = numbers(args);
        RuntimeException error =
                assertThrows(RuntimeException.class, () -> refusalCase.row().apply(args));
        String message = String.valueOf(error.getMessage());
        assertTrue(
                message.contains(errorSample.text()),
                () -> "'" + message + "' should contain '" + errorSample.text() + "'");
        if (!(error instanceof TypeMismatchException)) {
            assertEquals(errorSample.error(), error.getClass());
        }
        tensors.forEach(Before::assertSame);
        assertArrayEquals(others, numbers(args));
    }

    @Test
    void eachRowHasErrorSamples() {
        List<String> without =
                TensorOperators.rows().stream()
                        .filter(row -> row.refusals(new Sampler()).isEmpty())
                        .map(OperatorRow::name)
                        .toList();
        assertEquals(List.of(), without);
    }

    private static List<Tensor> tensors(@Nullable Object[] args) {
        List<Tensor> found = new ArrayList<>();
        for (Object arg : args) {
            if (arg instanceof Tensor tensor) {
                found.add(tensor);
            } else if (arg instanceof List<?> list) {
                list.forEach(each -> found.add((Tensor) each));
            }
        }
        return found;
    }

    /** Return copies of the arguments that are lists of numbers, and null for the others. */
    private static @Nullable Object[] numbers(@Nullable Object[] args) {
        var copies = new @Nullable Object[args.length];
        for (int i = 0; i < args.length; i++) {
            copies[i] = args[i] instanceof int[] numbers ? numbers.clone() : null;
        }
        return copies;
    }
}
