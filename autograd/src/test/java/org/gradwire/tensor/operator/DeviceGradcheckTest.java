package org.gradwire.tensor.operator;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.gradwire.autograd.GradMode;
import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.operator.RowCases.RowCase;
import org.gradwire.tensor.storage.HostCopyCounts;
import org.gradwire.tensor.testing.NeedsDevices;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Gradients of losses, selections, sorts and scans on a device, against central differences
 * computed there, without copies to the host where the device has the kernels.
 */
@NeedsDevices
@Isolated("copies to the host are counted for the whole JVM")
class DeviceGradcheckTest {
    private static final double STEP = 1e-5;
    private static final double TOLERANCE = 1e-7;

    private static final Set<String> ROWS =
            Set.of(
                    "aten::mse_loss",
                    "aten::l1_loss",
                    "aten::smooth_l1_loss",
                    "aten::huber_loss",
                    "aten::binary_cross_entropy",
                    "aten::binary_cross_entropy_with_logits",
                    "aten::kl_div",
                    "aten::nll_loss",
                    "aten::nll_loss_nd",
                    "aten::cross_entropy_loss",
                    "aten::cross_entropy_loss.weight",
                    "aten::flip",
                    "aten::masked_select",
                    "aten::sort",
                    "aten::topk",
                    "aten::kthvalue",
                    "aten::cumsum",
                    "aten::cumprod");

    /** {@return whether there are devices for this run} */
    static boolean devicesAreThere() {
        return NeedsDevices.Condition.areThere();
    }

    static Stream<RowCase> cases() {
        return RowCases.all().filter(each -> ROWS.contains(each.row().name()));
    }

    @Test
    void rowsExist() {
        assertEquals(ROWS, cases().map(each -> each.row().name()).collect(Collectors.toSet()));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("cases")
    void gradientEqualsCentralDifferences(RowCase rowCase) {
        @Nullable Object[] args = DeviceRowsTest.moved(rowCase.args());
        long before = HostCopyCounts.bytes();
        List<Tensor> leaves = rowCase.leaves(args);
        Tensor value = value(rowCase, args);
        if (!leaves.isEmpty()) {
            value.backward();
        }
        for (Tensor input : leaves) {
            check(rowCase, args, input);
        }
        if (DeviceComparison.hasKernels()) {
            assertEquals(before, HostCopyCounts.bytes(), () -> HostCopyCounts.copies().toString());
        }
    }

    private static Tensor value(RowCase rowCase, @Nullable Object[] args) {
        return DeviceRowsTest.mixed(RowCases.results(rowCase.row().apply(args)));
    }

    private static void check(RowCase rowCase, @Nullable Object[] args, Tensor input) {
        double[] computed = DeviceComparison.gradient(input).toDoubleArray();
        double[] original = input.detach().toDoubleArray();
        for (int i = 0; i < computed.length; i++) {
            double above = valueWith(rowCase, args, input, original, i, STEP);
            double below = valueWith(rowCase, args, input, original, i, -STEP);
            double expected = (above - below) / (2 * STEP);
            assertEquals(
                    expected,
                    computed[i],
                    TOLERANCE * Math.max(1, Math.abs(expected)),
                    rowCase + ", element " + i + " of input " + input);
        }
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
            input.detach().copy_(Tensor.of(changed, input.shape()));
            double value = value(rowCase, args).item();
            input.detach().copy_(Tensor.of(original, input.shape()));
            return value;
        }
    }
}
