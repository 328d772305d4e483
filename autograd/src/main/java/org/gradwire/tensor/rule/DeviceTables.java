package org.gradwire.tensor.rule;

import org.gradwire.tensor.DType;
import org.gradwire.tensor.Device;
import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.access.TensorAccess;
import org.gradwire.tensor.kernel.DeviceCall;
import org.gradwire.tensor.kernel.element.Elements;
import org.gradwire.tensor.kernel.element.Strided;
import org.gradwire.tensor.storage.Devices;
import org.jspecify.annotations.Nullable;

import java.util.Arrays;

/** Rows of a matrix, taken and added by index, by a device's kernels. */
final class DeviceTables {

    private DeviceTables() {}

    /**
     * Copy the row of each index.
     *
     * @param indices in range
     * @param result as many rows
     * @return whether the device has a kernel
     */
    static boolean takeRows(Tensor table, Tensor indices, Tensor result) {
        Elements<?> elements = TensorAccess.elements(result.dtype());
        return !result.device().isCpu()
                && new DeviceCall("take_rows", elements, TensorAccess.strided(result))
                        .with(elements, TensorAccess.strided(table))
                        .with(TensorAccess.elements(DType.INT64), TensorAccess.strided(indices))
                        .with((long) TensorAccess.dims(table)[1])
                        .run();
    }

    /**
     * Indices in groups of equal ones, in one array: the distinct indices in order, where the
     * positions of each begin, the end of the last, and the positions.
     */
    private record Groups(long[] packed, int distinct) {

        /** Group the indices but one. */
        static Groups of(long[] indices, @Nullable Integer without) {
            long[] keys = new long[indices.length];
            int count = 0;
            for (int i = 0; i < indices.length; i++) {
                if (without == null || indices[i] != without) {
                    keys[count++] = indices[i] << Integer.SIZE | i;
                }
            }
            Arrays.sort(keys, 0, count);
            long[] first = new long[count];
            long[] starts = new long[count + 1];
            int distinct = 0;
            for (int i = 0; i < count; i++) {
                long index = keys[i] >> Integer.SIZE;
                if (i == 0 || index != first[distinct - 1]) {
                    first[distinct] = index;
                    starts[distinct++] = i;
                }
            }
            starts[distinct] = count;
            long[] packed = new long[2 * distinct + 1 + count];
            System.arraycopy(first, 0, packed, 0, distinct);
            System.arraycopy(starts, 0, packed, distinct, distinct + 1);
            for (int i = 0; i < count; i++) {
                packed[2 * distinct + 1 + i] = (int) keys[i];
            }
            return new Groups(packed, distinct);
        }
    }

    /**
     * Add each row to the one of its index in a matrix of zeros. Those of one index are added in
     * their order, so that the sum is always the same. Return null where the device has no kernel.
     *
     * @param indices in range
     * @param without an index whose rows are left out, or null
     * @param mean whether each sum is divided by the number of its rows
     */
    static @Nullable Tensor addRows(
            Tensor rows, long[] indices, @Nullable Integer without, boolean mean, int[] shape) {
        Elements<?> elements = TensorAccess.elements(rows.dtype());
        Tensor result = Tensor.zeros(rows.dtype(), shape);
        var groups = Groups.of(indices, without);
        if (groups.distinct == 0) {
            return result;
        }
        Tensor packed =
                Devices.copy(Devices.on(Device.CPU, () -> Tensor.of(groups.packed)), rows.device());
        int distinct = groups.distinct;
        Elements<?> longs = TensorAccess.elements(DType.INT64);
        boolean done =
                new DeviceCall("add_rows", elements, TensorAccess.strided(result))
                        .with(elements, TensorAccess.strided(rows))
                        .with(longs, part(packed, 0, distinct))
                        .with(longs, part(packed, distinct, distinct + 1))
                        .with(longs, part(packed, 2 * distinct + 1, -1))
                        .with(mean ? 1L : 0L)
                        .with((long) shape[1])
                        .run();
        return done ? result : null;
    }

    private static Strided part(Tensor packed, int from, int length) {
        int count = length < 0 ? packed.numel() - from : length;
        return Strided.contiguous(
                TensorAccess.storage(packed).operandBase(),
                TensorAccess.offset(packed) + from,
                count);
    }
}
