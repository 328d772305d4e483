package org.gradwire.tensor.rule;

import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.access.DTypeAccess;
import org.gradwire.tensor.access.TensorAccess;
import org.gradwire.tensor.kernel.Pooling;
import org.gradwire.tensor.kernel.Pooling.Axis;
import org.gradwire.tensor.operator.Args;
import org.gradwire.tensor.operator.OperatorRow.Computed;
import org.gradwire.tensor.operator.Saved;
import org.gradwire.tensor.rule.device.DeviceWindows;
import org.jspecify.annotations.Nullable;

import java.util.Arrays;
import java.util.List;

/** Max and average pooling of images {@code [c, h, w]} or {@code [n, c, h, w]}. */
public final class PoolingRules {

    private PoolingRules() {}

    /** The windows over the two last dimensions of an image. */
    private record Grid(Axis rows, Axis columns, DeviceWindows windows) {

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
                            "%s: %s must be one or two integers; got %s"
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

    public static void checkFloating(String function, Tensor x) {
        if (!x.dtype().isFloating()) {
            throw new IllegalArgumentException(
                    "\"%s\" not implemented for '%s'; convert the input with to(dtype)"
                            .formatted(function, DTypeAccess.tensorType(x.dtype())));
        }
    }

    /** The arguments of a sliding window. */
    private record Window(int[] kernel, int[] stride, int[] padding, int[] dilation, boolean ceil) {

        static Window of(
                String function,
                int[] kernel,
                int[] stride,
                int[] padding,
                int[] dilation,
                boolean ceil) {
            int[] size = pair(function, "kernelSize", kernel);
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
                            "pad should be at most half of kernel size, and not negative, but got pad=%d and kernelSize=%d"
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
            var rows = axis(height, 0);
            var columns = axis(width, 1);
            int[] count = {rows.count(), columns.count()};
            return new Grid(
                    rows,
                    columns,
                    new DeviceWindows(
                            new int[] {height, width},
                            count,
                            kernel,
                            stride,
                            padding,
                            dilation,
                            true));
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

    /**
     * Indices of the maxima, plane by plane.
     *
     * @param there those on a device, where the others are empty
     */
    private record Positions(int[] indices, @Nullable Tensor there, Grid grid) {}

    /** {@return the maxima, with their indices} */
    public static Computed maximum(Args args) {
        Tensor x = args.tensor(0);
        check("max_pool2d", x, TensorAccess.dims(x));
        Grid grid = maximumWindow(args).grid(TensorAccess.dims(x));
        Computed there = maximumThere(x, grid);
        return there == null ? maximumOnHost(x, grid) : there;
    }

    private static @Nullable Computed maximumThere(Tensor x, Grid grid) {
        Tensor indices = grid.windows.largest(x, grid.shape(TensorAccess.dims(x)));
        Tensor result = indices == null ? null : grid.windows.at(indices, x);
        if (indices == null || result == null) {
            return null;
        }
        TensorAccess.storage(indices).escape(); // the gradient needs them, as it does arrays
        return new Computed(result, new Positions(new int[0], indices, grid));
    }

    private static Computed maximumOnHost(Tensor x, Grid grid) {
        Tensor result = TensorAccess.fresh(x.dtype(), grid.shape(TensorAccess.dims(x)));
        int[] positions = new int[result.numel()];
        Pooling.maximum(
                DTypeAccess.elements(x.dtype()),
                TensorAccess.strided(x),
                grid.rows,
                grid.columns,
                TensorAccess.strided(result),
                positions);
        return new Computed(result, new Positions(positions, null, grid));
    }

    /** {@return the maxima and their indices, both as tensors} */
    public static Computed maximumWithIndices(Args args) {
        Computed computed = maximum(args);
        var positions = (Positions) computed.extra();
        Tensor result = (Tensor) computed.result();
        if (positions.there != null) {
            return new Computed(List.of(result, Elementwise.copy(positions.there)), positions);
        }
        long[] indices = Arrays.stream(positions.indices).asLongStream().toArray();
        return new Computed(
                List.of(result, Tensor.of(indices, TensorAccess.dims(result))), positions);
    }

    public static Tensor maximumGradient(Saved saved, Tensor gradient) {
        var positions = saved.extra(Positions.class);
        Tensor there =
                positions.there == null
                        ? null
                        : positions.grid.windows.gradientAt(
                                positions.there, gradient, saved.shape(0));
        return there == null ? maximumGradientOnHost(saved, gradient, positions) : there;
    }

    private static Tensor maximumGradientOnHost(Saved saved, Tensor gradient, Positions positions) {
        int[] indices = positions.there == null ? positions.indices : positions.there.toIntArray();
        Tensor result = TensorAccess.fresh(gradient.dtype(), saved.shape(0));
        Pooling.maximumGradient(
                DTypeAccess.elements(gradient.dtype()),
                TensorAccess.strided(gradient),
                positions.grid.newSize(),
                TensorAccess.strided(result),
                positions.grid.size(),
                indices);
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
        return countPadding
                ? grid
                : new Grid(grid.rows.inside(), grid.columns.inside(), grid.windows.inside());
    }

    /** {@return the divisor of the sums; 0 for the size of each window} */
    private static int divisor(Args args) {
        Integer divisor = args.optionalInteger(6);
        if (divisor != null && divisor == 0) {
            throw new IllegalArgumentException("divisor must be not zero");
        }
        return divisor == null ? 0 : divisor;
    }

    public static Tensor average(Args args) {
        Tensor x = args.tensor(0);
        check("avg_pool2d", x, TensorAccess.dims(x));
        return average(x, averageGrid(args, TensorAccess.dims(x)), divisor(args));
    }

    private static Tensor average(Tensor x, Grid grid, int divisor) {
        int[] shape = grid.shape(TensorAccess.dims(x));
        Tensor there = grid.windows.average(x, divisor, shape);
        return there == null ? averageOnHost(x, grid, divisor, shape) : there;
    }

    private static Tensor averageOnHost(Tensor x, Grid grid, int divisor, int[] shape) {
        Tensor result = TensorAccess.fresh(x.dtype(), shape);
        Pooling.average(
                DTypeAccess.elements(x.dtype()),
                TensorAccess.strided(x),
                grid.rows,
                grid.columns,
                divisor,
                TensorAccess.strided(result));
        return result;
    }

    public static Tensor averageGradient(Saved saved, Tensor gradient) {
        Grid grid = averageGrid(saved.args(), saved.shape(0));
        return averageGradient(gradient, saved.shape(0), grid, divisor(saved.args()));
    }

    private static Tensor averageGradient(Tensor gradient, int[] shape, Grid grid, int divisor) {
        Tensor there = grid.windows.averageGradient(gradient, divisor, shape);
        return there == null ? averageGradientOnHost(gradient, shape, grid, divisor) : there;
    }

    private static Tensor averageGradientOnHost(
            Tensor gradient, int[] shape, Grid grid, int divisor) {
        Tensor result = TensorAccess.fresh(gradient.dtype(), shape);
        Pooling.averageGradient(
                DTypeAccess.elements(gradient.dtype()),
                TensorAccess.strided(gradient),
                grid.rows,
                grid.columns,
                divisor,
                TensorAccess.strided(result));
        return result;
    }

    private static Grid adaptiveGrid(int[] input, int[] outputSize) {
        String function = "adaptive_avg_pool2d";
        int[] size = pair(function, "outputSize", outputSize);
        if (size[0] < 0 || size[1] < 0) {
            throw new IllegalArgumentException(
                    "%s: elements of outputSize must be greater than or equal to 0 but received {%d, %d}"
                            .formatted(function, size[0], size[1]));
        }
        int[] extent = {input[input.length - 2], input[input.length - 1]};
        return new Grid(
                Axis.sharing(extent[0], size[0]),
                Axis.sharing(extent[1], size[1]),
                DeviceWindows.adaptive(extent, size));
    }

    public static Tensor adaptiveAverage(Tensor x, int[] outputSize) {
        check("adaptive_avg_pool2d", x, TensorAccess.dims(x));
        return average(x, adaptiveGrid(TensorAccess.dims(x), outputSize), 0);
    }

    public static Tensor adaptiveAverageGradient(Saved saved, Tensor gradient) {
        Grid grid = adaptiveGrid(saved.shape(0), saved.args().integers(1));
        return averageGradient(gradient, saved.shape(0), grid, 0);
    }
}
