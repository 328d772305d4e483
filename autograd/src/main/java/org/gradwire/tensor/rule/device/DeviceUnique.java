package org.gradwire.tensor.rule.device;

import org.gradwire.tensor.DType;
import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.access.TensorAccess;
import org.gradwire.tensor.rule.Statistics;
import org.jspecify.annotations.Nullable;

import java.util.List;

/** Unique elements of a sorted vector, by a device's kernels. */
public final class DeviceUnique {
    private DeviceUnique() {}

    /**
     * Return the unique elements, the inverse indices and the counts; null where the device has no
     * kernels.
     *
     * @param sorted a vector in order
     * @param origin the place of each of its elements before that
     * @param shape of the inverse indices
     */
    public static @Nullable List<Tensor> of(Tensor sorted, Tensor origin, int[] shape) {
        int count = sorted.numel();
        if (count == 0 || !DeviceOrder.isPossible(origin)) {
            return null;
        }
        Tensor differs = sorted.narrow(0, 1, count - 1).ne(sorted.narrow(0, 0, count - 1));
        Tensor mask = Ops.cat(List.of(Tensor.ones(DType.BOOL, 1), differs), 0);
        Tensor values = DeviceMasks.selected(sorted, mask, TensorAccess.dims(mask));
        Tensor places = DeviceMasks.indices(mask);
        Tensor numbers = Statistics.runningSum(mask, 0, false).sub(1);
        Tensor inverse = DeviceOrder.placed(numbers, origin, TensorAccess.dims(mask), 0);
        if (values == null || places == null || inverse == null) {
            return null;
        }
        return List.of(values, TensorAccess.viewAs(inverse, shape), counts(places, count));
    }

    /** {@return the distances from each place to the next, of the last one to the end} */
    private static Tensor counts(Tensor places, int end) {
        Tensor first = TensorAccess.viewAs(places, places.numel());
        Tensor last = Tensor.zeros(DType.INT64, 1).add(end);
        Tensor next = Ops.cat(List.of(first.narrow(0, 1, first.numel() - 1), last), 0);
        return next.sub(first);
    }
}
