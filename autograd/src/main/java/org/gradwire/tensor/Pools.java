package org.gradwire.tensor;

import org.gradwire.tensor.OperatorRow.Computed;
import org.gradwire.tensor.kernel.Pooling;
import org.gradwire.tensor.kernel.Pooling.Axis;

import java.util.Arrays;
import java.util.List;

/** Windows over images {@code [c, h, w]} or {@code [n, c, h, w]}, and what they come down to. */
final class Pools {

    private Pools() {}

    /** The windows over the two last dimensions of an image. */
    private record Grid(Axis rows, Axis columns) {

        int size() {
            return rows.extent() * columns.extent();
        }

        int newSize() {
            return rows.count() * columns.count();
        }

        int[] shape(int[] input) {
            int[] shape = input.clone();
            shape[shape.length - 2] = rows.count();
            shape[shape.length - 1] = columns.count();
            return shape;
        }
    }

    /** {@return one number for each of the two dimensions} */
    static int[] pair(String function, String name, int[] values) {
        return switch (values.length) {
            case 1 -> new int[] {values[0], values[0]};
            case 2 -> values;
            default ->
                    throw new IllegalArgumentException(
                            "%s: %s must either be a single int, or a tuple of two ints; got %s"
                                    .formatted(function, name, Arrays.toString(values)));
        };
    }

    private static void check(String function, Tensor x, int[] shape) {
        int dims = shape.length;
        boolean fits = dims == 3 || dims == 4;
        for (int d = dims == 4 ? 1 : 0; d < dims && fits; d++) {
            fits = shape[d] > 0;
        }
        if (!fits) {
            throw new IllegalArgumentException(
                    "%s: Expected 3D or 4D (batch mode) tensor with optional 0 dim batch size for input, but got: %s"
                            .formatted(function, Arrays.toString(shape)));
        }
        checkFloating(function, x);
    }

    static void checkFloating(String function, Tensor x) {
        if (!x.dtype().isFloating()) {
            throw new IllegalArgumentException(
                    "\"%s\" not implemented for '%s'; convert the input with to(dtype)"
                            .formatted(function, x.dtype().tensorType()));
        }
    }

    /** The arguments of a window that slides. */
    private record Window(int[] kernel, int[] stride, int[] padding, int[] dilation, boolean ceil) {

        static Window of(
                String function,
                int[] kernel,
                int[] stride,
                int[] padding,
                int[] dilation,
                boolean ceil) {
            int[] size = pair(function, "kernel_size", kernel);
            var window =
                    new Window(
                            size,
                            stride.length == 0 ? size : pair(function, "stride", stride),
                            pair(function, "padding", padding),
                            pair(function, "dilation", dilation),
                            ceil);
            window.check();
            return window;
        }

        private void check() {
            for (int d = 0; d < 2; d++) {
                if (kernel[d] <= 0) {
                    throw new IllegalArgumentException(
                            "kernel size should be greater than zero, but got kH: %d kW: %d"
                                    .formatted(kernel[0], kernel[1]));
                }
                if (stride[d] <= 0) {
                    throw new IllegalArgumentException(
                            "stride should be greater than zero, but got dH: %d dW: %d"
                                    .formatted(stride[0], stride[1]));
                }
                if (dilation[d] <= 0) {
                    throw new IllegalArgumentException(
                            "dilation should be greater than zero, but got dilationH: %d dilationW: %d"
                                    .formatted(dilation[0], dilation[1]));
                }
                if (padding[d] < 0 || padding[d] > kernel[d] / 2) {
                    throw new IllegalArgumentException(
                            "pad should be at most half of kernel size, and not negative, but got pad=%d and kernel_size=%d"
                                    .formatted(padding[d], kernel[d]));
                }
            }
        }

        /** {@return the number of windows along an axis} */
        private long count(int extent, int d) {
            long reach = (long) dilation[d] * (kernel[d] - 1) + 1;
            long room = extent + 2L * padding[d] - reach;
            long count = Math.floorDiv(room + (ceil ? stride[d] - 1 : 0), (long) stride[d]) + 1;
            boolean beyond = ceil && (count - 1) * stride[d] >= extent + padding[d];
            return beyond ? count - 1 : count; // a window must not begin in the padding after
        }

        private Axis axis(int extent, int d) {
            return Axis.sliding(
                    extent, kernel[d], stride[d], padding[d], dilation[d], (int) count(extent, d));
        }

        Grid grid(int[] input) {
            int height = input[input.length - 2];
            int width = input[input.length - 1];
            if (count(height, 0) < 1 || count(width, 1) < 1) {
                int channels = input[input.length - 3];
                throw new IllegalArgumentException(
                        "Given input size: (%dx%dx%d). Calculated output size: (%dx%dx%d). Output size is too small"
                                .formatted(
                                        channels,
                                        height,
                                        width,
                                        channels,
                                        count(height, 0),
                                        count(width, 1)));
            }
            return new Grid(axis(height, 0), axis(width, 1));
        }
    }

    private static Window maximumWindow(Args args) {
        return Window.of(
                "max_pool2d",
                args.integers(1),
                args.integers(2),
                args.integers(3),
                args.integers(4),
                args.flag(5));
    }

    /** Where the largest numbers stood, plane after plane. */
    private record Positions(int[] indices, Grid grid) {}

    /** {@return the largest numbers, with their positions} */
    static Computed maximum(Args args) {
        Tensor x = args.tensor(0);
        check("max_pool2d", x, x.dims);
        Grid grid = maximumWindow(args).grid(x.dims);
        Tensor result = Tensor.fresh(x.dtype(), grid.shape(x.dims));
        int[] positions = new int[result.numel()];
        Pooling.maximum(
                x.dtype().elements(),
                x.strided(),
                grid.rows,
                grid.columns,
                result.strided(),
                positions);
        return new Computed(result, new Positions(positions, grid));
    }

    /** {@return the largest numbers and their positions, both as tensors} */
    static Computed maximumWithIndices(Args args) {
        Computed computed = maximum(args);
        int[] positions = ((Positions) computed.extra()).indices;
        Tensor result = (Tensor) computed.result();
        long[] indices = new long[positions.length];
        Arrays.setAll(indices, i -> positions[i]);
        return new Computed(List.of(result, Tensor.of(indices, result.dims)), computed.extra());
    }

    static Tensor maximumGradient(Saved saved, Tensor gradient) {
        var positions = saved.extra(Positions.class);
        Tensor result = Tensor.fresh(gradient.dtype(), saved.shape(0));
        Pooling.maximumGradient(
                gradient.dtype().elements(),
                gradient.strided(),
                positions.grid.newSize(),
                result.strided(),
                positions.grid.size(),
                positions.indices);
        return result;
    }

    private static Grid averageGrid(Args args, int[] input) {
        int[] one = {1};
        var window =
                Window.of(
                        "avg_pool2d",
                        args.integers(1),
                        args.integers(2),
                        args.integers(3),
                        one,
                        args.flag(4));
        Grid grid = window.grid(input);
        boolean countPadding = args.flag(5);
        return countPadding ? grid : new Grid(grid.rows.inside(), grid.columns.inside());
    }

    /** {@return what sums are divided by instead of the sizes of windows; 0 for these} */
    private static int divisor(Args args) {
        Integer divisor = args.optionalInteger(6);
        if (divisor != null && divisor == 0) {
            throw new IllegalArgumentException("divisor must be not zero");
        }
        return divisor == null ? 0 : divisor;
    }

    static Tensor average(Args args) {
        Tensor x = args.tensor(0);
        check("avg_pool2d", x, x.dims);
        return average(x, averageGrid(args, x.dims), divisor(args));
    }

    private static Tensor average(Tensor x, Grid grid, int divisor) {
        Tensor result = Tensor.fresh(x.dtype(), grid.shape(x.dims));
        Pooling.average(
                x.dtype().elements(),
                x.strided(),
                grid.rows,
                grid.columns,
                divisor,
                result.strided());
        return result;
    }

    static Tensor averageGradient(Saved saved, Tensor gradient) {
        Grid grid = averageGrid(saved.args(), saved.shape(0));
        return averageGradient(gradient, saved.shape(0), grid, divisor(saved.args()));
    }

    private static Tensor averageGradient(Tensor gradient, int[] shape, Grid grid, int divisor) {
        Tensor result = Tensor.fresh(gradient.dtype(), shape);
        Pooling.averageGradient(
                gradient.dtype().elements(),
                gradient.strided(),
                grid.rows,
                grid.columns,
                divisor,
                result.strided());
        return result;
    }

    private static Grid adaptiveGrid(int[] input, int[] outputSize) {
        String function = "adaptive_avg_pool2d";
        int[] size = pair(function, "output_size", outputSize);
        if (size[0] < 0 || size[1] < 0) {
            throw new IllegalArgumentException(
                    "%s: elements of output_size must be greater than or equal to 0 but received {%d, %d}"
                            .formatted(function, size[0], size[1]));
        }
        return new Grid(
                Axis.sharing(input[input.length - 2], size[0]),
                Axis.sharing(input[input.length - 1], size[1]));
    }

    static Tensor adaptiveAverage(Tensor x, int[] outputSize) {
        check("adaptive_avg_pool2d", x, x.dims);
        return average(x, adaptiveGrid(x.dims, outputSize), 0);
    }

    static Tensor adaptiveAverageGradient(Saved saved, Tensor gradient) {
        Grid grid = adaptiveGrid(saved.shape(0), saved.args().integers(1));
        return averageGradient(gradient, saved.shape(0), grid, 0);
    }
}
