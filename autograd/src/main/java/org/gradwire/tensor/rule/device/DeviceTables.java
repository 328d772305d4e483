package org.gradwire.tensor.rule.device;

import org.gradwire.tensor.DType;
import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.access.DTypeAccess;
import org.gradwire.tensor.access.TensorAccess;
import org.gradwire.tensor.kernel.DeviceCall;
import org.gradwire.tensor.kernel.element.Binary;
import org.gradwire.tensor.kernel.element.Elements;
import org.gradwire.tensor.kernel.element.Strided;
import org.gradwire.tensor.rule.Elementwise;
import org.gradwire.tensor.rule.ReductionRules;
import org.gradwire.tensor.storage.Shapes;
import org.jspecify.annotations.Nullable;

/** Elements and rows, taken, put and added by index, by a device's kernels. */
public final class DeviceTables {

    private static final int MOST_GROUPED = 1 << 26; // the host needs 64 bytes for each

    private DeviceTables() {}

    /**
     * Copy the row of each index.
     *
     * @param indices in range
     * @param result as many rows
     * @return whether the device has a kernel
     */
    public static boolean takeRows(Tensor table, Tensor indices, Tensor result) {
        Elements<?> elements = DTypeAccess.elements(result.dtype());
        return !result.device().isCpu()
                && new DeviceCall("take_rows", elements, TensorAccess.strided(result))
                        .with(elements, TensorAccess.strided(table))
                        .with(DTypeAccess.elements(DType.INT64), TensorAccess.strided(indices))
                        .with((long) TensorAccess.dims(table)[1])
                        .run();
    }

    /**
     * Add each row to the one of its index in a matrix of zeros. Those of one index are added in
     * their order, so that the sum is always the same. Return null where the device has no kernel.
     *
     * @param indices in range
     * @param without an index whose rows are left out, or null
     * @param mean whether each sum is divided by the number of its rows
     */
    public static @Nullable Tensor addRows(
            Tensor rows, long[] indices, @Nullable Integer without, boolean mean, int[] shape) {
        Tensor result = Tensor.zeros(rows.dtype(), shape);
        var groups = IndexGroups.of(indices, without);
        return groups.distinct() == 0 || addRows(rows, groups, mean, result, shape[1])
                ? result
                : null;
    }

    /** Write the sum of the rows of each group. */
    private static boolean addRows(
            Tensor rows, IndexGroups groups, boolean mean, Tensor result, int length) {
        Elements<?> elements = DTypeAccess.elements(rows.dtype());
        var parts = groups.on(rows.device());
        return new DeviceCall("add_rows", elements, TensorAccess.strided(result))
                .with(elements, TensorAccess.strided(rows))
                .with(IndexGroups.LONGS, parts.distinct())
                .with(IndexGroups.LONGS, parts.starts())
                .with(IndexGroups.LONGS, parts.order())
                .with(mean ? 1L : 0L)
                .with((long) length)
                .run();
    }

    /**
     * Put elements at an index along a dimension each, or add them; null where the device has no
     * kernel. Of equal indices the last element is put; elements are added in their order.
     *
     * @param index in range
     */
    public static @Nullable Tensor scattered(
            Tensor x, int dim, Tensor index, Tensor source, boolean added) {
        Elements<?> type = DTypeAccess.elements(x.dtype());
        if (!DeviceCall.isPossible("add_rows", type, TensorAccess.strided(x))
                || index.numel() > MOST_GROUPED) {
            return null;
        }
        int[] shape = TensorAccess.dims(index);
        long[] places = places(TensorAccess.dims(x), dim, shape, index.toLongArray());
        Tensor from = TensorAccess.alias(source, shape, TensorAccess.strides(source));
        Tensor elements = TensorAccess.reshaped(Elementwise.contiguous(from), places.length, 1);
        IndexGroups groups = IndexGroups.of(places, null);
        if (!added) {
            Tensor result = Elementwise.copy(x);
            return addRows(elements, groups.ofLast(), false, result, 1) ? result : null;
        }
        Tensor sums = Tensor.zeros(x.dtype(), TensorAccess.dims(x));
        if (!addRows(elements, groups, false, sums, 1)) {
            return null;
        }
        Elementwise.addInPlace(sums, x, 1);
        return sums;
    }

    /** {@return the places in a contiguous tensor, one for each index} */
    private static long[] places(int[] table, int dim, int[] shape, long[] numbers) {
        int[] strides = Shapes.strides(table);
        int[] at = new int[shape.length];
        long[] places = new long[numbers.length];
        for (int i = 0; i < numbers.length; i++) {
            long place = numbers[i] * strides[dim];
            for (int d = 0; d < shape.length; d++) {
                place += d == dim ? 0 : (long) at[d] * strides[d];
            }
            places[i] = place;
            for (int d = shape.length - 1; d >= 0 && ++at[d] == shape[d]; d--) {
                at[d] = 0;
            }
        }
        return places;
    }

    /**
     * Put numbers times a factor into zeros, at an index along a dimension each; null where the
     * device has no kernel.
     *
     * @param numbers for each place in the other dimensions, or one for all
     * @param without the index of those to leave out
     */
    public static @Nullable Tensor placed(
            Tensor numbers, Tensor indices, int[] shape, int dim, int without, double factor) {
        if (numbers.device().isCpu() || Shapes.count(shape) == 0) {
            return null;
        }
        Tensor result = TensorAccess.fresh(numbers.dtype(), shape);
        int[] order = ReductionRules.lastDimension(result, dim);
        Elements<?> elements = DTypeAccess.elements(numbers.dtype());
        Strided to = TensorAccess.strided(TensorAccess.permuted(result, order));
        boolean done =
                new DeviceCall("place", elements, to)
                        .with(elements, TensorAccess.strided(numbers))
                        .with(DTypeAccess.elements(DType.INT64), TensorAccess.strided(indices))
                        .with((long) without)
                        .with(factor)
                        .with((long) shape[dim])
                        .run();
        return done ? result : null;
    }

    /**
     * Take elements by an index along a dimension each; null where the device has no kernel.
     *
     * @param indices in range, of the shape of the result
     */
    public static @Nullable Tensor gathered(Tensor x, int dim, Tensor indices) {
        int[] shape = TensorAccess.dims(indices);
        if (x.device().isCpu() || indices.numel() == 0) {
            return null;
        }
        Tensor result = TensorAccess.fresh(x.dtype(), shape);
        int[] strides = TensorAccess.strides(x).clone();
        int stride = strides[dim];
        strides[dim] = 0;
        Elements<?> elements = DTypeAccess.elements(x.dtype());
        boolean done =
                new DeviceCall("gather", elements, TensorAccess.strided(result))
                        .with(elements, TensorAccess.strided(TensorAccess.alias(x, shape, strides)))
                        .with(DTypeAccess.elements(DType.INT64), TensorAccess.strided(indices))
                        .with((long) stride)
                        .with(1L)
                        .run();
        return done ? result : null;
    }

    /**
     * Take slices by their index along a dimension; null where the device has no kernel.
     *
     * @param indices in range
     */
    public static @Nullable Tensor slices(Tensor x, int dim, Tensor indices) {
        int[] shape = TensorAccess.dims(x).clone();
        int[] strides = new int[shape.length];
        shape[dim] = indices.numel();
        strides[dim] =
                TensorAccess.dims(indices).length == 0 ? 0 : TensorAccess.strides(indices)[0];
        return gathered(x, dim, TensorAccess.alias(indices, shape, strides));
    }

    /**
     * Add slices times a factor to those of their index along a dimension; null where the device
     * has no kernel.
     */
    public static @Nullable Tensor slicesAdded(
            Tensor x, int dim, long[] indices, Tensor slices, Number factor) {
        if (x.device().isCpu() || slices.numel() == 0) {
            return null;
        }
        int[] shape = TensorAccess.dims(x).clone();
        int width = x.numel() / shape[dim];
        int[] order = firstDimension(shape.length, dim);
        Tensor rows =
                TensorAccess.reshaped(
                        Elementwise.contiguous(TensorAccess.permuted(slices, order)),
                        indices.length,
                        width);
        Tensor sums = addRows(rows, indices, null, false, new int[] {shape[dim], width});
        if (sums == null) {
            return null;
        }
        Tensor first = TensorAccess.permuted(x, order);
        Tensor scaled =
                factor.doubleValue() == 1
                        ? sums
                        : Elementwise.cast(Elementwise.binary(Binary.MUL, sums, factor), x.dtype());
        Tensor result = Elementwise.copy(x);
        Elementwise.addInPlace(
                TensorAccess.permuted(result, order),
                TensorAccess.viewAs(scaled, TensorAccess.dims(first)),
                1);
        return result;
    }

    /** {@return the order of dimensions in which one comes first} */
    private static int[] firstDimension(int dims, int dim) {
        int[] order = new int[dims];
        order[0] = dim;
        for (int d = 0, i = 1; d < dims; d++) {
            if (d != dim) {
                order[i++] = d;
            }
        }
        return order;
    }
}
