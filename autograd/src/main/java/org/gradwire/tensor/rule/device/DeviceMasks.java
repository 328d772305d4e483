package org.gradwire.tensor.rule.device;

import org.gradwire.tensor.DType;
import org.gradwire.tensor.Device;
import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.access.DTypeAccess;
import org.gradwire.tensor.access.TensorAccess;
import org.gradwire.tensor.kernel.DeviceCall;
import org.gradwire.tensor.kernel.element.Elements;
import org.gradwire.tensor.storage.CurrentDevice;
import org.gradwire.tensor.storage.DevicePlacement;
import org.gradwire.tensor.storage.Shapes;
import org.jspecify.annotations.Nullable;

import java.util.Arrays;

/**
 * Selections by masks of bool, by a device's kernels. A mask is divided into chunks; the running
 * sums of their set elements are the places of the results, and the last sum is all that the host
 * reads.
 */
public final class DeviceMasks {
    private static final int CHUNK = 1024;
    private static final Elements<?> BOOLS = DTypeAccess.elements(DType.BOOL);
    private static final Elements<?> LONGS = DTypeAccess.elements(DType.INT64);

    private DeviceMasks() {}

    /**
     * Return the elements where a mask is set; null where the device has no kernel.
     *
     * @param shape to which both are broadcast
     */
    public static @Nullable Tensor selected(Tensor x, Tensor mask, int[] shape) {
        if (!x.device().isCpu() && Shapes.count(shape) == 0) {
            return TensorAccess.fresh(x.dtype(), new int[1]);
        }
        Tensor ends = ends(mask, shape);
        if (ends == null) {
            return null;
        }
        Tensor result = TensorAccess.fresh(x.dtype(), new int[] {last(ends)});
        Elements<?> elements = DTypeAccess.elements(x.dtype());
        boolean done =
                new DeviceCall("compress", elements, TensorAccess.strided(result))
                        .with(elements, TensorAccess.strided(x, shape))
                        .with(BOOLS, TensorAccess.strided(mask, shape))
                        .with(LONGS, TensorAccess.strided(ends))
                        .with((long) Shapes.count(shape))
                        .with((long) CHUNK)
                        .run();
        return done ? result : null;
    }

    /**
     * Undo {@link #selected}: elements go to where the mask is set, zeros to the other places.
     * Return null where the device has no kernel.
     */
    public static @Nullable Tensor restored(Tensor selected, Tensor mask, int[] shape) {
        if (!selected.device().isCpu() && selected.numel() == 0) {
            return Tensor.zeros(selected.dtype(), shape);
        }
        Tensor ends = ends(mask, shape);
        if (ends == null) {
            return null;
        }
        Tensor result = TensorAccess.fresh(selected.dtype(), shape);
        Elements<?> elements = DTypeAccess.elements(selected.dtype());
        boolean done =
                new DeviceCall("expand", elements, TensorAccess.strided(result))
                        .with(elements, TensorAccess.strided(selected))
                        .with(BOOLS, TensorAccess.strided(mask, shape))
                        .with(LONGS, TensorAccess.strided(ends))
                        .with((long) Shapes.count(shape))
                        .with((long) CHUNK)
                        .run();
        return done ? result : null;
    }

    /**
     * Return the indices of the elements that are set, one number a dimension; null where the
     * device has no kernel.
     */
    public static @Nullable Tensor indices(Tensor mask) {
        int[] shape = TensorAccess.dims(mask);
        if (!mask.device().isCpu() && mask.numel() == 0) {
            return TensorAccess.fresh(DType.INT64, new int[] {0, shape.length});
        }
        Tensor ends = ends(mask, shape);
        if (ends == null) {
            return null;
        }
        Tensor result = TensorAccess.fresh(DType.INT64, new int[] {last(ends), shape.length});
        if (result.numel() == 0) {
            return result;
        }
        Tensor extents = extents(shape, mask.device());
        boolean done =
                new DeviceCall("set_indices", LONGS, TensorAccess.strided(result))
                        .with(BOOLS, TensorAccess.strided(mask))
                        .with(LONGS, TensorAccess.strided(ends))
                        .with(LONGS, TensorAccess.strided(extents))
                        .with((long) shape.length)
                        .with((long) mask.numel())
                        .with((long) CHUNK)
                        .run();
        return done ? result : null;
    }

    private static Tensor extents(int[] shape, Device device) {
        long[] extents = new long[shape.length];
        Arrays.setAll(extents, d -> shape[d]);
        return DevicePlacement.copy(CurrentDevice.on(Device.CPU, () -> Tensor.of(extents)), device);
    }

    /** {@return whether a device's kernel found an element for which its test holds} */
    static boolean any(String test, Tensor x, long... numbers) {
        if (x.device().isCpu() || x.numel() == 0) {
            return false;
        }
        Tensor mask = TensorAccess.fresh(DType.BOOL, TensorAccess.dims(x));
        var call =
                new DeviceCall(test, BOOLS, TensorAccess.strided(mask))
                        .with(DTypeAccess.elements(x.dtype()), TensorAccess.strided(x));
        for (long number : numbers) {
            call.with(number);
        }
        Tensor ends = call.run() ? ends(mask, TensorAccess.dims(mask)) : null;
        return ends != null && last(ends) > 0;
    }

    /** Return how many elements are set up to the end of each chunk; null without a kernel. */
    private static @Nullable Tensor ends(Tensor mask, int[] shape) {
        int count = Shapes.count(shape);
        if (mask.device().isCpu() || count == 0) {
            return null;
        }
        int chunks = (count - 1) / CHUNK + 1;
        Tensor counts = TensorAccess.fresh(DType.INT64, new int[] {chunks});
        boolean done =
                new DeviceCall("count_set", LONGS, TensorAccess.strided(counts))
                        .with(BOOLS, TensorAccess.strided(mask, shape))
                        .with((long) count)
                        .with((long) CHUNK)
                        .run();
        if (!done || chunks == 1) {
            return done ? counts : null;
        }
        Tensor ends = TensorAccess.fresh(DType.INT64, new int[] {chunks});
        return DeviceScans.sums(counts, ends, 0, false) ? ends : null;
    }

    private static int last(Tensor ends) {
        int at = TensorAccess.offset(ends) + ends.numel() - 1;
        Tensor last = TensorAccess.alias(ends, new int[0], new int[0], at);
        return Math.toIntExact(last.toLongArray()[0]);
    }
}
