package org.gradwire.nn;

import org.gradwire.tensor.Tensor;

import java.util.Arrays;
import java.util.List;

/**
 * Elements between elements, along the dimensions after {@code [n, c]}, one dimension after the
 * other.
 *
 * @param scales by which the dimensions were multiplied: one for all, or none where only sizes are
 *     given
 */
record Interpolation(String mode, boolean alignCorners, List<Double> scales) {
    private static final String NEAREST = "nearest";

    /** Refuse a mode that is not known, or knows no corners. */
    static void requireMode(String mode, boolean alignCorners) {
        if (!List.of(NEAREST, "linear", "bilinear", "trilinear").contains(mode)) {
            throw new IllegalArgumentException(
                    "interpolate: unknown mode '%s'; expected nearest, linear, bilinear or trilinear"
                            .formatted(mode));
        }
        if (alignCorners && mode.equals(NEAREST)) {
            throw new IllegalArgumentException(
                    "align_corners option can only be set with the interpolating modes: linear | bilinear | trilinear");
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
        Tensor result = input;
        for (int d = 0; d < size.length; d++) {
            if (size[d] < 1 || input.size(d + 2) < 1) {
                throw new IllegalArgumentException(
                        "Input and output sizes should be greater than 0, but got input %s and output %s"
                                .formatted(Arrays.toString(input.shape()), Arrays.toString(size)));
            }
            result = along(result, d + 2, size[d]);
        }
        return result;
    }

    private double step(int from, int to) {
        if (alignCorners) {
            return to > 1 ? (from - 1.0) / (to - 1) : 0;
        }
        return scales.isEmpty() ? (double) from / to : 1 / scales.getFirst();
    }

    private Tensor along(Tensor x, int dim, int to) {
        int from = x.size(dim);
        double step = step(from, to);
        long[] before = new long[to];
        long[] after = new long[to];
        double[] parts = new double[to];
        for (int i = 0; i < to; i++) {
            double at =
                    mode.equals(NEAREST) || alignCorners
                            ? i * step
                            : Math.max(0, (i + 0.5) * step - 0.5);
            int left = Math.min((int) at, from - 1);
            before[i] = left;
            after[i] = Math.min(left + 1, from - 1);
            parts[i] = Math.clamp(at - left, 0.0, 1.0);
        }
        Tensor first = x.indexSelect(dim, Tensor.of(before).to(x.device()));
        if (mode.equals(NEAREST)) {
            return first;
        }
        Tensor second = x.indexSelect(dim, Tensor.of(after).to(x.device()));
        int[] shape = new int[x.dim() - dim];
        Arrays.fill(shape, 1);
        shape[0] = to;
        Tensor weights = Tensor.of(parts, shape).to(x.dtype()).to(x.device());
        return first.lerp(second, weights.expandAs(first));
    }
}
