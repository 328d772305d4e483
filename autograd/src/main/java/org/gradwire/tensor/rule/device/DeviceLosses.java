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

/** Pointwise losses by a device's kernels. */
public final class DeviceLosses {

    private DeviceLosses() {}

    /**
     * Refuse input of a binary cross-entropy that is not from 0 to 1, if its device can find it.
     */
    public static void checkProbabilities(Tensor x) {
        if (!x.device().isCpu()
                && x.dtype().isFloating()
                && DeviceMasks.any("is_no_probability", x)) {
            for (double p : x.toDoubleArray()) {
                CrossEntropySteps.requireProbability(p);
            }
        }
    }

    /** {@return the losses of a step, reduced; null where the device has no kernel} */
    public static @Nullable Tensor pointwise(
            Step step, List<Tensor> operands, DType dtype, int[] shape, Reduction reduction) {
        if (!(step instanceof KernelStep known) || !isFit(operands, dtype, shape)) {
            return null;
        }
        Tensor losses = TensorAccess.fresh(dtype, shape);
        if (!withNumbers(call(known, operands, losses), known).run()) {
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
        DeviceCall call =
                call(known, operands, result)
                        .with(
                                DTypeAccess.elements(gradient.dtype()),
                                TensorAccess.strided(gradient, shape))
                        .with(factor);
        return withNumbers(call, known).run() ? result : null;
    }

    private static boolean isFit(List<Tensor> operands, DType dtype, int[] shape) {
        boolean fit = !operands.getFirst().device().isCpu() && Shapes.count(shape) > 0;
        for (Tensor operand : operands) {
            boolean number = TensorAccess.dims(operand).length == 0; // may be on the host
            fit &= operand.dtype() == dtype && (number || !operand.device().isCpu());
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

    private static DeviceCall withNumbers(DeviceCall call, KernelStep step) {
        for (double number : step.numbers()) {
            call.with(number);
        }
        return call;
    }
}
