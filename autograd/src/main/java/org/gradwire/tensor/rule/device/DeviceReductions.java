package org.gradwire.tensor.rule.device;

import org.gradwire.tensor.DType;
import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.access.DTypeAccess;
import org.gradwire.tensor.access.TensorAccess;
import org.gradwire.tensor.kernel.DeviceCall;
import org.gradwire.tensor.kernel.element.Binary;
import org.gradwire.tensor.kernel.element.Elements;
import org.gradwire.tensor.kernel.element.Strided;
import org.gradwire.tensor.rule.ReductionPlan;
import org.jspecify.annotations.Nullable;

import java.util.Locale;

/** Reductions other than sums, and triangles, by a device's kernels. */
public final class DeviceReductions {

    private DeviceReductions() {}

    /** {@return the reduction by a function; null where the device has no kernel} */
    public static @Nullable Tensor fold(Binary function, Tensor x, boolean[] reduced, int[] shape) {
        if (x.device().isCpu() || x.numel() == 0) {
            return null;
        }
        Tensor result = TensorAccess.fresh(x.dtype(), shape);
        Elements<?> elements = DTypeAccess.elements(x.dtype());
        String name = "row_" + function.name().toLowerCase(Locale.ROOT);
        boolean done =
                new DeviceCall(name, elements, TensorAccess.strided(result))
                        .with(elements, rows(x, reduced))
                        .with((long) x.numel() / result.numel())
                        .run();
        return done ? result : null;
    }

    /**
     * Return the index of the first element that equals a value, where NaN equals NaN; null where
     * the device has no kernel.
     *
     * @param values one for each reduction
     */
    public static @Nullable Tensor index(Tensor x, boolean[] reduced, Tensor values) {
        Tensor result = TensorAccess.fresh(DType.INT64, TensorAccess.dims(values));
        Elements<?> elements = DTypeAccess.elements(x.dtype());
        boolean done =
                new DeviceCall(
                                "row_index",
                                DTypeAccess.elements(DType.INT64),
                                TensorAccess.strided(result))
                        .with(elements, rows(x, reduced))
                        .with(elements, TensorAccess.strided(values))
                        .with((long) x.numel() / result.numel())
                        .run();
        return done ? result : null;
    }

    /**
     * Write one triangle of each matrix, and zeros elsewhere.
     *
     * @param name of the kernel
     * @return whether the device has it
     */
    public static boolean triangle(String name, Tensor x, int diagonal, Tensor y) {
        Elements<?> elements = DTypeAccess.elements(y.dtype());
        int[] shape = TensorAccess.dims(y);
        return !y.device().isCpu()
                && new DeviceCall(name, elements, TensorAccess.strided(y))
                        .with(elements, TensorAccess.strided(x))
                        .with((long) diagonal)
                        .with((long) shape[shape.length - 2])
                        .with((long) shape[shape.length - 1])
                        .run();
    }

    private static Strided rows(Tensor x, boolean[] reduced) {
        return TensorAccess.strided(TensorAccess.permuted(x, ReductionPlan.keptFirst(reduced)));
    }
}
