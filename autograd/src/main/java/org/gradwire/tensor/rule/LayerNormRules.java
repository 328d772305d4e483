package org.gradwire.tensor.rule;

import org.gradwire.tensor.DType;
import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.access.DTypeAccess;
import org.gradwire.tensor.access.TensorAccess;
import org.gradwire.tensor.kernel.element.Binary;
import org.gradwire.tensor.kernel.element.BlockReader;
import org.gradwire.tensor.kernel.element.BlockWriter;
import org.gradwire.tensor.kernel.element.Elements;
import org.gradwire.tensor.operator.OperatorRow.Computed;
import org.gradwire.tensor.operator.Saved;
import org.gradwire.tensor.rule.device.DeviceLayerNorm;
import org.gradwire.tensor.storage.Shapes;
import org.gradwire.tensor.storage.Storage;
import org.jspecify.annotations.Nullable;

import java.util.Arrays;

/**
 * Layer and group normalization: rows normalized to mean 0 and variance 1, then scaled and shifted.
 * All rows of a layer have the same weights; each group of channels has its own.
 *
 * <p>A row is read once, and all steps run on it while it is in the cache.
 *
 * @param <A> type of the arrays
 */
public final class LayerNormRules<A> {
    private final Elements<A> elements;
    private final int width;
    private final int groups;
    private final @Nullable A weights;
    private final A work;
    private final A one;

    /** Mean, and one over the standard deviation, of each row; none for a device. */
    private record Statistics(double eps, double[] means, double[] inverses) {
        Statistics(double eps, int rows) {
            this(eps, new double[rows], new double[rows]);
        }
    }

    /**
     * Partition of a tensor into rows.
     *
     * @param width elements of a row
     * @param groups rows until the weights repeat
     * @param repeat number of consecutive elements with the same weight
     */
    public record Rows(int width, int groups, int repeat) {

        public static Rows ofLayers(int[] input, int[] normalized) {
            int added = input.length - normalized.length;
            if (normalized.length == 0) {
                throw new IllegalArgumentException(
                        "Expected normalizedShape to be at least 1-dimensional, i.e., containing at least one element, but got normalizedShape = []");
            }
            if (added < 0
                    || !Arrays.equals(Arrays.copyOfRange(input, added, input.length), normalized)) {
                String shape = Arrays.toString(normalized);
                throw new IllegalArgumentException(
                        "Given normalizedShape=%s, expected input with shape [*, %s, but got input of size%s"
                                .formatted(shape, shape.substring(1), Arrays.toString(input)));
            }
            return new Rows(Shapes.count(normalized), 1, 1);
        }

        public static Rows ofGroups(int[] input, int groups) {
            if (input.length < 2) {
                throw new IllegalArgumentException(
                        "group_norm: Expected at least 2 dimensions for input tensor but received %d"
                                .formatted(input.length));
            }
            if (groups <= 0 || input[1] % groups != 0) {
                throw new IllegalArgumentException(
                        "Expected number of channels in input to be divisible by numGroups, but got input of shape %s and numGroups=%d"
                                .formatted(Arrays.toString(input), groups));
            }
            int inner = Shapes.count(Arrays.copyOfRange(input, 2, input.length));
            return new Rows(input[1] / groups * inner, groups, inner);
        }

        /** {@return the number of elements that have separate weights} */
        int period() {
            return width * groups;
        }
    }

    private LayerNormRules(Elements<A> elements, Rows rows, @Nullable Tensor weight) {
        this.elements = elements;
        this.width = rows.width;
        this.groups = rows.groups;
        this.weights = weight == null ? null : expanded(elements, weight, rows);
        this.work = elements.array(width);
        this.one = elements.array(1);
    }

    /** {@return a value for each element of a period} */
    private static <A> A expanded(Elements<A> elements, Tensor perChannel, Rows rows) {
        double[] numbers = perChannel.toDoubleArray();
        A all = elements.array(rows.period());
        for (int i = 0; i < numbers.length; i++) {
            elements.fill(all, i * rows.repeat, rows.repeat, numbers[i]);
        }
        return all;
    }

    public static void checkLayers(int[] normalized, @Nullable Tensor tensor, String name) {
        if (tensor != null && !Arrays.equals(TensorAccess.dims(tensor), normalized)) {
            throw new IllegalArgumentException(
                    "Expected %s to be of same shape as normalizedShape, but got %s of shape %s and normalizedShape = %s"
                            .formatted(
                                    name,
                                    name,
                                    Arrays.toString(TensorAccess.dims(tensor)),
                                    Arrays.toString(normalized)));
        }
    }

    public static void checkGroups(int[] input, @Nullable Tensor tensor, String name) {
        if (tensor != null
                && (TensorAccess.dims(tensor).length != 1
                        || TensorAccess.dims(tensor)[0] != input[1])) {
            throw new IllegalArgumentException(
                    "Expected %s to be a vector of size equal to the number of channels in input, but got %s of shape %s and input of shape %s"
                            .formatted(
                                    name,
                                    name,
                                    Arrays.toString(TensorAccess.dims(tensor)),
                                    Arrays.toString(input)));
        }
    }

    public static Computed forward(
            Tensor x, Rows rows, @Nullable Tensor weight, @Nullable Tensor bias, double eps) {
        Tensor there = DeviceLayerNorm.forward(x, rows, weight, bias, eps);
        return there != null
                ? new Computed(there, new Statistics(eps, 0))
                : onHost(x, rows, weight, bias, eps);
    }

    private static <A> Computed onHost(
            Tensor x, Rows rows, @Nullable Tensor weight, @Nullable Tensor bias, double eps) {
        Elements<A> elements = DTypeAccess.elements(x.dtype());
        Tensor result = TensorAccess.fresh(x.dtype(), TensorAccess.dims(x));
        int count = x.numel() / Math.max(1, rows.width);
        var statistics = new Statistics(eps, count);
        var norms = new LayerNormRules<>(elements, rows, weight);
        @Nullable A shifts = bias == null ? null : expanded(elements, bias, rows);
        var reader = new BlockReader<>(elements, TensorAccess.strided(x), rows.width);
        var writer = new BlockWriter<>(elements, TensorAccess.strided(result), rows.width);
        for (int row = 0; row < count; row++) {
            reader.load(row * rows.width, rows.width);
            int at = writer.offset(row * rows.width);
            norms.normalize(reader, row, statistics, writer.array(), at);
            norms.scaleAndShift(row, shifts, writer.array(), at);
            writer.store(row * rows.width, rows.width);
        }
        return new Computed(result, statistics);
    }

    private double sum(A x, int offset) {
        elements.sum(x, offset, width, one, 0);
        return elements.getDouble(one, 0);
    }

    private void multiply(A x, int offset, A by, int byOffset) {
        elements.binary(Binary.MUL, x, offset, by, byOffset, x, offset, width);
    }

    private void normalize(BlockReader<A> x, int row, Statistics statistics, A y, int at) {
        double mean = sum(x.array(), x.offset()) / width;
        elements.shiftScale(-mean, 1, x.array(), x.offset(), y, at, width);
        double variance = elements.dot(y, at, y, at, width) / width;
        double inverse = 1 / Math.sqrt(variance + statistics.eps);
        elements.shiftScale(0, inverse, y, at, y, at, width);
        statistics.means[row] = mean;
        statistics.inverses[row] = inverse;
    }

    private void scaleAndShift(int row, @Nullable A shifts, A y, int at) {
        int slice = row % groups * width;
        if (weights != null) {
            multiply(y, at, weights, slice);
        }
        if (shifts != null) {
            elements.binary(Binary.ADD, y, at, shifts, slice, y, at, width);
        }
    }

    /** Return the gradients of input, weight and bias; the row keeps input and weight. */
    public static @Nullable Tensor[] gradients(Saved saved, Rows rows, Tensor gradient) {
        Tensor x = saved.input(0);
        var statistics = saved.extra(Statistics.class);
        boolean isOnDevice = statistics.means.length == 0 && x.numel() > 0;
        @Nullable Tensor @Nullable [] there =
                isOnDevice
                        ? DeviceLayerNorm.gradients(saved, rows, gradient, statistics.eps)
                        : null;
        if (there != null) {
            return there;
        }
        if (isOnDevice) {
            var computed = onHost(x, rows, null, null, statistics.eps);
            statistics = (Statistics) computed.extra();
        }
        return onHost(saved, rows, gradient, statistics);
    }

    private static <A> @Nullable Tensor[] onHost(
            Saved saved, Rows rows, Tensor gradient, Statistics statistics) {
        Elements<A> elements = DTypeAccess.elements(gradient.dtype());
        Tensor x = saved.input(0);
        var norms = new LayerNormRules<>(elements, rows, saved.optionalInput(1));
        Tensor result = TensorAccess.fresh(x.dtype(), TensorAccess.dims(x));
        A scales = elements.array(rows.period());
        A shifts = elements.array(rows.period());
        var reader = new BlockReader<>(elements, TensorAccess.strided(x), rows.width);
        var flow = new BlockReader<>(elements, TensorAccess.strided(gradient), rows.width);
        var writer = new BlockWriter<>(elements, TensorAccess.strided(result), rows.width);
        A centered = elements.array(rows.width);
        for (int row = 0; row < statistics.means.length; row++) {
            reader.load(row * rows.width, rows.width);
            flow.load(row * rows.width, rows.width);
            int at = writer.offset(row * rows.width);
            norms.center(reader, centered, statistics, row);
            norms.addToSums(flow, centered, row, scales, shifts);
            norms.gradient(flow, centered, row, statistics.inverses[row], writer.array(), at);
            writer.store(row * rows.width, rows.width);
        }
        return new @Nullable Tensor[] {
            result,
            saved.needs(1) ? reduced(x.dtype(), scales, rows, saved.shape(1)) : null,
            saved.needs(2) ? reduced(x.dtype(), shifts, rows, saved.shape(2)) : null
        };
    }

    private void center(BlockReader<A> x, A centered, Statistics statistics, int row) {
        double mean = statistics.means[row];
        double inverse = statistics.inverses[row];
        elements.shiftScale(-mean, inverse, x.array(), x.offset(), centered, 0, width);
    }

    private void addToSums(BlockReader<A> g, A centered, int row, A scales, A shifts) {
        int slice = row % groups * width;
        elements.binary(Binary.MUL, g.array(), g.offset(), centered, 0, work, 0, width);
        elements.binary(Binary.ADD, scales, slice, work, 0, scales, slice, width);
        elements.binary(Binary.ADD, shifts, slice, g.array(), g.offset(), shifts, slice, width);
    }

    private void gradient(BlockReader<A> g, A centered, int row, double inverse, A result, int at) {
        System.arraycopy(g.array(), g.offset(), result, at, width);
        if (weights != null) {
            multiply(result, at, weights, row % groups * width);
        }
        double along = elements.dot(result, at, centered, 0, width) / width;
        double mean = sum(result, at) / width;
        elements.addScaled(-along, centered, 0, result, at, width);
        elements.shiftScale(-mean, inverse, result, at, result, at, width);
    }

    /** {@return the sums over the elements that have the same weight} */
    private static <A> Tensor reduced(DType dtype, A sums, Rows rows, int[] shape) {
        if (rows.repeat == 0) {
            return Tensor.zeros(dtype, shape);
        }
        Tensor all =
                TensorAccess.view(
                        Storage.ofArray(dtype, sums, rows.period()),
                        0,
                        new int[] {rows.period() / rows.repeat, rows.repeat},
                        new int[] {rows.repeat, 1});
        return TensorAccess.viewAs(ReductionRules.sum(all, new int[] {1}, false), shape);
    }
}
