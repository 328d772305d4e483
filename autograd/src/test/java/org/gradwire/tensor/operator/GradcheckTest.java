package org.gradwire.tensor.operator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.autograd.GradMode;
import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.operator.RowCases.RowCase;
import org.gradwire.tensor.operator.library.TensorOperators;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Each gradient rule against central differences, over every row and every sample. */
class GradcheckTest {
    private static final double STEP = 1e-5;
    private static final double TOLERANCE = 1e-7;

    static Stream<RowCase> cases() {
        return RowCases.all();
    }

    @Test
    void tableIsNotEmpty() {
        assertTrue(TensorOperators.rows().size() >= 100, "rows: " + TensorOperators.rows());
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("cases")
    void gradientEqualsCentralDifferences(RowCase rowCase) {
        @Nullable Object[] args = rowCase.args();
        List<Tensor> results = RowCases.results(rowCase.row().apply(args));
        List<Tensor> leaves = rowCase.leaves(args);
        if (leaves.isEmpty() || !rowCase.row().isDifferentiable()) {
            assertTrue(results.stream().noneMatch(Tensor::requiresGrad));
            return;
        }
        RowCases.mixed(results).backward();
        for (Tensor input : leaves) {
            check(rowCase, args, input);
        }
    }

    @Test
    void eachDifferentiableRowHasASampleThatRequiresAGradient() {
        Set<OperatorRow> checked =
                cases().filter(each -> !each.leaves(each.args()).isEmpty())
                        .map(RowCase::row)
                        .collect(Collectors.toSet());
        for (OperatorRow row : TensorOperators.rows()) {
            assertTrue(!row.isDifferentiable() || checked.contains(row), row.name());
        }
    }

    private static void check(RowCase rowCase, @Nullable Object[] args, Tensor input) {
        Tensor gradient = input.grad();
        assertNotNull(gradient);
        assertEquals(input.dtype(), gradient.dtype());
        assertTrue(gradient.isSparse() || !input.isSparse());
        Tensor flat = input.isSparse() ? input.heldValues() : input.detach();
        double[] computed = atElements(gradient, input);
        double[] original = flat.toDoubleArray();
        for (int i = 0; i < computed.length; i++) {
            double above = valueWith(rowCase, args, flat, original, i, STEP);
            double below = valueWith(rowCase, args, flat, original, i, -STEP);
            double expected = (above - below) / (2 * STEP);
            assertEquals(
                    expected,
                    computed[i],
                    TOLERANCE * Math.max(1, Math.abs(expected)),
                    rowCase + ", element " + i + " of input " + input);
        }
    }

    /** {@return the gradients of a sparse input's values, taken at their indices} */
    private static double[] atElements(Tensor gradient, Tensor input) {
        if (!input.isSparse()) {
            return gradient.toDense().toDoubleArray();
        }
        Tensor values = input.heldValues();
        int width = values.numel() / input.nnz();
        double[] dense = gradient.toDense().toDoubleArray();
        double[] all = new double[values.numel()];
        for (int i = 0; i < all.length; i++) {
            int place = 0;
            for (int d = 0; d < input.sparseDim(); d++) {
                place = place * input.size(d) + (int) input.heldIndices().getLong(d, i / width);
            }
            all[i] = dense[place * width + i % width];
        }
        return all;
    }

    private static double valueWith(
            RowCase rowCase,
            @Nullable Object[] args,
            Tensor input,
            double[] original,
            int index,
            double change) {
        double[] changed = original.clone();
        changed[index] += change;
        try (var _ = GradMode.noGrad()) {
            input.copy_(Tensor.of(changed, input.shape()));
            double value = RowCases.mixed(RowCases.results(rowCase.row().apply(args))).item();
            input.copy_(Tensor.of(original, input.shape()));
            return value;
        }
    }
}
