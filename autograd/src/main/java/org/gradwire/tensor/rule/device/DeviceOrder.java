package org.gradwire.tensor.rule.device;

import org.gradwire.tensor.DType;
import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.access.DTypeAccess;
import org.gradwire.tensor.access.TensorAccess;
import org.gradwire.tensor.kernel.DeviceCall;
import org.gradwire.tensor.kernel.element.Elements;
import org.gradwire.tensor.kernel.element.Strided;
import org.gradwire.tensor.rule.ReductionRules;
import org.gradwire.tensor.rule.device.DeviceRadix.Keys;
import org.jspecify.annotations.Nullable;

/**
 * Sorts the indices of rows by a device's kernels, in the order of the host's rule. Tiles of rows
 * are sorted first, then runs are merged in pairs, each twice as long as those before; where that
 * moves more bytes, rows are sorted by radix. Keys have 32 bits; elements of 64 bits are sorted by
 * their lower half, and that order by the upper half.
 */
public final class DeviceOrder {
    private static final int TILE = 4096;
    private static final int BITONIC_TILE = 1024; // the longest that is not sorted by radix
    private static final int MERGED_TILE = 2048;
    private static final long INDEX =
            0xffff_ffffL; // where a sorted number has its place in the row
    private static final Elements<?> LONGS = DTypeAccess.elements(DType.INT64);

    private final int length;
    private final int rows;
    private final int tile; // a power of two, the longest run that a block sorts
    private final int part; // that a block merges
    private final int tiles; // of a row

    private DeviceOrder(int length, int rows) {
        int power = 1;
        while (power < length && power < TILE) {
            power *= 2;
        }
        this.length = length;
        this.rows = rows;
        this.tile = power;
        this.part = Math.min(power, MERGED_TILE);
        this.tiles = (length - 1) / power + 1;
    }

    /**
     * Return the indices of the first elements of each row in their order; null where the device
     * has no kernels.
     *
     * @param x with at least one dimension
     * @param dim along which rows are
     * @param taken how many of each row
     * @param descending whether the largest come first
     */
    public static @Nullable Tensor first(Tensor x, int dim, int taken, boolean descending) {
        int[] shape = TensorAccess.dims(x).clone();
        if (x.device().isCpu() || x.numel() == 0) {
            return null;
        }
        int length = shape[dim];
        shape[dim] = taken;
        Tensor result = TensorAccess.fresh(DType.INT64, shape);
        if (!isPossible(result)) {
            return null;
        }
        int[] order = ReductionRules.lastDimension(x, dim);
        Tensor to = TensorAccess.permuted(result, order);
        Tensor from = TensorAccess.permuted(x, order);
        var sorting = new DeviceOrder(length, x.numel() / length);
        return result.numel() == 0 || sorting.sort(from, to, taken, descending) ? result : null;
    }

    /** {@return whether indices are on a device that has the kernels} */
    static boolean isPossible(Tensor indices) {
        return DeviceCall.isPossible("sort_tiles", LONGS, strided(indices));
    }

    /**
     * Return the places of numbers in their order; null where the device has no kernels.
     *
     * @param numbers at least one of int64, from 0 on
     * @param end above all of them
     */
    static @Nullable Tensor places(Tensor numbers, int end) {
        int count = numbers.numel();
        Tensor result = TensorAccess.fresh(DType.INT64, new int[] {count});
        var keys = Keys.below(numbers, end);
        return new DeviceOrder(count, 1).sort(keys, result, count) ? result : null;
    }

    private boolean sort(Tensor x, Tensor result, int taken, boolean descending) {
        long flip = descending ? -1 : 0;
        if (DTypeAccess.elements(x.dtype()).bytes() < Long.BYTES) {
            return sort(Keys.of(x, null, false, flip), result, taken);
        }
        Tensor lower = TensorAccess.fresh(DType.INT64, new int[] {rows, length});
        Tensor places = TensorAccess.fresh(DType.INT64, new int[] {rows, taken});
        boolean done =
                sort(Keys.of(x, null, false, flip), lower, length)
                        && sort(Keys.of(x, lower, true, flip), places, taken)
                        && take(lower, places, result);
        giveBack(lower, places);
        return done;
    }

    private boolean sort(Keys keys, Tensor result, int taken) {
        boolean last = tiles == 1;
        if (!last && mergedBytes(taken) > keys.radixBytes()) {
            return new DeviceRadix(keys, length, rows).sort(result, taken, INDEX);
        }
        Tensor sorted = last ? result : numbers();
        boolean byRadix = tile > BITONIC_TILE;
        DeviceCall call =
                keys.addTo(
                        call(byRadix ? "radix_tiles" : "sort_tiles", sorted), tiles * (long) rows);
        call.with((long) length);
        if (byRadix) {
            call.with((long) keys.lowest()).with((long) keys.highest());
        }
        boolean done =
                call.with((long) (last ? taken : length))
                        .with(last ? INDEX : -1)
                        .with((long) tile)
                        .run();
        return done && (last || merge(sorted, result, taken));
    }

    /** {@return the bytes that tiles and merges read and write for each element} */
    private double mergedBytes(int taken) {
        double bytes = 2 * Long.BYTES;
        double needed = Math.ceil((double) taken / part) * part;
        for (double width = tile; width < length; width *= 2) {
            bytes += 2 * Long.BYTES * Math.min(1, needed / (2 * width));
        }
        return bytes;
    }

    /** Merge runs until one is left; of each only the tiles with numbers that are taken. */
    private boolean merge(Tensor sorted, Tensor result, int taken) {
        Tensor other = length > 2 * tile ? numbers() : null;
        int parts = (length - 1) / part + 1;
        Tensor splits = TensorAccess.fresh(DType.INT64, new int[] {rows * parts});
        Tensor from = sorted;
        Tensor next = other;
        boolean done = true;
        for (long width = tile; done && width < length; width *= 2) {
            Tensor to = 2 * width >= length || next == null ? result : next;
            done = merge(from, splits, width, to, taken);
            next = from;
            from = to;
        }
        giveBack(sorted, other, splits);
        return done;
    }

    private boolean merge(Tensor from, Tensor splits, long width, Tensor to, int taken) {
        boolean last = 2 * width >= length;
        return call("merge_splits", splits)
                        .with(LONGS, strided(from))
                        .with((long) length)
                        .with(width)
                        .with((long) part)
                        .with(1L)
                        .run()
                && call("merge_tiles", to)
                        .with(LONGS, strided(from))
                        .with(LONGS, strided(splits))
                        .with((long) length)
                        .with(width)
                        .with(((taken - 1L) / part + 1) * part)
                        .with((long) (last ? taken : length))
                        .with(last ? INDEX : -1)
                        .with((long) part)
                        .run();
    }

    private static DeviceCall call(String kernel, Tensor result) {
        return new DeviceCall(kernel, LONGS, strided(result));
    }

    private static Elements<?> elements(Tensor x) {
        return DTypeAccess.elements(x.dtype());
    }

    private static Strided strided(Tensor x) {
        return TensorAccess.strided(x);
    }

    private Tensor numbers() {
        return TensorAccess.fresh(DType.INT64, new int[] {rows, length});
    }

    private static boolean take(Tensor rows, Tensor places, Tensor result) {
        Tensor taken = DeviceTables.gathered(rows, 1, places);
        if (taken == null) {
            return false;
        }
        boolean done = call("copy", result).with(LONGS, strided(taken)).run();
        giveBack(taken);
        return done;
    }

    /** Release memory before a scope ends: it is large. */
    static void giveBack(@Nullable Tensor... tensors) {
        for (Tensor tensor : tensors) {
            if (tensor != null) {
                TensorAccess.storage(tensor).giveBack();
            }
        }
    }

    /**
     * Put elements at different indices of rows of zeros; null where the device has no kernel.
     *
     * @param index of the shape of the elements
     */
    public static @Nullable Tensor placed(Tensor numbers, Tensor index, int[] shape, int dim) {
        if (numbers.device().isCpu() || index.numel() == 0) {
            return null;
        }
        Tensor result = Tensor.zeros(numbers.dtype(), shape);
        int[] order = ReductionRules.lastDimension(result, dim);
        Elements<?> elements = elements(numbers);
        boolean done =
                new DeviceCall("put", elements, strided(TensorAccess.permuted(result, order)))
                        .with(elements, strided(TensorAccess.permuted(numbers, order)))
                        .with(LONGS, strided(TensorAccess.permuted(index, order)))
                        .with((long) TensorAccess.dims(index)[dim])
                        .with((long) shape[dim])
                        .with(1L)
                        .run();
        return done ? result : null;
    }
}
