package org.gradwire.tensor.rule;

import org.gradwire.tensor.DType;
import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.access.TensorAccess;
import org.gradwire.tensor.kernel.IndexSorter;
import org.gradwire.tensor.operator.Saved;
import org.gradwire.tensor.rule.device.DeviceOrder;
import org.gradwire.tensor.rule.device.DeviceTables;
import org.gradwire.tensor.rule.device.DeviceUnique;
import org.gradwire.tensor.storage.Shapes;
import org.jspecify.annotations.Nullable;

import java.util.Arrays;
import java.util.List;

/**
 * Sorting rules along a dimension and order statistics, and their gradients. NaN counts as larger
 * than any number; equal elements keep their order.
 */
public final class SortRules {

    private SortRules() {}

    /** Return the sorted elements of each row along a dimension, and their indices. */
    public static List<Tensor> sort(Tensor x, int dim, boolean descending) {
        int d = Shapes.dimension(dim, TensorAccess.dims(x).length);
        Tensor indices = indices(x, d, descending);
        return List.of(picked(x, d, indices), indices);
    }

    /** Return the indices that sort each row along a dimension. */
    public static Tensor argsort(Tensor x, int dim, boolean descending) {
        return indices(x, Shapes.dimension(dim, TensorAccess.dims(x).length), descending);
    }

    private static Tensor picked(Tensor x, int dim, Tensor indices) {
        Tensor values = x.detach();
        if (TensorAccess.dims(x).length == 0) {
            return Elementwise.copy(values);
        }
        Tensor there = DeviceTables.gathered(values, dim, indices);
        return there == null ? GatherScatterRules.gather(values, dim, indices) : there;
    }

    /** Return the largest or smallest elements of each row, in order, and their indices. */
    public static List<Tensor> topk(Tensor x, int k, int dim, boolean largest) {
        int d = Shapes.dimension(dim, TensorAccess.dims(x).length);
        int size = TensorAccess.dims(x).length == 0 ? 1 : TensorAccess.dims(x)[d];
        if (k < 0 || k > size) {
            throw new IllegalArgumentException(
                    "topk(): selected index k out of range: k is %d, dimension %d has size %d"
                            .formatted(k, d, size));
        }
        Tensor first = first(x, d, k, largest);
        return List.of(picked(x, d, first), first);
    }

    /** Return the k-th smallest element of each row, counted from 1, and its index. */
    public static List<Tensor> kthvalue(Tensor x, int k, int dim, boolean keepdim) {
        int d = Shapes.dimension(dim, TensorAccess.dims(x).length);
        int size = TensorAccess.dims(x).length == 0 ? 1 : TensorAccess.dims(x)[d];
        if (k < 1 || k > size) {
            throw new IllegalArgumentException(
                    "kthvalue(): selected number k out of range for dimension %d: k is %d, expected 1 to %d"
                            .formatted(d, k, size));
        }
        return nth(x, d, k - 1, keepdim);
    }

    /** Return the lower median of each row, and its index. NaN if the row has one. */
    public static List<Tensor> median(Tensor x, int dim, boolean keepdim) {
        int d = Shapes.dimension(dim, TensorAccess.dims(x).length);
        int size = TensorAccess.dims(x).length == 0 ? 1 : TensorAccess.dims(x)[d];
        if (size == 0) {
            throw new IndexOutOfBoundsException(
                    "median(): Expected reduction dim %d to have non-zero size; the shape is %s"
                            .formatted(d, Arrays.toString(TensorAccess.dims(x))));
        }
        if (x.dtype().isFloating() && x.detach().isnan().any().itemAsBoolean()) {
            return medianWithNaN(x, d, keepdim);
        }
        return nth(x, d, (size - 1) / 2, keepdim);
    }

    private static List<Tensor> medianWithNaN(Tensor x, int dim, boolean keepdim) {
        Tensor values = x.detach();
        Tensor broken = values.isnan();
        List<Tensor> middle =
                nth(
                        x,
                        dim,
                        (TensorAccess.dims(x).length == 0
                                ? 0
                                : (TensorAccess.dims(x)[dim] - 1) / 2),
                        true);
        Tensor firstNaN = Ops.max(broken.to(DType.INT32), dim, true).get(1);
        Tensor any = broken.any(dim, true);
        Tensor index = firstNaN.where(any, middle.get(1));
        Tensor value = picked(x, dim, index);
        return keepdim || TensorAccess.dims(x).length == 0
                ? List.of(value, index)
                : List.of(value.squeeze(dim), index.squeeze(dim));
    }

    private static List<Tensor> nth(Tensor x, int dim, int n, boolean keepdim) {
        Tensor order = first(x, dim, n + 1, false);
        if (TensorAccess.dims(x).length == 0) {
            return List.of(picked(x, dim, order), order);
        }
        Tensor index = Elementwise.contiguous(order.narrow(dim, n, 1));
        Tensor value = picked(x, dim, index);
        return keepdim ? List.of(value, index) : List.of(value.squeeze(dim), index.squeeze(dim));
    }

    /** Scatter the gradient to the selected elements, zero elsewhere. */
    public static @Nullable Tensor[] placed(
            Saved saved, @Nullable Tensor gradient, boolean keepsDim) {
        int[] shape = saved.shape(0);
        if (gradient == null || shape.length == 0) {
            return new @Nullable Tensor[] {gradient};
        }
        int dim = Shapes.dimension(dim(saved), shape.length);
        Tensor index = saved.output(1);
        Tensor flow = gradient;
        if (!keepsDim && TensorAccess.dims(index).length < shape.length) {
            index = index.unsqueeze(dim);
            flow = gradient.unsqueeze(dim);
        }
        Tensor there = DeviceOrder.placed(flow, index, shape, dim);
        if (there != null) {
            return new @Nullable Tensor[] {there};
        }
        Tensor zeros = Tensor.zeros(gradient.dtype(), shape);
        return new @Nullable Tensor[] {zeros.scatter(dim, index, flow)};
    }

    /** {@return the dimension, which comes after a count where there is one} */
    private static int dim(Saved saved) {
        @Nullable Object[] values = saved.args().values();
        boolean counted = values[2] instanceof Integer;
        return saved.args().integer(counted ? 2 : 1);
    }

    private static Tensor indices(Tensor x, int dim, boolean descending) {
        boolean single = TensorAccess.dims(x).length == 0;
        return first(x, dim, single ? 1 : TensorAccess.dims(x)[dim], descending);
    }

    /** {@return the indices of the first elements of each row in their order} */
    private static Tensor first(Tensor x, int dim, int count, boolean descending) {
        if (TensorAccess.dims(x).length == 0) {
            return Tensor.scalar(DType.INT64, 0);
        }
        Tensor there = DeviceOrder.first(x.detach(), dim, count, descending);
        return there == null
                ? Elementwise.contiguous(onHost(x, dim, descending).narrow(dim, 0, count))
                : there;
    }

    private static Tensor onHost(Tensor x, int dim, boolean descending) {
        int[] order = ReductionRules.lastDimension(x, dim);
        Tensor rows = TensorAccess.permuted(x.detach(), order);
        long[] keys = keys(rows);
        int length = TensorAccess.dims(x)[dim];
        if (descending) {
            for (int i = 0; i < keys.length; i++) {
                keys[i] = ~keys[i];
            }
        }
        long[] indices = new long[keys.length];
        var sorter = new IndexSorter(length);
        for (int start = 0; start < keys.length; start += length) {
            sorter.sort(keys, start, indices);
        }
        Tensor sorted = Tensor.of(indices, TensorAccess.dims(rows));
        int[] back = new int[order.length];
        for (int i = 0; i < order.length; i++) {
            back[order[i]] = i;
        }
        return Elementwise.contiguous(TensorAccess.permuted(sorted, back));
    }

    /** {@return numbers in the order of the elements, row by row} */
    private static long[] keys(Tensor x) {
        if (!x.dtype().isFloating()) {
            return x.toLongArray();
        }
        double[] numbers = x.toDoubleArray();
        long[] keys = new long[numbers.length];
        for (int i = 0; i < keys.length; i++) {
            long bits = Double.doubleToLongBits(numbers[i] + 0.0); // -0.0 becomes 0.0
            keys[i] = bits ^ ((bits >> 63) & Long.MAX_VALUE);
        }
        return keys;
    }

    /** Return the unique elements in order, the inverse indices, and the counts. */
    public static List<Tensor> unique(Tensor x, boolean inverse, boolean counts) {
        Tensor flat = TensorAccess.viewAs(Elementwise.contiguous(x.detach()), x.numel());
        List<Tensor> sorted = sort(flat, 0, false);
        List<Tensor> there = DeviceUnique.of(sorted.get(0), sorted.get(1), TensorAccess.dims(x));
        if (there != null) {
            Tensor nothing = Tensor.zeros(DType.INT64, 0);
            return List.of(
                    there.get(0),
                    inverse ? there.get(1) : nothing,
                    counts ? there.get(2) : nothing);
        }
        double[] values = sorted.get(0).toDoubleArray();
        long[] exact = x.dtype().isFloating() ? new long[0] : sorted.get(0).toLongArray();
        long[] origin = sorted.get(1).toLongArray();
        long[] first = new long[values.length];
        long[] count = new long[values.length];
        long[] number = new long[values.length];
        int found = 0;
        for (int i = 0; i < values.length; i++) {
            boolean same =
                    i > 0
                            && (exact.length > 0
                                    ? exact[i] == exact[i - 1]
                                    : values[i] == values[i - 1]);
            if (!same) {
                first[found++] = i;
            }
            count[found - 1]++;
            number[(int) origin[i]] = found - 1L;
        }
        Tensor chosen = Tensor.of(Arrays.copyOf(first, found));
        Tensor nothing = Tensor.zeros(DType.INT64, 0);
        return List.of(
                GatherScatterRules.select(sorted.get(0), 0, chosen),
                inverse ? Tensor.of(number, TensorAccess.dims(x)) : nothing,
                counts ? Tensor.of(Arrays.copyOf(count, found)) : nothing);
    }
}
