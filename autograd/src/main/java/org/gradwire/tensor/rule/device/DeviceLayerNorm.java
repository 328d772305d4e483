package org.gradwire.tensor.rule.device;

import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.access.DTypeAccess;
import org.gradwire.tensor.access.TensorAccess;
import org.gradwire.tensor.kernel.DeviceCall;
import org.gradwire.tensor.kernel.element.Binary;
import org.gradwire.tensor.kernel.element.Elements;
import org.gradwire.tensor.operator.Saved;
import org.gradwire.tensor.rule.Elementwise;
import org.gradwire.tensor.rule.LayerNormRules.Rows;
import org.gradwire.tensor.rule.ReductionRules;
import org.jspecify.annotations.Nullable;

/**
 * Layer and group normalization by a device's kernels. The gradient computes the statistics again.
 */
public final class DeviceLayerNorm {

    private DeviceLayerNorm() {}

    /** {@return the result; null where the device has no kernel} */
    public static @Nullable Tensor forward(
            Tensor x, Rows rows, @Nullable Tensor weight, @Nullable Tensor bias, double eps) {
        if (x.device().isCpu() || x.numel() == 0) {
            return null;
        }
        if (isOfLayers(rows)) {
            return normalized(x, rows, like(x, weight), like(x, bias), eps);
        }
        Tensor result = normalized(x, rows, null, null, eps);
        if (result != null && weight != null) {
            result = Elementwise.binary(Binary.MUL, result, byChannel(weight, x));
        }
        if (result != null && bias != null) {
            result = Elementwise.binary(Binary.ADD, result, byChannel(bias, x));
        }
        return result;
    }

    /** {@return weights in the type of the input} */
    private static @Nullable Tensor like(Tensor x, @Nullable Tensor weight) {
        return weight == null ? null : Elementwise.cast(weight, x.dtype());
    }

    private static Tensor byChannel(Tensor weight, Tensor x) {
        return DeviceBatchNorm.byChannel(Elementwise.cast(weight, x.dtype()), x);
    }

    private static boolean isOfLayers(Rows rows) {
        return rows.groups() == 1 && rows.repeat() == 1;
    }

    /**
     * Normalize rows.
     *
     * @param weight for each element of a row, or of all
     */
    private static @Nullable Tensor normalized(
            Tensor x, Rows rows, @Nullable Tensor weight, @Nullable Tensor bias, double eps) {
        Elements<?> elements = DTypeAccess.elements(x.dtype());
        Tensor result = TensorAccess.fresh(x.dtype(), TensorAccess.dims(x));
        var call =
                new DeviceCall("layer_norm", elements, TensorAccess.strided(result))
                        .with(elements, TensorAccess.strided(x));
        add(call, elements, weight, 1);
        add(call, elements, bias, 0);
        return call.with(eps).with((long) rows.width()).run() ? result : null;
    }

    private static void add(
            DeviceCall call, Elements<?> elements, @Nullable Tensor tensor, double otherwise) {
        if (tensor == null) {
            call.with(otherwise);
        } else {
            call.with(elements, TensorAccess.strided(tensor));
        }
    }

    /** {@return the gradients of input, weight and bias; null where the device has no kernel} */
    public static @Nullable Tensor @Nullable [] gradients(
            Saved saved, Rows rows, Tensor gradient, double eps) {
        return isOfLayers(rows)
                ? gradientsOfLayers(saved, rows, gradient, eps)
                : gradientsOfGroups(saved, rows, gradient, eps);
    }

    private static @Nullable Tensor @Nullable [] gradientsOfGroups(
            Saved saved, Rows rows, Tensor gradient, double eps) {
        Tensor x = saved.input(0);
        Tensor weight = saved.optionalInput(1);
        var results = new @Nullable Tensor[3];
        if (saved.needs(0)) {
            Tensor flow =
                    weight == null
                            ? gradient
                            : Elementwise.binary(Binary.MUL, gradient, byChannel(weight, x));
            results[0] = ofInput(flow, x, rows, null, eps);
            if (results[0] == null) {
                return null;
            }
        }
        if (saved.needs(1)) {
            Tensor normalized = normalized(x, rows, null, null, eps);
            if (normalized == null) {
                return null;
            }
            results[1] =
                    DeviceBatchNorm.channelSums(
                            Elementwise.binary(Binary.MUL, gradient, normalized));
        }
        results[2] = saved.needs(2) ? DeviceBatchNorm.channelSums(gradient) : null;
        return results;
    }

    private static @Nullable Tensor @Nullable [] gradientsOfLayers(
            Saved saved, Rows rows, Tensor gradient, double eps) {
        Tensor x = saved.input(0);
        var results = new @Nullable Tensor[3];
        if (saved.needs(0)) {
            results[0] = ofInput(gradient, x, rows, like(x, saved.optionalInput(1)), eps);
            if (results[0] == null) {
                return null;
            }
        }
        if (saved.needs(1)) {
            Tensor products = normalized(x, rows, gradient, null, eps);
            if (products == null) {
                return null;
            }
            results[1] = columnSums(products, rows, saved.shape(1));
        }
        results[2] = saved.needs(2) ? columnSums(gradient, rows, saved.shape(2)) : null;
        return results;
    }

    private static @Nullable Tensor ofInput(
            Tensor gradient, Tensor x, Rows rows, @Nullable Tensor weight, double eps) {
        Elements<?> elements = DTypeAccess.elements(x.dtype());
        Tensor result = TensorAccess.fresh(x.dtype(), TensorAccess.dims(x));
        var call =
                new DeviceCall("layer_norm_gradient", elements, TensorAccess.strided(result))
                        .with(elements, TensorAccess.strided(gradient))
                        .with(elements, TensorAccess.strided(x));
        add(call, elements, weight, 1);
        return call.with(eps).with((long) rows.width()).run() ? result : null;
    }

    private static Tensor columnSums(Tensor x, Rows rows, int[] shape) {
        Tensor matrix = TensorAccess.reshaped(x, x.numel() / rows.width(), rows.width());
        return TensorAccess.viewAs(ReductionRules.sum(matrix, new int[] {0}, false), shape);
    }
}
