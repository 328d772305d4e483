package org.gradwire.nn;

import org.gradwire.nn.internal.ParameterTensors;
import org.gradwire.tensor.DType;
import org.gradwire.tensor.Device;
import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Interpolates along the dimensions after {@code [n, c]}, one at a time.
 *
 * @param scales the scale factors of the dimensions: one for all, or none where only sizes are
 *     given
 */
record Interpolation(String mode, boolean alignCorners, List<Double> scales) {
    private static final String NEAREST = "nearest";
    private static final int MOST_INDICES = 1 << 20;

    /** Validate the mode and whether it supports aligned corners. */
    static void requireMode(String mode, boolean alignCorners) {
        if (!List.of(NEAREST, "linear", "bilinear", "trilinear").contains(mode)) {
            throw new IllegalArgumentException(
                    "interpolate: unknown mode '%s'; expected nearest, linear, bilinear or trilinear"
                            .formatted(mode));
        }
        if (alignCorners && mode.equals(NEAREST)) {
            throw new IllegalArgumentException(
                    "alignCorners can be set only with the interpolating modes: linear, bilinear and trilinear");
        }
    }

    Tensor of(Tensor input, int[] size) {
        requireMode(mode, alignCorners);
        int spatial = input.dim() - 2;
        int fitting =
                switch (mode) {
                    case "linear" -> 1;
                    case "bilinear" -> 2;
                    case "trilinear" -> 3;
                    default -> Math.clamp(spatial, 1, 3);
                };
        if (spatial != fitting || size.length != spatial) {
            throw new IllegalArgumentException(
                    "interpolate: mode %s needs an input of %d dimensions and as many sizes as follow the first two; got input %s and size %s"
                            .formatted(
                                    mode,
                                    fitting + 2,
                                    Arrays.toString(input.shape()),
                                    Arrays.toString(size)));
        }
        int[] shape = resultShape(input, size);
        if (input.numel() == 0) {
            return input.reshape(shape);
        }
        Tensor result = input;
        for (int d = 0; d < size.length; d++) {
            result = along(result, d + 2, size[d]);
        }
        return result;
    }

    private static int[] resultShape(Tensor input, int[] size) {
        int[] shape = input.shape();
        for (int d = 2; d < shape.length; d++) {
            shape[d] = size[d - 2];
            if (shape[d] < 1 || input.size(d) < 1) {
                throw new IllegalArgumentException(
                        "Input and output sizes should be greater than 0, but got input %s and output %s"
                                .formatted(Arrays.toString(input.shape()), Arrays.toString(size)));
            }
        }
        ParameterTensors.requireElements(shape);
        return shape;
    }

    private double step(int from, int to) {
        if (alignCorners) {
            return to > 1 ? (from - 1.0) / (to - 1) : 0;
        }
        return scales.isEmpty() ? (double) from / to : 1 / scales.getFirst();
    }

    /** Resize one dimension in chunks, since indices take more memory than elements. */
    private Tensor along(Tensor x, int dim, int to) {
        double step = step(x.size(dim), to);
        List<Tensor> parts = new ArrayList<>();
        for (int from = 0; from < to; from += Math.min(MOST_INDICES, to - from)) {
            Tensor places = Tensor.arange(from, from + Math.min(MOST_INDICES, to - from), 1);
            boolean repeats = mode.equals(NEAREST);
            parts.add(repeats ? repeated(x, dim, places, step) : between(x, dim, places, step));
        }
        return parts.size() == 1 ? parts.getFirst() : Ops.cat(parts, dim);
    }

    /** Round coordinates to float32 before elements are chosen, as PyTorch does for all types. */
    private static Tensor repeated(Tensor x, int dim, Tensor places, double step) {
        DType numbers = x.dtype() == DType.FLOAT64 ? DType.FLOAT64 : DType.FLOAT32;
        Tensor at = places.to(numbers).mul(step).to(DType.FLOAT32);
        return x.indexSelect(dim, indices(at, x.size(dim), x.device()));
    }

    private Tensor between(Tensor x, int dim, Tensor places, double step) {
        Tensor exact = places.to(DType.FLOAT64);
        Tensor at = alignCorners ? exact.mul(step) : exact.add(0.5).mul(step).sub(0.5).clampMin(0);
        Tensor left = indices(at, x.size(dim), Device.CPU);
        Tensor right = left.add(1).clampMax(x.size(dim) - 1);
        Tensor first = x.indexSelect(dim, left.to(x.device()));
        Tensor second = x.indexSelect(dim, right.to(x.device()));
        int[] shape = new int[x.dim() - dim];
        Arrays.fill(shape, 1);
        shape[0] = places.numel();
        Tensor weights = at.sub(left).clamp(0, 1).view(shape).to(x.dtype()).to(x.device());
        return first.lerp(second, weights.expandAs(first));
    }

    private static Tensor indices(Tensor at, int count, Device device) {
        return at.floor().to(DType.INT64).clampMax(count - 1).to(device);
    }
}
