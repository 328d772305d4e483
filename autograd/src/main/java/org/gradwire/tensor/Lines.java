package org.gradwire.tensor;

import java.util.Arrays;
import java.util.stream.IntStream;

/** Convolutions and poolings of rows: those of images of height 1. */
final class Lines {

    private Lines() {}

    private static void requireRows(String name, Tensor x) {
        if (x.dims.length != 2 && x.dims.length != 3) {
            throw new IllegalArgumentException(
                    "Expected 2D (unbatched) or 3D (batched) input to %s, but got input of size: %s"
                            .formatted(name, Arrays.toString(x.dims)));
        }
    }

    private static void requireFilters(String name, Tensor weight) {
        if (weight.dims.length != 3) {
            throw new IllegalArgumentException(
                    "%s: expected a weight of 3 dimensions, but got weight of size: %s"
                            .formatted(name, Arrays.toString(weight.dims)));
        }
    }

    /** {@return a number for the height before that of rows} */
    private static int[] pair(String name, int height, int[] width) {
        if (width.length != 1) {
            throw new IllegalArgumentException(
                    "expected %s to be a single integer value or a list of 1 values to match the convolution dimensions, but got %s=%s"
                            .formatted(name, name, Arrays.toString(width)));
        }
        return new int[] {height, width[0]};
    }

    static Tensor conv1d(Args a) {
        requireRows("conv1d", a.tensor(0));
        requireFilters("conv1d", a.tensor(1));
        return Ops.conv2d(
                        a.tensor(0).unsqueeze(-2),
                        a.tensor(1).unsqueeze(2),
                        a.optionalTensor(2),
                        pair("stride", 1, a.integers(3)),
                        pair("padding", 0, a.integers(4)),
                        pair("dilation", 1, a.integers(5)),
                        a.integer(6))
                .squeeze(-2);
    }

    static Tensor convTranspose1d(Args a) {
        requireRows("conv_transpose1d", a.tensor(0));
        requireFilters("conv_transpose1d", a.tensor(1));
        return Ops.convTranspose2d(
                        a.tensor(0).unsqueeze(-2),
                        a.tensor(1).unsqueeze(2),
                        a.optionalTensor(2),
                        pair("stride", 1, a.integers(3)),
                        pair("padding", 0, a.integers(4)),
                        pair("output_padding", 0, a.integers(5)),
                        a.integer(6),
                        pair("dilation", 1, a.integers(7)))
                .squeeze(-2);
    }

    static Tensor maxPool1d(Args a) {
        requireRows("max_pool1d", a.tensor(0));
        int[] kernel = pair("kernel_size", 1, a.integers(1));
        return Ops.maxPool2d(
                        a.tensor(0).unsqueeze(-2),
                        kernel,
                        stride(a.integers(2), kernel),
                        pair("padding", 0, a.integers(3)),
                        pair("dilation", 1, a.integers(4)),
                        a.flag(5))
                .squeeze(-2);
    }

    static Tensor avgPool1d(Args a) {
        requireRows("avg_pool1d", a.tensor(0));
        int[] kernel = pair("kernel_size", 1, a.integers(1));
        return Ops.avgPool2d(
                        a.tensor(0).unsqueeze(-2),
                        kernel,
                        stride(a.integers(2), kernel),
                        pair("padding", 0, a.integers(3)),
                        a.flag(4),
                        a.flag(5),
                        null)
                .squeeze(-2);
    }

    private static int[] stride(int[] given, int[] kernel) {
        return given.length == 0 ? kernel : pair("stride", 1, given);
    }

    static Tensor adaptiveAvgPool1d(Args a) {
        requireRows("adaptive_avg_pool1d", a.tensor(0));
        int[] size = pair("output_size", 1, a.integers(1));
        return Ops.adaptiveAvgPool2d(a.tensor(0).unsqueeze(-2), size).squeeze(-2);
    }

    static Tensor adaptiveMaxPool2d(Args a) {
        Tensor x = a.tensor(0);
        int[] given = a.integers(1);
        boolean image = x.dims.length == 3 || x.dims.length == 4;
        boolean positive = Arrays.stream(given).allMatch(n -> n > 0);
        if (!image || !positive || given.length < 1 || given.length > 2 || x.numel() == 0) {
            throw new IllegalArgumentException(
                    "adaptive_max_pool2d: expected an image of 3 or 4 dimensions and a positive output size, but got input of size %s and output size %s"
                            .formatted(Arrays.toString(x.dims), Arrays.toString(given)));
        }
        Pools.checkFloating("adaptive_max_pool2d", x);
        Tensor columns = largestParts(x, x.dims.length - 1, given[given.length - 1]);
        return largestParts(columns, x.dims.length - 2, given[0]);
    }

    /** Keep the largest elements of parts of a dimension, which may share elements. */
    private static Tensor largestParts(Tensor x, int dim, int parts) {
        int size = x.dims[dim];
        return Ops.cat(
                IntStream.range(0, parts)
                        .mapToObj(i -> {
                            int start = (int) ((long) i * size / parts);
                            int end = (int) (((i + 1L) * size + parts - 1) / parts);
                            return Ops.max(x.narrow(dim, start, end - start), dim, true).get(0);
                        })
                        .toList(),
                dim);
    }
}
