package org.gradwire.tensor;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.rpc.TypeMismatchException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Each row refuses each of its error samples, says why, and leaves the arguments as they were. */
class ErrorSamplesTest {

    /** One operator with one of its error samples. */
    record RefusalCase(OperatorRow row, int sample) {

        Refusal refusal() {
            return row.refusals(new Sampler()).get(sample);
        }

        @Override
        public String toString() {
            return row.name() + " #" + sample;
        }
    }

    /** What a tensor was before a call. */
    private record Before(
            Tensor tensor, Tensor copy, int[] shape, int version, boolean requiresGrad) {

        static Before of(Tensor tensor) {
            return new Before(
                    tensor,
                    AnyLayout.copy(tensor),
                    tensor.shape(),
                    tensor.storage().version(),
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
            assertEquals(version, tensor.storage().version());
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
        Refusal refusal = refusalCase.refusal();
        @Nullable Object[] args = refusal.args();
        List<Before> tensors = tensors(args).stream().map(Before::of).toList();
        @Nullable Object[] others = numbers(args);
        RuntimeException error =
                assertThrows(RuntimeException.class, () -> refusalCase.row().apply(args));
        String message = String.valueOf(error.getMessage());
        assertTrue(
                message.contains(refusal.text()),
                () -> "'" + message + "' should contain '" + refusal.text() + "'");
        if (!(error instanceof TypeMismatchException)) {
            assertEquals(refusal.error(), error.getClass());
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
