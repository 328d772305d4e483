package org.gradwire.tensor.rule;

import org.gradwire.tensor.DType;
import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.access.TensorAccess;
import org.gradwire.tensor.kernel.DeviceCall;
import org.gradwire.tensor.kernel.element.Elements;
import org.jspecify.annotations.Nullable;

/** Losses of scores {@code [c]} or {@code [n, c]} and target classes, by a device's kernels. */
final class DeviceLosses {

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
    static @Nullable Tensor nll(
            Tensor scores, Tensor labels, int ignored, double factor, boolean reduced) {
        if (!isFit(scores)) {
            return null;
        }
        Elements<?> elements = TensorAccess.elements(scores.dtype());
        Tensor losses = TensorAccess.fresh(scores.dtype(), TensorAccess.dims(labels));
        boolean done =
                new DeviceCall("nll_loss", elements, TensorAccess.strided(losses))
                        .with(elements, TensorAccess.strided(scores))
                        .with(TensorAccess.elements(DType.INT64), TensorAccess.strided(labels))
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
    static @Nullable Tensor nllGradient(
            Tensor gradient, Tensor labels, int[] shape, int ignored, double factor) {
        return shape.length < 3
                ? DeviceTables.placed(gradient, labels, shape, shape.length - 1, ignored, -factor)
                : null;
    }

    private static int classes(Tensor scores) {
        int[] shape = TensorAccess.dims(scores);
        return shape[shape.length - 1];
    }
}
