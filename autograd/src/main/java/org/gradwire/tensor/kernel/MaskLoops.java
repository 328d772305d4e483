package org.gradwire.tensor.kernel;

import org.gradwire.tensor.kernel.element.BlockReader;
import org.gradwire.tensor.kernel.element.BlockWriter;
import org.gradwire.tensor.kernel.element.Elements;
import org.gradwire.tensor.kernel.element.Strided;

/**
 * Comparison and selection loops over strided operands, block by block. Masks are of bool, and have
 * as many elements as their operand.
 */
public final class MaskLoops {
    private static final int BLOCK = BlockReader.BLOCK;
    private static final Elements<byte[]> BOOLS = Kernels.installed().bools();

    private MaskLoops() {}

    /** Write to a mask whether pairs of elements compare as asked. */
    public static <A> void compare(
            Elements<A> elements, Comparison test, Strided a, Strided b, Strided mask) {
        if (mask.device() != null
                && new DeviceCall(test.kernel(), BOOLS, mask)
                        .with(elements, a)
                        .with(elements, b)
                        .run()) {
            return;
        }
        int count = mask.count();
        int longest = Math.min(count, BLOCK);
        var left = new BlockReader<>(elements, a, longest);
        var right = new BlockReader<>(elements, b, longest);
        var writer = new BlockWriter<>(BOOLS, mask, longest);
        for (int start = 0; start < count; start += BLOCK) {
            int n = Math.min(BLOCK, count - start);
            left.load(start, n);
            right.load(start, n);
            Comparisons.compare(
                    test,
                    left.array(),
                    left.offset(),
                    right.array(),
                    right.offset(),
                    writer.array(),
                    writer.offset(start),
                    n);
            writer.store(start, n);
        }
    }

    /** Write to a mask which elements are of a kind. */
    public static <A> void test(
            Elements<A> elements,
            FloatClassification floatClassification,
            Strided x,
            Strided mask) {
        if (mask.device() != null
                && new DeviceCall("is_" + floatClassification.kernel(), BOOLS, mask)
                        .with(elements, x)
                        .run()) {
            return;
        }
        int count = mask.count();
        int longest = Math.min(count, BLOCK);
        var reader = new BlockReader<>(elements, x, longest);
        var writer = new BlockWriter<>(BOOLS, mask, longest);
        for (int start = 0; start < count; start += BLOCK) {
            int n = Math.min(BLOCK, count - start);
            reader.load(start, n);
            Comparisons.test(
                    floatClassification,
                    reader.array(),
                    reader.offset(),
                    writer.array(),
                    writer.offset(start),
                    n);
            writer.store(start, n);
        }
    }

    /** Choose the elements of {@code a} where the mask is set, else those of {@code b}. */
    public static <A> void choose(
            Elements<A> elements, Strided mask, Strided a, Strided b, Strided y) {
        if (y.device() != null
                && new DeviceCall("where", elements, y)
                        .with(BOOLS, mask)
                        .with(elements, a)
                        .with(elements, b)
                        .run()) {
            return;
        }
        int count = y.count();
        int longest = Math.min(count, BLOCK);
        var masks = new BlockReader<>(BOOLS, mask, longest);
        var left = new BlockReader<>(elements, a, longest);
        var right = new BlockReader<>(elements, b, longest);
        var writer = new BlockWriter<>(elements, y, longest);
        for (int start = 0; start < count; start += BLOCK) {
            int n = Math.min(BLOCK, count - start);
            masks.load(start, n);
            left.load(start, n);
            right.load(start, n);
            MaskedSelection.choose(
                    masks.array(),
                    masks.offset(),
                    left.array(),
                    left.offset(),
                    right.array(),
                    right.offset(),
                    writer.array(),
                    writer.offset(start),
                    n);
            writer.store(start, n);
        }
    }

    /** {@return how many elements of a mask are set} */
    public static int count(Strided mask) {
        int count = mask.count();
        var reader = new BlockReader<>(BOOLS, mask, Math.min(count, BLOCK));
        int set = 0;
        for (int start = 0; start < count; start += BLOCK) {
            int n = Math.min(BLOCK, count - start);
            reader.load(start, n);
            set += MaskedSelection.count(reader.array(), reader.offset(), n);
        }
        return set;
    }

    /** Copy the elements for which the mask is set to a contiguous range. */
    public static <A> void compress(Elements<A> elements, Strided mask, Strided x, Strided y) {
        int count = mask.count();
        int longest = Math.min(count, BLOCK);
        var masks = new BlockReader<>(BOOLS, mask, longest);
        var reader = new BlockReader<>(elements, x, longest);
        A taken = elements.array(longest);
        int at = 0;
        for (int start = 0; start < count; start += BLOCK) {
            int n = Math.min(BLOCK, count - start);
            masks.load(start, n);
            reader.load(start, n);
            int found =
                    MaskedSelection.compress(
                            masks.array(),
                            masks.offset(),
                            reader.array(),
                            reader.offset(),
                            taken,
                            0,
                            n);
            y.write(elements, at, taken, found);
            at += found;
        }
    }

    /** Undo {@link #compress}: elements go to where the mask is set, zero to where it is not. */
    public static <A> void expand(Elements<A> elements, Strided mask, Strided x, Strided y) {
        int count = mask.count();
        int longest = Math.min(count, BLOCK);
        var masks = new BlockReader<>(BOOLS, mask, longest);
        var reader = new BlockReader<>(elements, x, longest);
        var writer = new BlockWriter<>(elements, y, longest);
        int at = 0;
        for (int start = 0; start < count; start += BLOCK) {
            int n = Math.min(BLOCK, count - start);
            masks.load(start, n);
            reader.load(at, Math.min(n, x.count() - at));
            at +=
                    MaskedSelection.expand(
                            masks.array(),
                            masks.offset(),
                            reader.array(),
                            reader.offset(),
                            writer.array(),
                            writer.offset(start),
                            n);
            writer.store(start, n);
        }
    }

    /**
     * Write the indices of the elements that are set, in row-major order.
     *
     * @param shape of the mask
     * @param indices a row of int64 for each element that is set, with one number a dimension
     */
    public static void indices(Strided mask, int[] shape, Strided indices) {
        Elements<long[]> longs = Kernels.installed().longs();
        int longest = Math.min(mask.count(), BLOCK);
        var reader = new BlockReader<>(BOOLS, mask, longest);
        int[] positions = new int[longest];
        long[] rows = new long[longest * shape.length];
        int at = 0;
        for (int start = 0; start < mask.count(); start += BLOCK) {
            int n = Math.min(BLOCK, mask.count() - start);
            reader.load(start, n);
            int set =
                    MaskedSelection.positions(reader.array(), reader.offset(), n, start, positions);
            split(positions, set, shape, rows);
            indices.write(longs, at, rows, set * shape.length);
            at += set * shape.length;
        }
    }

    /** Split positions in row-major order into an index for each dimension. */
    private static void split(int[] positions, int count, int[] shape, long[] rows) {
        for (int d = shape.length - 1; d > 0; d--) {
            for (int i = 0; i < count; i++) {
                int rest = positions[i] / shape[d];
                int index = positions[i] - rest * shape[d];
                rows[i * shape.length + d] = index;
                positions[i] = rest;
            }
        }
        for (int i = 0; i < count && shape.length > 0; i++) {
            rows[i * shape.length] = positions[i];
        }
    }

    /** {@return the index of the first byte that is neither 0 nor 1; -1 when all are} */
    public static int firstInvalid(Strided mask) {
        int count = mask.count();
        var reader = new BlockReader<>(BOOLS, mask, Math.min(count, BLOCK));
        for (int start = 0; start < count; start += BLOCK) {
            int n = Math.min(BLOCK, count - start);
            reader.load(start, n);
            for (int i = 0; i < n; i++) {
                if ((reader.array()[reader.offset() + i] & ~1) != 0) {
                    return start + i;
                }
            }
        }
        return -1;
    }
}
