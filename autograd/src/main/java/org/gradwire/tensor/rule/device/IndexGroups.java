package org.gradwire.tensor.rule.device;

import org.gradwire.tensor.DType;
import org.gradwire.tensor.Device;
import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.access.DTypeAccess;
import org.gradwire.tensor.access.TensorAccess;
import org.gradwire.tensor.kernel.element.Elements;
import org.gradwire.tensor.kernel.element.Strided;
import org.gradwire.tensor.storage.CurrentDevice;
import org.gradwire.tensor.storage.DevicePlacement;
import org.jspecify.annotations.Nullable;

import java.util.Arrays;

/**
 * Indices in groups of equal ones, in one array: the distinct indices in order, where the positions
 * of each begin, the end of the last, and the positions.
 */
record IndexGroups(long[] packed, int distinct) {
    static final Elements<?> LONGS = DTypeAccess.elements(DType.INT64);

    /** Group the indices but one. */
    static IndexGroups of(long[] indices, @Nullable Integer without) {
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
        return new IndexGroups(packed, distinct);
    }

    /** {@return the groups of the last position of each} */
    IndexGroups ofLast() {
        long[] last = Arrays.copyOf(packed, 3 * distinct + 1);
        for (int i = 0; i < distinct; i++) {
            last[distinct + i] = i;
            int end = (int) packed[distinct + i + 1];
            last[2 * distinct + 1 + i] = packed[2 * distinct + end];
        }
        last[2 * distinct] = distinct;
        return new IndexGroups(last, distinct);
    }

    /** The groups on a device: the distinct indices, where each begins, and the positions. */
    record Parts(Strided distinct, Strided starts, Strided order) {}

    /** Copy the groups to a device. */
    Parts on(Device device) {
        Tensor copy =
                DevicePlacement.copy(CurrentDevice.on(Device.CPU, () -> Tensor.of(packed)), device);
        return new Parts(
                part(copy, 0, distinct),
                part(copy, distinct, distinct + 1),
                part(copy, 2 * distinct + 1, packed.length - 2 * distinct - 1));
    }

    private static Strided part(Tensor packed, int from, int count) {
        return Strided.contiguous(
                TensorAccess.storage(packed).operandBase(),
                TensorAccess.offset(packed) + from,
                count);
    }
}
