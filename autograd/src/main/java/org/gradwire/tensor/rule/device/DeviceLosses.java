package org.gradwire.tensor.rule.device;

import org.gradwire.tensor.DType;
import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.access.DTypeAccess;
import org.gradwire.tensor.access.TensorAccess;
import org.gradwire.tensor.kernel.DeviceCall;
import org.gradwire.tensor.kernel.DoubleBlocks.Step;
import org.gradwire.tensor.kernel.element.Binary;
import org.gradwire.tensor.kernel.element.Elements;
import org.gradwire.tensor.operator.Reduction;
import org.gradwire.tensor.rule.Elementwise;
import org.gradwire.tensor.rule.ReductionRules;
import org.gradwire.tensor.storage.Shapes;
import org.jspecify.annotations.Nullable;

import java.util.List;

/**
 * Losses by a device's kernels: pointwise ones, and those of scores {@code [c]} or {@code [n, c]}
 * and target classes.
 */
public final class DeviceLosses {

    private DeviceLosses() {}

    private static boolean isFit(Tensor x) {
        return !x.device().isCpu() && TensorAccess.dims(x).length < 3 && x.numel() > 0;
    }

    /**
     * Return the negated scores of the target classes times a factor, or their sum; null where the
     * device has no kernel.
     *
     * @param labels in range, or ignored
     */
    public static @Nullable Tensor nll(
            Tensor scores, Tensor labels, int ignored, double factor, boolean reduced) {
        if (!isFit(scores)) {
            return null;
        }
        Elements<?> elements = DTypeAccess.elements(scores.dtype());
        Tensor losses = TensorAccess.fresh(scores.dtype(), TensorAccess.dims(labels));
        boolean done =
                new DeviceCall("nll_loss", elements, TensorAccess.strided(losses))
                        .with(elements, TensorAccess.strided(scores))
                        .with(DTypeAccess.elements(DType.INT64), TensorAccess.strided(labels))
                        .with((long) ignored)
                        .with(factor)
                        .with((long) classes(scores))
                        .with(1L)
                        .run();
        return !done ? null : reduced ? ReductionRules.sum(losses) : losses;
    }

    /**
     * Return the gradient of the scores; null where the device has no kernel.
     *
     * @param gradient of each loss, or one of all
     */
    public static @Nullable Tensor nllGradient(
            Tensor gradient, Tensor labels, int[] shape, int ignored, double factor) {
        return shape.length < 3
                ? DeviceTables.placed(gradient, labels, shape, shape.length - 1, ignored, -factor)
                : null;
    }

    /** {@return the losses of a step, reduced; null where the device has no kernel} */
    public static @Nullable Tensor pointwise(
            Step step, List<Tensor> operands, DType dtype, int[] shape, Reduction reduction) {
        if (!(step instanceof KernelStep known) || !isFit(operands, dtype, shape)) {
            return null;
        }
        Tensor losses = TensorAccess.fresh(dtype, shape);
        if (!call(known, operands, losses).run()) {
            return null;
        }
        if (reduction == Reduction.NONE) {
            return losses;
        }
        Tensor sum = ReductionRules.sum(losses);
        return reduction == Reduction.SUM
                ? sum
                : Elementwise.binary(Binary.MUL, sum, reduction.scale(losses.numel()));
    }

    /** {@return the gradient of an operand, times a factor; null where there is no kernel} */
    public static @Nullable Tensor pointwiseGradient(
            Step step, List<Tensor> operands, Tensor gradient, int[] shape, double factor) {
        if (!(step instanceof KernelStep known) || !isFit(operands, gradient.dtype(), shape)) {
            return null;
        }
        Tensor result = TensorAccess.fresh(gradient.dtype(), shape);
        boolean done =
                call(known, operands, result)
                        .with(
                                DTypeAccess.elements(gradient.dtype()),
                                TensorAccess.strided(gradient, shape))
                        .with(factor)
                        .run();
        return done ? result : null;
    }

    private static boolean isFit(List<Tensor> operands, DType dtype, int[] shape) {
        boolean fit = Shapes.count(shape) > 0;
        for (Tensor operand : operands) {
            fit &= operand.dtype() == dtype && !operand.device().isCpu();
        }
        return fit;
    }

    private static DeviceCall call(KernelStep step, List<Tensor> operands, Tensor result) {
        Elements<?> elements = DTypeAccess.elements(result.dtype());
        var call = new DeviceCall(step.kernel(), elements, TensorAccess.strided(result));
        for (Tensor operand : operands) {
            call.with(elements, TensorAccess.strided(operand, TensorAccess.dims(result)));
        }
        return call;
    }

    private static int classes(Tensor scores) {
        int[] shape = TensorAccess.dims(scores);
        return shape[shape.length - 1];
    }
}
