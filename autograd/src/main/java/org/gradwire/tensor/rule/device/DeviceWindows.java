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
 * Windows over the planes of images, for a device's kernels. Each array has a number for the lines
 * of an image and one for the places in a line.
 *
 * @param extent of a plane
 * @param count of windows
 * @param counted whether averages count the padding
 */
public record DeviceWindows(
        int[] extent,
        int[] count,
        int[] kernel,
        int[] stride,
        int[] padding,
        int[] dilation,
        boolean counted) {
    private static final int[] NONE = {0, 0};
    private static final int[] ONE = {1, 1};

    /** {@return windows that divide each axis as evenly as possible} */
    public static DeviceWindows adaptive(int[] extent, int[] count) {
        return new DeviceWindows(extent, count, NONE, ONE, NONE, ONE, false);
    }

    /** {@return the same, of which averages do not count the padding} */
    public DeviceWindows inside() {
        return new DeviceWindows(extent, count, kernel, stride, padding, dilation, false);
    }

    private boolean isAdaptive() {
        return kernel[0] == 0;
    }

    /** {@return the elements of a plane} */
    private int size() {
        return extent[0] * extent[1];
    }

    /** {@return the windows of a plane} */
    private int windows() {
        return count[0] * count[1];
    }

    /** Add the numbers of the windows, and the length of a row. */
    private DeviceCall described(DeviceCall call) {
        for (int[] pair : new int[][] {extent, count, kernel, stride, padding, dilation}) {
            call.with((long) pair[0]).with((long) pair[1]);
        }
        return call;
    }

    private static boolean isFit(Tensor x) {
        return !x.device().isCpu() && x.numel() > 0;
    }

    /**
     * Write the elements under each place of the kernel, window after window.
     *
     * @param planes any number, with no elements between lines
     * @param patches {@code [planes, kernel height, kernel width, windows]}
     * @return whether the device has a kernel
     */
    boolean patches(Tensor planes, Tensor patches) {
        Elements<?> elements = DTypeAccess.elements(planes.dtype());
        return described(
                        new DeviceCall("patches", elements, TensorAccess.strided(patches))
                                .with(elements, TensorAccess.strided(planes)))
                .with((long) windows())
                .run();
    }

    /** Write the sum of the patches that each element of a plane is in. */
    boolean patchesGradient(Tensor patches, Tensor planes) {
        Elements<?> elements = DTypeAccess.elements(planes.dtype());
        return described(
                        new DeviceCall("patches_gradient", elements, TensorAccess.strided(planes))
                                .with(elements, TensorAccess.strided(patches)))
                .with((long) size())
                .run();
    }

    /**
     * Return the index in its plane of the largest number of each window; null where the device has
     * no kernel.
     *
     * @param shape of the result
     */
    public @Nullable Tensor largest(Tensor x, int[] shape) {
        if (!isFit(x)) {
            return null;
        }
        Tensor indices = TensorAccess.fresh(DType.INT64, shape);
        boolean done =
                described(
                                new DeviceCall(
                                                "max_pool_index",
                                                DTypeAccess.elements(DType.INT64),
                                                TensorAccess.strided(indices))
                                        .with(
                                                DTypeAccess.elements(x.dtype()),
                                                TensorAccess.strided(x)))
                        .with((long) windows())
                        .run();
        return done ? indices : null;
    }

    /** {@return the numbers at the indices of {@link #largest}; null where there is no kernel} */
    public @Nullable Tensor at(Tensor indices, Tensor x) {
        Tensor result = TensorAccess.fresh(x.dtype(), TensorAccess.dims(indices));
        Elements<?> elements = DTypeAccess.elements(x.dtype());
        boolean done =
                new DeviceCall("max_pool", elements, TensorAccess.strided(result))
                        .with(elements, TensorAccess.strided(x))
                        .with(DTypeAccess.elements(DType.INT64), TensorAccess.strided(indices))
                        .with((long) size())
                        .with((long) windows())
                        .run();
        return done ? result : null;
    }

    /** {@return the gradient of the input of {@link #at}; null where there is no kernel} */
    public @Nullable Tensor gradientAt(Tensor indices, Tensor gradient, int[] shape) {
        Tensor result = TensorAccess.fresh(gradient.dtype(), shape);
        Elements<?> elements = DTypeAccess.elements(gradient.dtype());
        boolean done =
                described(
                                new DeviceCall(
                                                "max_pool_gradient",
                                                elements,
                                                TensorAccess.strided(result))
                                        .with(elements, TensorAccess.strided(gradient))
                                        .with(
                                                DTypeAccess.elements(DType.INT64),
                                                TensorAccess.strided(indices)))
                        .with((long) size())
                        .run();
        return done ? result : null;
    }

    /**
     * Return the average of each window; null where the device has no kernel.
     *
     * @param divisor of the sums; 0 for the size of each window
     * @param shape of the result
     */
    public @Nullable Tensor average(Tensor x, int divisor, int[] shape) {
        return average("average_pool", x, divisor, shape, windows());
    }

    /** {@return the gradient of the input of {@link #average}; null where there is no kernel} */
    public @Nullable Tensor averageGradient(Tensor gradient, int divisor, int[] shape) {
        return average("average_pool_gradient", gradient, divisor, shape, size());
    }

    private @Nullable Tensor average(
            String kernelName, Tensor x, int divisor, int[] shape, int length) {
        if (!isFit(x)) {
            return null;
        }
        Tensor result = TensorAccess.fresh(x.dtype(), shape);
        Elements<?> elements = DTypeAccess.elements(x.dtype());
        Strided to = TensorAccess.strided(result);
        boolean done =
                described(
                                new DeviceCall(kernelName, elements, to)
                                        .with(elements, TensorAccess.strided(x)))
                        .with(isAdaptive() ? 1L : 0L)
                        .with(counted ? 1L : 0L)
                        .with((long) divisor)
                        .with((long) length)
                        .run();
        return done ? result : null;
    }
}
