package org.gradwire.tensor;

import org.gradwire.tensor.kernel.Elements;
import org.gradwire.tensor.kernel.Loops;
import org.gradwire.tensor.kernel.Matrices;
import org.gradwire.tensor.kernel.MatrixProduct;
import org.gradwire.tensor.kernel.Patches;
import org.gradwire.tensor.kernel.Strided;
import org.jspecify.annotations.Nullable;

import java.util.Arrays;

/**
 * Convolutions of images {@code [n, c, h, w]} with weights {@code [o, c, kh, kw]}, as products of
 * the weights with the patches of each image.
 */
final class Convolutions {

    private Convolutions() {}

    private static Patches patches(int[] input, int[] weight, int[] stride, int[] padding) {
        if (input.length != 4 || weight.length != 4 || stride.length != 2 || padding.length != 2) {
            throw new IllegalArgumentException(
                    "conv2d: expected input [n, c, h, w], weight [o, c, kh, kw], stride and padding of two numbers; got %s, %s, %s, %s"
                            .formatted(
                                    Arrays.toString(input),
                                    Arrays.toString(weight),
                                    Arrays.toString(stride),
                                    Arrays.toString(padding)));
        }
        if (input[1] != weight[1]) {
            throw new IllegalArgumentException(
                    "Given weight of size %s, expected input%s to have %d channels, but got %d channels instead"
                            .formatted(
                                    Arrays.toString(weight),
                                    Arrays.toString(input),
                                    weight[1],
                                    input[1]));
        }
        if (stride[0] <= 0 || stride[1] <= 0 || padding[0] < 0 || padding[1] < 0) {
            throw new IllegalArgumentException(
                    "non-positive stride or negative padding is not supported: %s, %s"
                            .formatted(Arrays.toString(stride), Arrays.toString(padding)));
        }
        if (input[2] + 2 * padding[0] < weight[2] || input[3] + 2 * padding[1] < weight[3]) {
            throw new IllegalArgumentException(
                    "Calculated padded input size per channel: (%d x %d). Kernel size: (%d x %d). Kernel size can't be greater than actual input size"
                            .formatted(
                                    input[2] + 2 * padding[0],
                                    input[3] + 2 * padding[1],
                                    weight[2],
                                    weight[3]));
        }
        return new Patches(
                input[1],
                input[2],
                input[3],
                weight[2],
                weight[3],
                stride[0],
                stride[1],
                padding[0],
                padding[1]);
    }

    static <A> Tensor forward(
            Tensor input, Tensor weight, @Nullable Tensor bias, int[] stride, int[] padding) {
        Patches patches = patches(input.dims, weight.dims, stride, padding);
        if (input.dtype() != weight.dtype()) {
            throw new IllegalArgumentException(
                    "Input type (%s) and weight type (%s) should be the same"
                            .formatted(input.dtype(), weight.dtype()));
        }
        int outChannels = weight.dims[0];
        int plane = patches.outHeight() * patches.outWidth();
        int[] shape = {input.dims[0], outChannels, patches.outHeight(), patches.outWidth()};
        Tensor result = Tensor.fresh(input.dtype(), shape);
        if (bias != null) {
            Tensor column = bias.reshaped(outChannels, 1, 1);
            Loops.copy(input.dtype().elements(), column.strided(shape), result.strided());
        }
        Elements<A> elements = input.dtype().elements();
        Tensor filter = Elementwise.contiguous(weight);
        A columns = columns(elements, patches);
        for (int i = 0; i < input.dims[0]; i++) {
            Image<A> image = Image.of(elements, input, i);
            for (int y = 0; y < patches.outHeight(); y += patches.partHeight()) {
                int rows = Math.min(patches.partHeight(), patches.outHeight() - y);
                patches.gather(elements, image.array, image.offset, y, rows, columns);
                int n = rows * patches.outWidth();
                Matrices.multiply(
                        elements,
                        product(
                                outChannels,
                                n,
                                patches.rows(),
                                patches.rows(),
                                n,
                                plane,
                                bias != null),
                        filter.base(),
                        filter.offset,
                        columns,
                        0,
                        result.base(),
                        i * outChannels * plane + y * patches.outWidth());
            }
        }
        return result;
    }

    private static <A> A columns(Elements<A> elements, Patches patches) {
        return elements.array(patches.rows() * patches.partHeight() * patches.outWidth());
    }

    private static MatrixProduct product(
            int m, int n, int k, int aStride, int bStride, int cStride, boolean accumulate) {
        return new MatrixProduct(m, n, k, false, aStride, false, bStride, cStride, accumulate);
    }

    /** One image in an array. */
    private record Image<A>(A array, int offset) {

        static <A> Image<A> of(Elements<A> elements, Tensor images, int index) {
            Tensor image = Views.select(images, 0, index);
            return image.isPlainArray()
                    ? new Image<>(elements.cast(image.base()), image.offset)
                    : new Image<>(Loops.toArray(elements, image.strided()), 0);
        }
    }

    static <A> Tensor inputGradient(
            Tensor gradient, int[] input, Tensor weight, int[] stride, int[] padding) {
        Patches patches = patches(input, weight.dims, stride, padding);
        Elements<A> elements = gradient.dtype().elements();
        Tensor filter = Elementwise.contiguous(weight);
        Tensor flow = Elementwise.contiguous(gradient);
        Tensor result = Tensor.fresh(gradient.dtype(), input);
        A columns = columns(elements, patches);
        int outChannels = weight.dims[0];
        int plane = patches.outHeight() * patches.outWidth();
        for (int i = 0; i < input[0]; i++) {
            A image = elements.array(patches.imageSize());
            for (int y = 0; y < patches.outHeight(); y += patches.partHeight()) {
                int rows = Math.min(patches.partHeight(), patches.outHeight() - y);
                int n = rows * patches.outWidth();
                Matrices.multiply(
                        elements,
                        new MatrixProduct(
                                patches.rows(),
                                n,
                                outChannels,
                                true,
                                patches.rows(),
                                false,
                                plane,
                                n,
                                false),
                        filter.base(),
                        filter.offset,
                        flow.base(),
                        flow.offset + i * outChannels * plane + y * patches.outWidth(),
                        columns,
                        0);
                patches.scatter(elements, columns, y, rows, image, 0);
            }
            Loops.copy(
                    elements,
                    Strided.contiguous(image, 0, patches.imageSize()),
                    Views.select(result, 0, i).strided());
        }
        return result;
    }

    static <A> Tensor weightGradient(
            Tensor gradient, Tensor input, int[] weight, int[] stride, int[] padding) {
        Patches patches = patches(input.dims, weight, stride, padding);
        Elements<A> elements = gradient.dtype().elements();
        Tensor flow = Elementwise.contiguous(gradient);
        Tensor result = Tensor.zeros(gradient.dtype(), weight);
        A columns = columns(elements, patches);
        int outChannels = weight[0];
        int plane = patches.outHeight() * patches.outWidth();
        for (int i = 0; i < input.dims[0]; i++) {
            Image<A> image = Image.of(elements, input, i);
            for (int y = 0; y < patches.outHeight(); y += patches.partHeight()) {
                int rows = Math.min(patches.partHeight(), patches.outHeight() - y);
                patches.gather(elements, image.array, image.offset, y, rows, columns);
                int n = rows * patches.outWidth();
                Matrices.multiply(
                        elements,
                        new MatrixProduct(
                                outChannels,
                                patches.rows(),
                                n,
                                false,
                                plane,
                                true,
                                n,
                                patches.rows(),
                                true),
                        flow.base(),
                        flow.offset + i * outChannels * plane + y * patches.outWidth(),
                        columns,
                        0,
                        result.base(),
                        0);
            }
        }
        return result;
    }
}
