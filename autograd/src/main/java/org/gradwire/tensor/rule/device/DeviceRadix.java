package org.gradwire.tensor.rule.device;

import org.gradwire.tensor.DType;
import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.access.DTypeAccess;
import org.gradwire.tensor.access.TensorAccess;
import org.gradwire.tensor.kernel.DeviceCall;
import org.gradwire.tensor.kernel.element.Elements;
import org.gradwire.tensor.kernel.element.Strided;
import org.jspecify.annotations.Nullable;

/**
 * Sorts rows by radix on a device, by 8 bits of the keys in each pass, from the lowest. The digits
 * of each tile are counted, the counts of the tiles before each are added, and each tile puts its
 * numbers at the places that follow from these sums.
 */
final class DeviceRadix {
    private static final int TILE = 4096;
    private static final int DIGITS = 256;
    private static final int BITS = 8;
    private static final Elements<?> LONGS = DTypeAccess.elements(DType.INT64);
    private static final Elements<?> INTS = DTypeAccess.elements(DType.INT32);

    private final Keys keys;
    private final int length;
    private final int rows;
    private final int tiles; // of a row
    private final int passes;

    DeviceRadix(Keys keys, int length, int rows) {
        this.keys = keys;
        this.length = length;
        this.rows = rows;
        this.tiles = (length - 1) / TILE + 1;
        this.passes = keys.passes();
    }

    /**
     * The keys of 32 bits by which rows are sorted.
     *
     * @param order of the elements before, or null
     * @param upper whether keys are the upper half of elements of 64 bits
     * @param flip -1 to reverse the order, else 0
     * @param lowest the first bit that differs among keys of one sign
     * @param highest the end of the bits that differ; as the first, a multiple of 8
     */
    record Keys(
            Tensor x, @Nullable Tensor order, boolean upper, long flip, int lowest, int highest) {

        static Keys of(Tensor x, @Nullable Tensor order, boolean upper, long flip) {
            int lowest =
                    switch (x.dtype()) {
                        case FLOAT16 -> 8; // a mantissa of 10 bits among 23
                        case BFLOAT16 -> 16;
                        default -> 0;
                    };
            int highest = x.dtype() == DType.BOOL ? BITS : Integer.SIZE;
            return new Keys(x, order, upper, flip, lowest, highest);
        }

        /** {@return the keys of numbers of int64 from 0 to an end} */
        static Keys below(Tensor numbers, int end) {
            int bits = Integer.SIZE - Integer.numberOfLeadingZeros(end - 1);
            int digits = Math.max(1, (bits + BITS - 1) / BITS);
            return new Keys(numbers, null, false, 0, 0, digits * BITS);
        }

        int passes() {
            return (highest() - lowest()) / BITS;
        }

        /** {@return the bytes that passes read and write for each element} */
        double radixBytes() {
            int element = DTypeAccess.elements(x.dtype()).bytes();
            return 2 * element + Long.BYTES + 3.0 * Long.BYTES * (passes() - 1);
        }

        /** Add the elements to a call, and how they become keys. */
        DeviceCall addTo(DeviceCall call, long tiles) {
            call.with(DTypeAccess.elements(x.dtype()), TensorAccess.strided(x));
            if (order == null) {
                call.with(-1L);
            } else {
                call.with(LONGS, TensorAccess.strided(order));
            }
            return call.with(tiles).with(upper ? 1L : 0L).with(flip);
        }
    }

    /**
     * Sort.
     *
     * @param taken how many of each row are written
     * @param index the mask of the place in the row
     * @return whether the device has the kernels
     */
    boolean sort(Tensor result, int taken, long index) {
        Tensor counts = fresh(DType.INT32, DIGITS * tiles);
        Tensor offsets = fresh(DType.INT32, DIGITS * (tiles + 1));
        Tensor one = passes > 1 ? fresh(DType.INT64, length) : null;
        Tensor other = passes > 2 ? fresh(DType.INT64, length) : null;
        Tensor from = null;
        Tensor next = one;
        boolean done = true;
        for (int pass = 0; done && pass < passes; pass++) {
            boolean last = pass == passes - 1 || next == null;
            Tensor to = last || next == null ? result : next;
            long bit = keys.lowest() + (long) BITS * pass;
            done =
                    count(from, bit, counts, offsets)
                            && numbers("places", from, LONGS, to)
                                    .with(INTS, TensorAccess.strided(offsets))
                                    .with(bit)
                                    .with((long) (last ? taken : length))
                                    .with(last ? index : -1)
                                    .with((long) TILE)
                                    .run();
            next = from == null ? other : from;
            from = to;
        }
        DeviceOrder.giveBack(counts, offsets, one, other);
        return done;
    }

    private boolean count(@Nullable Tensor from, long bit, Tensor counts, Tensor offsets) {
        Strided counted = TensorAccess.strided(counts);
        return numbers("counts", from, INTS, counts).with(bit).with((long) TILE).run()
                && new DeviceCall("radix_offsets", INTS, TensorAccess.strided(offsets))
                        .with(INTS, counted)
                        .with((long) rows * DIGITS)
                        .with((long) tiles)
                        .run();
    }

    /** Begin a call with the numbers of the pass before, or with the elements. */
    private DeviceCall numbers(
            String name, @Nullable Tensor from, Elements<?> elements, Tensor to) {
        long all = (long) rows * tiles;
        Strided result = TensorAccess.strided(to);
        DeviceCall call =
                from == null
                        ? keys.addTo(new DeviceCall("radix_first_" + name, elements, result), all)
                        : new DeviceCall("radix_" + name, elements, result)
                                .with(LONGS, TensorAccess.strided(from))
                                .with(all);
        return call.with((long) length);
    }

    private Tensor fresh(DType dtype, int width) {
        return TensorAccess.fresh(dtype, new int[] {rows, width});
    }
}
