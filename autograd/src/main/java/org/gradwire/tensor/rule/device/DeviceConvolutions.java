package org.gradwire.tensor.rule.device;

import org.gradwire.tensor.DType;
import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.access.DTypeAccess;
import org.gradwire.tensor.access.TensorAccess;
import org.gradwire.tensor.kernel.DeviceCall;
import org.gradwire.tensor.kernel.Im2Col;
import org.gradwire.tensor.kernel.element.Binary;
import org.gradwire.tensor.kernel.element.Elements;
import org.gradwire.tensor.rule.Elementwise;
import org.gradwire.tensor.rule.ReductionRules;
import org.gradwire.tensor.rule.SliceRules;
import org.gradwire.tensor.rule.convolution.ConvolutionShape;
import org.jspecify.annotations.Nullable;

/**
 * Convolutions by a device's kernels, as products of the weights with the patches of some images at
 * a time. The results are null where the device lacks a kernel.
 */
public final class DeviceConvolutions {
    private static final int PART = 1 << 26; // elements of the patches of the images of a part

    private final ConvolutionShape shape;
    private final DeviceWindows windows;
    private final int images;
    private final int groups;
    private final int filters; // of a group
    private final int depth; // elements of a filter
    private final int positions; // of a filter

    private DeviceConvolutions(ConvolutionShape shape) {
        Im2Col plan = shape.im2Col();
        this.shape = shape;
        this.windows =
                new DeviceWindows(
                        new int[] {plan.height(), plan.width()},
                        new int[] {plan.outHeight(), plan.outWidth()},
                        new int[] {plan.kernelHeight(), plan.kernelWidth()},
                        new int[] {plan.strideHeight(), plan.strideWidth()},
                        new int[] {plan.paddingHeight(), plan.paddingWidth()},
                        new int[] {plan.dilationHeight(), plan.dilationWidth()},
                        false);
        this.images = shape.input()[0];
        this.groups = shape.groups();
        this.filters = shape.weight()[0] / groups;
        this.depth = plan.depth() * plan.kernelHeight();
        this.positions = plan.outHeight() * plan.outWidth();
    }

    private static @Nullable DeviceConvolutions of(Tensor x, ConvolutionShape shape) {
        if (x.device().isCpu() || x.numel() == 0) {
            return null;
        }
        var convolution = new DeviceConvolutions(shape);
        long elements = (long) convolution.positions * convolution.depth * convolution.groups;
        return elements == 0 || elements > Integer.MAX_VALUE ? null : convolution;
    }

    /** {@return the images of which the patches are made at once} */
    private int partSize() {
        return Math.clamp(PART / ((long) positions * depth * groups), 1, images);
    }

    public static @Nullable Tensor forward(
            Tensor input, Tensor weight, @Nullable Tensor bias, ConvolutionShape shape) {
        var convolution = of(input, shape);
        return convolution == null ? null : convolution.forward(input, weight, bias);
    }

    private @Nullable Tensor forward(Tensor input, Tensor weight, @Nullable Tensor bias) {
        Tensor result = TensorAccess.fresh(input.dtype(), shape.output());
        if (bias != null && !spread(bias, result)) {
            return null;
        }
        Tensor factors = Elementwise.contiguous(weight);
        int step = partSize();
        for (int first = 0; first < images; first += step) {
            int count = Math.min(step, images - first);
            Tensor patches = patches(SliceRules.narrow(input, 0, first, count), count);
            Tensor part = SliceRules.narrow(result, 0, first, count);
            if (patches == null
                    || !multiply(factors, false, patches, part, filters, count, bias != null)) {
                return null;
            }
            giveBack(patches);
        }
        return result;
    }

    /** Write the bias of each filter to its planes, to which products are added. */
    private boolean spread(Tensor bias, Tensor result) {
        Elements<?> elements = DTypeAccess.elements(result.dtype());
        int[] planes = {images, groups * filters};
        return new DeviceCall("spread", elements, TensorAccess.strided(result))
                .with(elements, TensorAccess.strided(bias, planes))
                .with((long) positions)
                .run();
    }

    /** {@return {@code [count, groups, depth, positions]}} */
    private @Nullable Tensor patches(Tensor images, int count) {
        Tensor planes = Elementwise.contiguous(images);
        if (isOfPixels()) {
            return planes;
        }
        Tensor patches = fresh(images.dtype(), count, groups, depth, positions);
        return windows.patches(planes, patches) ? patches : null;
    }

    /** Release the memory of patches before a scope ends: it is large. */
    private void giveBack(Tensor patches) {
        if (!isOfPixels()) {
            TensorAccess.storage(patches).giveBack();
        }
    }

    /** Release memory, unless the host has summed it: its copy is compared with it at the end. */
    private static void giveBackSummed(Tensor products) {
        Elements<?> elements = DTypeAccess.elements(products.dtype());
        if (DeviceCall.isPossible("sum", elements, TensorAccess.strided(products))) {
            TensorAccess.storage(products).giveBack();
        }
    }

    private static Tensor fresh(DType dtype, int... dims) {
        return TensorAccess.fresh(dtype, dims);
    }

    /** {@return whether the patches of an image are that image} */
    private boolean isOfPixels() {
        Im2Col plan = shape.im2Col();
        return plan.kernelHeight() * plan.kernelWidth() == 1
                && plan.strideHeight() == 1
                && plan.strideWidth() == 1
                && plan.paddingHeight() == 0
                && plan.paddingWidth() == 0;
    }

    /**
     * Multiply the weights {@code [groups, filters, depth]}, or their transposes, with matrices of
     * each image and group. One product takes all images of a group, or all groups of an image.
     *
     * @param rows of the results
     */
    private boolean multiply(
            Tensor weight,
            boolean transposed,
            Tensor x,
            Tensor result,
            int rows,
            int count,
            boolean accumulate) {
        boolean byGroup = groups <= count;
        boolean done = true;
        for (int i = 0; done && i < (byGroup ? groups : count); i++) {
            Tensor factors = matrices(weight, byGroup, i, count, transposed);
            int depthOfX = transposed ? filters : depth;
            done =
                    DeviceProducts.multiply(
                            factors,
                            matrices(x, byGroup, i, count, depthOfX),
                            matrices(result, byGroup, i, count, rows),
                            accumulate);
        }
        return done;
    }

    private Tensor matrices(
            Tensor weight, boolean byGroup, int group, int count, boolean transposed) {
        int size = filters * depth;
        int down = transposed ? 1 : depth;
        int along = transposed ? depth : 1;
        return TensorAccess.view(
                TensorAccess.storage(weight),
                TensorAccess.offset(weight) + (byGroup ? group * size : 0),
                new int[] {
                    byGroup ? count : groups,
                    transposed ? depth : filters,
                    transposed ? filters : depth
                },
                new int[] {byGroup ? 0 : size, down, along});
    }

    /** {@return contiguous matrices of a group, or of an image, with a column for each position} */
    private Tensor matrices(Tensor x, boolean byGroup, int index, int count, int rows) {
        int size = rows * positions;
        return TensorAccess.view(
                TensorAccess.storage(x),
                TensorAccess.offset(x) + index * (byGroup ? size : groups * size),
                new int[] {byGroup ? count : groups, rows, positions},
                new int[] {byGroup ? groups * size : size, positions, 1});
    }

    public static @Nullable Tensor inputGradient(
            Tensor gradient, Tensor weight, ConvolutionShape shape) {
        var convolution = of(gradient, shape);
        return convolution == null ? null : convolution.inputGradient(gradient, weight);
    }

    private @Nullable Tensor inputGradient(Tensor gradient, Tensor weight) {
        Tensor result = TensorAccess.fresh(gradient.dtype(), shape.input());
        Tensor flow = Elementwise.contiguous(gradient);
        Tensor factors = Elementwise.contiguous(weight);
        int step = partSize();
        for (int first = 0; first < images; first += step) {
            int count = Math.min(step, images - first);
            Tensor part = SliceRules.narrow(result, 0, first, count);
            Tensor patches =
                    isOfPixels() ? part : fresh(flow.dtype(), count, groups, depth, positions);
            Tensor from = SliceRules.narrow(flow, 0, first, count);
            if (!multiply(factors, true, from, patches, depth, count, false)
                    || (!isOfPixels() && !windows.patchesGradient(patches, part))) {
                return null;
            }
            giveBack(patches);
        }
        return result;
    }

    public static @Nullable Tensor weightGradient(
            Tensor gradient, Tensor input, ConvolutionShape shape) {
        var convolution = of(gradient, shape);
        return convolution == null ? null : convolution.weightGradient(gradient, input);
    }

    private @Nullable Tensor weightGradient(Tensor gradient, Tensor input) {
        int size = groups * filters * depth;
        int step = Math.min(partSize(), Math.max(1, PART / size));
        Tensor flow = Elementwise.contiguous(gradient);
        Tensor sum = null;
        for (int first = 0; first < images; first += step) {
            int count = Math.min(step, images - first);
            Tensor patches = patches(SliceRules.narrow(input, 0, first, count), count);
            Tensor products = fresh(flow.dtype(), count, size);
            if (patches == null
                    || !multiplyForWeights(
                            SliceRules.narrow(flow, 0, first, count), patches, products, count)) {
                return null;
            }
            giveBack(patches);
            Tensor part = ReductionRules.sum(products, new int[] {0}, false);
            giveBackSummed(products);
            sum = sum == null ? part : Elementwise.binary(Binary.ADD, sum, part);
        }
        return sum == null ? null : TensorAccess.viewAs(sum, shape.weight());
    }

    /** Multiply the gradient of each image and group with its transposed patches. */
    private boolean multiplyForWeights(Tensor flow, Tensor patches, Tensor products, int count) {
        int units = count * groups;
        return DeviceProducts.multiply(
                view(flow, new int[] {units, filters, positions}, positions, 1),
                view(patches, new int[] {units, positions, depth}, 1, positions),
                view(products, new int[] {units, filters, depth}, depth, 1),
                false);
    }

    /** {@return matrices of a contiguous tensor, in sequence} */
    private static Tensor view(Tensor x, int[] dims, int down, int along) {
        return TensorAccess.view(
                TensorAccess.storage(x),
                TensorAccess.offset(x),
                dims,
                new int[] {dims[1] * dims[2], down, along});
    }
}
