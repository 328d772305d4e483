package org.gradwire.tensor.rule.device;

import org.gradwire.tensor.DType;
import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.access.DTypeAccess;
import org.gradwire.tensor.access.TensorAccess;
import org.gradwire.tensor.kernel.DeviceCall;
import org.gradwire.tensor.kernel.element.Binary;
import org.gradwire.tensor.kernel.element.Elements;
import org.gradwire.tensor.kernel.element.Strided;
import org.gradwire.tensor.operator.Reduction;
import org.gradwire.tensor.rule.Elementwise;
import org.gradwire.tensor.rule.ReductionRules;
import org.gradwire.tensor.storage.Shapes;
import org.jspecify.annotations.Nullable;

/**
 * Losses of scores {@code [c]}, {@code [n, c]} or {@code [n, c, d1, ...]} and target classes, by a
 * device's kernels.
 *
 * @param weight of each class, or null
 * @param ignored the class without a loss
 */
public record DeviceLabels(Tensor labels, @Nullable Tensor weight, int ignored) {
    private static final Elements<?> LONGS = DTypeAccess.elements(DType.INT64);

    /**
     * Return the negated scores of the target classes, reduced; null where the device has no
     * kernel, and for labels to refuse.
     *
     * @param scores contiguous
     */
    public @Nullable Tensor nll(Tensor scores, Reduction reduction) {
        int[] shape = TensorAccess.dims(scores);
        int dim = classDimension(shape);
        if (scores.device().isCpu()
                || scores.numel() == 0
                || DeviceMasks.any("is_no_label", labels, ignored, shape[dim])) {
            return null;
        }
        int inner = scores.numel() / (shape[dim] * (dim == 0 ? 1 : shape[0]));
        Elements<?> elements = DTypeAccess.elements(scores.dtype());
        Tensor losses = TensorAccess.fresh(scores.dtype(), TensorAccess.dims(labels));
        var call =
                new DeviceCall("nll_loss", elements, TensorAccess.strided(losses))
                        .with(elements, TensorAccess.strided(scores));
        boolean done =
                withLabels(call)
                        .with(1.0)
                        .with((long) shape[dim])
                        .with((long) inner)
                        .with(1L)
                        .run();
        return done ? reduced(losses, reduction) : null;
    }

    private @Nullable Tensor reduced(Tensor losses, Reduction reduction) {
        if (reduction == Reduction.NONE) {
            return losses;
        }
        Tensor sum = ReductionRules.sum(losses);
        return reduction == Reduction.SUM ? sum : divided(sum);
    }

    private @Nullable Tensor divided(Tensor sum) {
        Tensor total = total(sum.dtype());
        return total == null ? null : Elementwise.binary(Binary.DIV, sum, total);
    }

    /** {@return the total weight of the labels; null where the device has no kernel} */
    public @Nullable Tensor total(DType dtype) {
        if (labels.device().isCpu() || DTypeAccess.isReduced(dtype)) { // it has too few digits
            return null;
        }
        Tensor weights = TensorAccess.fresh(dtype, TensorAccess.dims(labels));
        var call =
                new DeviceCall(
                                "nll_loss",
                                DTypeAccess.elements(dtype),
                                TensorAccess.strided(weights))
                        .with(-1.0); // for all scores
        boolean done = withLabels(call).with(1.0).with(1L).with(1L).with(1L).run();
        return done ? ReductionRules.sum(weights) : null;
    }

    /**
     * Return the gradient of the scores; null where the device has no kernel.
     *
     * @param gradient of each loss, or one of all
     */
    public @Nullable Tensor gradient(Tensor gradient, int[] shape, Reduction reduction) {
        if (gradient.device().isCpu() || Shapes.count(shape) == 0) {
            return null;
        }
        Tensor flow = reduction == Reduction.MEAN ? divided(gradient) : gradient;
        if (flow == null) {
            return null;
        }
        Tensor result = TensorAccess.fresh(gradient.dtype(), shape);
        int dim = classDimension(shape);
        int[] order = ReductionRules.lastDimension(result, dim);
        Elements<?> elements = DTypeAccess.elements(gradient.dtype());
        Strided to = TensorAccess.strided(TensorAccess.permuted(result, order));
        var call =
                new DeviceCall("nll_loss_gradient", elements, to)
                        .with(elements, TensorAccess.strided(flow));
        return withLabels(call).with(-1.0).with((long) shape[dim]).run() ? result : null;
    }

    private static int classDimension(int[] shape) {
        return shape.length == 1 ? 0 : 1;
    }

    private DeviceCall withLabels(DeviceCall call) {
        call.with(LONGS, TensorAccess.strided(labels));
        var weighted =
                weight == null
                        ? call.with(1.0)
                        : call.with(
                                DTypeAccess.elements(weight.dtype()), TensorAccess.strided(weight));
        return weighted.with((long) ignored);
    }
}
