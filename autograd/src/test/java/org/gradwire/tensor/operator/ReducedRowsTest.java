package org.gradwire.tensor.operator;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.tensor.DType;
import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.access.DTypeAccess;
import org.gradwire.tensor.access.TensorAccess;
import org.gradwire.tensor.operator.RowCases.RowCase;
import org.gradwire.tensor.storage.Storage;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.util.Arrays;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * Every row and sample in float16 and bfloat16: the float32 result for the same numbers, rounded
 * once.
 */
class ReducedRowsTest {
    private static final List<String> OPERANDS = List.of("self", "other", "exponent", "min", "max");

    /** A sample and the type into which its floating-point numbers are converted. */
    record Case(RowCase rowCase, DType dtype) {

        /** {@return the difference between 1 and the next number} */
        double epsilon() {
            return dtype == DType.FLOAT16 ? 0x1p-10 : 0x1p-7;
        }

        @Override
        public String toString() {
            return rowCase + " " + dtype;
        }
    }

    /** {@return the samples with floating-point numbers, in both types} */
    static Stream<Case> cases() {
        return RowCases.all()
                .filter(rowCase ->
                        rowCase.row().inputs(rowCase.args()).stream()
                                .anyMatch(input -> input.dtype().isFloating()))
                .flatMap(rowCase ->
                        Stream.of(DType.FLOAT16, DType.BFLOAT16)
                                .map(dtype -> new Case(rowCase, dtype)));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("cases")
    void resultsAreThoseOfFloat32RoundedOnce(Case test) {
        OperatorRow row = test.rowCase.row();
        DType dtype = test.dtype;
        @Nullable Object[] reduced = each(test.rowCase.args(), x -> leaf(x, dtype));
        @Nullable Object[] single =
                withRoundedNumbers(row, dtype, each(reduced, x -> leaf(x, DType.FLOAT32)));
        if (row.name().equals("aten::to.dtype")) {
            return; // the type is an argument; see ReducedTypesTest
        }
        List<Tensor> actual = RowCases.results(row.apply(reduced));
        List<Tensor> expected = RowCases.results(row.apply(single));
        assertEquals(expected.size(), actual.size());
        for (int i = 0; i < actual.size(); i++) {
            compare(test, expected.get(i), actual.get(i));
            assertEquals(
                    sharesOne(expected.get(i), row.inputs(single)),
                    sharesOne(actual.get(i), row.inputs(reduced)),
                    "is a view");
        }
        assertEquals(requireGradients(expected), requireGradients(actual));
        if (requireGradients(actual) > 0) {
            weighted(actual).backward();
            weighted(expected).backward();
            compareGradients(test, row.inputs(single), row.inputs(reduced));
        }
    }

    private static void compare(Case test, Tensor expected, Tensor actual) {
        assertArrayEquals(expected.shape(), actual.shape());
        assertEquals(expected.layout(), actual.layout());
        boolean isSingle = expected.dtype() == DType.FLOAT32;
        assertEquals(isSingle ? test.dtype : expected.dtype(), actual.dtype());
        OperatorRow row = test.rowCase.row();
        boolean isComposite = row.isDifferentiable() && !row.recordsNode();
        boolean rounds = !isComposite && !actual.isSparse(); // of which several make one element
        double[] wanted = dense(expected);
        double steps = rounds ? 0 : 8 * test.epsilon();
        close(rounds ? rounded(wanted, actual.dtype()) : wanted, dense(actual), steps);
    }

    private static double[] rounded(double[] numbers, DType dtype) {
        return Tensor.of(numbers).to(dtype).toDoubleArray();
    }

    static void close(double[] expected, double[] actual, double relative) {
        double scale =
                Arrays.stream(expected).filter(Double::isFinite).map(Math::abs).max().orElse(1);
        assertArrayEquals(expected, actual, relative * Math.max(scale, 0.25) + Double.MIN_VALUE);
    }

    private static void compareGradients(Case test, List<Tensor> single, List<Tensor> reduced) {
        for (int i = 0; i < single.size(); i++) {
            Tensor expected = single.get(i).grad();
            Tensor actual = reduced.get(i).grad();
            if (expected == null) {
                assertNull(actual);
                continue;
            }
            assertNotNull(actual);
            assertEquals(reduced.get(i).dtype(), actual.dtype());
            close(dense(expected), dense(actual), 24 * test.epsilon());
        }
    }

    private static long requireGradients(List<Tensor> results) {
        return results.stream().filter(Tensor::requiresGrad).count();
    }

    private static boolean sharesOne(Tensor result, List<Tensor> inputs) {
        return inputs.stream()
                .anyMatch(
                        input -> TensorAccess.storage(input).shares(TensorAccess.storage(result)));
    }

    static double[] dense(Tensor tensor) {
        Tensor plain = tensor.detach();
        return (plain.isSparse() ? plain.toDense() : plain).toDoubleArray();
    }

    /** As {@link RowCases#mixed}, by weights that both types hold. */
    static Tensor weighted(List<Tensor> results) {
        Tensor sum = Tensor.zeros(DType.FLOAT64);
        for (Tensor result : results) {
            if (result.requiresGrad()) {
                double[] weights = new double[result.numel()];
                Arrays.setAll(weights, i -> (i % 7 - 3) / 2.0 + 0.25);
                Tensor factors = Tensor.of(weights, result.shape()).to(result.dtype());
                Tensor plain = result.isSparse() ? result.toDense() : result;
                sum = sum.add(plain.mul(factors).to(DType.FLOAT64).sum());
            }
        }
        return sum;
    }

    /** Round numbers that PyTorch turns into tensors of the operator's type. */
    private static @Nullable Object[] withRoundedNumbers(
            OperatorRow row, DType dtype, @Nullable Object[] args) {
        for (int i = 0; i < args.length; i++) {
            String name = row.schema().parameters().get(i).name();
            if (args[i] instanceof Double number && OPERANDS.contains(name)) {
                args[i] = Tensor.scalar(number).to(dtype).item();
            }
        }
        return args;
    }

    static @Nullable Object[] each(@Nullable Object[] args, UnaryOperator<Tensor> change) {
        @Nullable Object[] changed = args.clone();
        for (int i = 0; i < args.length; i++) {
            if (args[i] instanceof Tensor tensor) {
                changed[i] = change.apply(tensor);
            } else if (args[i] instanceof List<?> list) {
                changed[i] = list.stream().map(t -> (Object) change.apply((Tensor) t)).toList();
            }
        }
        return changed;
    }

    /** Convert all of a tensor's memory, and view it as the tensor does. */
    static Tensor leaf(Tensor tensor, DType dtype) {
        Tensor plain = tensor.detach();
        if (!plain.dtype().isFloating()) {
            return plain;
        }
        if (plain.isSparse()) {
            return plain.to(dtype).requiresGrad(tensor.requiresGrad());
        }
        Storage storage = TensorAccess.storage(plain);
        Tensor flat = TensorAccess.view(storage, 0, new int[] {storage.length()}, new int[] {1});
        Storage converted = TensorAccess.storage(flat.to(dtype));
        return TensorAccess.view(
                        converted, tensor.storageOffset(), tensor.shape(), tensor.strides())
                .requiresGrad(tensor.requiresGrad());
    }

    @ParameterizedTest
    @MethodSource("types")
    void sampledTypesAreTheReducedOnes(DType dtype) {
        assertTrue(DTypeAccess.isReduced(dtype));
        assertTrue(cases().filter(test -> test.dtype == dtype).count() > 300);
    }

    static Stream<DType> types() {
        return Stream.of(DType.FLOAT16, DType.BFLOAT16);
    }
}
