package org.gradwire.tensor.rule.convolution;

import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.access.TensorAccess;
import org.gradwire.tensor.operator.Args;
import org.jspecify.annotations.Nullable;

import java.util.Arrays;

/**
 * Three-dimensional convolution rule: a sum of two-dimensional convolutions, one for each depth of
 * the filters.
 */
public final class Conv3dRules {

    private Conv3dRules() {}

    private static int[] triple(String name, int[] given) {
        if (given.length != 1 && given.length != 3) {
            throw new IllegalArgumentException(
                    "expected %s to be a single integer value or a list of 3 values to match the convolution dimensions, but got %s=%s"
                            .formatted(name, name, Arrays.toString(given)));
        }
        return given.length == 3 ? given : new int[] {given[0], given[0], given[0]};
    }

    private static int[] plane(int[] triple) {
        return new int[] {triple[1], triple[2]};
    }

    public static Tensor conv3d(Args a) {
        Tensor input = a.tensor(0);
        Tensor weight = a.tensor(1);
        boolean batched = TensorAccess.dims(input).length == 5;
        if (!batched && TensorAccess.dims(input).length != 4) {
            throw new IllegalArgumentException(
                    "Expected 4D (unbatched) or 5D (batched) input to conv3d, but got input of size: "
                            + Arrays.toString(TensorAccess.dims(input)));
        }
        if (TensorAccess.dims(weight).length != 5) {
            throw new IllegalArgumentException(
                    "conv3d: expected weight [o, c / groups, kd, kh, kw], but got weight of size: "
                            + Arrays.toString(TensorAccess.dims(weight)));
        }
        Tensor batch = batched ? input : input.unsqueeze(0);
        int[] stride = triple("stride", a.integers(3));
        int[] padding = triple("padding", a.integers(4));
        int[] dilation = triple("dilation", a.integers(5));
        check(batch, weight, stride, padding, dilation);
        Tensor result = sum(batch, weight, a, stride, padding, dilation);
        Tensor bias = a.optionalTensor(2);
        if (bias != null) {
            ConvolutionShape.check(batch, weight, bias);
            result = result.add(bias.view(bias.numel(), 1, 1, 1));
        }
        return batched ? result : result.squeeze(0);
    }

    private static void check(
            Tensor batch, Tensor weight, int[] stride, int[] padding, int[] dilation) {
        if (stride[0] <= 0 || dilation[0] <= 0 || padding[0] < 0) {
            throw new IllegalArgumentException(
                    "conv3d: stride and dilation must be positive and padding not negative, got %s, %s and %s"
                            .formatted(
                                    Arrays.toString(stride),
                                    Arrays.toString(dilation),
                                    Arrays.toString(padding)));
        }
        long[] size = new long[3];
        long[] kernel = new long[3];
        boolean fits = true;
        for (int d = 0; d < 3; d++) {
            size[d] = TensorAccess.dims(batch)[2 + d] + 2L * padding[d];
            kernel[d] = (long) dilation[d] * (TensorAccess.dims(weight)[2 + d] - 1) + 1;
            fits &= size[d] >= kernel[d] && TensorAccess.dims(weight)[2 + d] > 0;
        }
        if (!fits || size[0] > Integer.MAX_VALUE) {
            throw new IllegalArgumentException(
                    "Calculated padded input size per channel: (%d x %d x %d). Kernel size: (%d x %d x %d). Kernel size can't be greater than actual input size"
                            .formatted(size[0], size[1], size[2], kernel[0], kernel[1], kernel[2]));
        }
    }

    private static Tensor sum(
            Tensor batch, Tensor weight, Args a, int[] stride, int[] padding, int[] dilation) {
        int[] around = {0, 0, 0, 0, padding[0], padding[0]};
        Tensor padded = padding[0] == 0 ? batch : Ops.pad(batch, around, "constant", null);
        int depth = TensorAccess.dims(weight)[2];
        int out = (TensorAccess.dims(padded)[2] - dilation[0] * (depth - 1) - 1) / stride[0] + 1;
        @Nullable Tensor result = null;
        for (int k = 0; k < depth; k++) {
            int first = k * dilation[0];
            Tensor planes =
                    Ops.slice(padded, 2, first, first + (out - 1) * stride[0] + 1, stride[0]);
            Tensor images = planes.permute(0, 2, 1, 3, 4);
            int[] shape = TensorAccess.dims(images);
            Tensor flat = images.reshape(shape[0] * shape[1], shape[2], shape[3], shape[4]);
            Tensor part =
                    Ops.conv2d(
                            flat,
                            weight.select(2, k),
                            null,
                            plane(stride),
                            plane(padding),
                            plane(dilation),
                            a.integer(6));
            result = result == null ? part : result.add(part);
        }
        if (result == null) {
            throw new AssertionError("a kernel without depth was refused");
        }
        int[] flat = TensorAccess.dims(result);
        return result.reshape(TensorAccess.dims(batch)[0], out, flat[1], flat[2], flat[3])
                .permute(0, 2, 1, 3, 4);
    }
}
