package org.gradwire.tensor;

import org.gradwire.tensor.kernel.BlockReader;
import org.gradwire.tensor.kernel.Elements;
import org.gradwire.tensor.kernel.Loops;
import org.gradwire.tensor.kernel.Matrices;
import org.gradwire.tensor.kernel.MatrixProduct;
import org.gradwire.tensor.kernel.Patches;
import org.gradwire.tensor.kernel.Strided;
import org.gradwire.tensor.kernel.Winograd;
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

    /** One part of the work on one image, for all rows of the kernel. */
    private static final class Part<A> {
        final Elements<A> elements;
        final Patches patches;
        final A columns;
        final int outChannels;
        private int firstRow;
        private int rows;

        Part(Elements<A> elements, Patches patches, int outChannels) {
            this.elements = elements;
            this.patches = patches;
            this.outChannels = outChannels;
            this.columns = elements.array(patches.columnsSize(patches.partHeight()));
        }

        void begin(int row) {
            firstRow = row;
            rows = Math.min(patches.partHeight(), patches.outHeight() - row);
        }

        boolean more() {
            return firstRow < patches.outHeight();
        }

        void next() {
            firstRow += rows;
            rows = Math.min(patches.partHeight(), patches.outHeight() - firstRow);
        }

        /** {@return the positions of the kernel} */
        int positions() {
            return rows * patches.outWidth();
        }

        /** {@return the elements of a channel of the output} */
        int plane() {
            return patches.outHeight() * patches.outWidth();
        }

        /** {@return where the output of this part of an image begins} */
        int output(int image) {
            return image * outChannels * plane() + firstRow * patches.outWidth();
        }

        /** {@return where the columns that a row of the kernel meets begin} */
        int columnsOf(int kernelRow) {
            return patches.firstLine(kernelRow, rows) * patches.outWidth();
        }

        /** {@return the elements from one row of the columns to the next} */
        int columnsStride() {
            return patches.lines(rows) * patches.outWidth();
        }

        void gather(A image, int offset) {
            patches.gather(elements, image, offset, firstRow, rows, columns);
        }

        void scatter(A image) {
            patches.scatter(elements, columns, firstRow, rows, image, 0);
        }

        void clear() {
            elements.fill(columns, 0, patches.columnsSize(rows), 0);
        }
    }

    /** Return the weights as one matrix {@code [o, c * kw]} for each row of the kernel. */
    private static Tensor byKernelRow(Tensor weight) {
        return Elementwise.copy(weight.permuted(2, 0, 1, 3));
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
        int[] shape = {input.dims[0], outChannels, patches.outHeight(), patches.outWidth()};
        Tensor result = Tensor.fresh(input.dtype(), shape);
        if (Winograd.pays(input.dtype().elements(), patches, outChannels)) {
            forwardByTiles(input, weight, bias, patches, result);
            return result;
        }
        if (bias != null) {
            Tensor column = bias.reshaped(outChannels, 1, 1);
            Loops.copy(input.dtype().elements(), column.strided(shape), result.strided());
        }
        Elements<A> elements = input.dtype().elements();
        Tensor filters = byKernelRow(weight);
        var images = new BlockReader<>(elements, input.strided(), patches.imageSize());
        var part = new Part<>(elements, patches, outChannels);
        for (int i = 0; i < input.dims[0]; i++) {
            images.load(i * patches.imageSize(), patches.imageSize());
            for (part.begin(0); part.more(); part.next()) {
                part.gather(images.array(), images.offset());
                multiplyForward(part, filters, i, result, bias != null);
            }
        }
        return result;
    }

    private static void forwardByTiles(
            Tensor input, Tensor weight, @Nullable Tensor bias, Patches patches, Tensor result) {
        Elements<float[]> elements = DType.FLOAT32.elements();
        float[] filters = weight.permuted(2, 3, 0, 1).toFloatArray();
        float[] offsets = bias == null ? new float[0] : bias.toFloatArray();
        int images = input.dims[0];
        var winograd = new Winograd(patches, weight.dims[0], filters, images);
        var reader = new BlockReader<>(elements, input.strided(), patches.imageSize());
        int outputSize = result.numel() / Math.max(1, images);
        for (int first = 0; first < images; first += winograd.batch()) {
            int count = Math.min(winograd.batch(), images - first);
            for (int i = 0; i < count; i++) {
                reader.load((first + i) * patches.imageSize(), patches.imageSize());
                winograd.transform(reader.array(), reader.offset(), i);
            }
            winograd.multiply();
            for (int i = 0; i < count; i++) {
                winograd.store(i, offsets, result.base(), (first + i) * outputSize);
            }
        }
    }

    private static <A> void multiplyForward(
            Part<A> part, Tensor filters, int image, Tensor result, boolean accumulate) {
        int depth = part.patches.depth();
        for (int row = 0; row < part.patches.kernelHeight(); row++) {
            var product =
                    new MatrixProduct(
                            part.outChannels,
                            part.positions(),
                            depth,
                            false,
                            depth,
                            false,
                            part.columnsStride(),
                            part.plane(),
                            accumulate || row > 0);
            Matrices.multiply(
                    part.elements,
                    product,
                    filters.base(),
                    row * part.outChannels * depth,
                    part.columns,
                    part.columnsOf(row),
                    result.base(),
                    part.output(image));
        }
    }

    static <A> Tensor inputGradient(
            Tensor gradient, int[] input, Tensor weight, int[] stride, int[] padding) {
        Patches patches = patches(input, weight.dims, stride, padding);
        Elements<A> elements = gradient.dtype().elements();
        Tensor filters = byKernelRow(weight);
        Tensor flow = Elementwise.contiguous(gradient);
        Tensor result = Tensor.fresh(gradient.dtype(), input);
        var part = new Part<>(elements, patches, weight.dims[0]);
        for (int i = 0; i < input[0]; i++) {
            A image = elements.array(patches.imageSize());
            for (part.begin(0); part.more(); part.next()) {
                part.clear();
                multiplyBackward(part, filters, flow, i);
                part.scatter(image);
            }
            Loops.copy(
                    elements,
                    Strided.contiguous(image, 0, patches.imageSize()),
                    Views.select(result, 0, i).strided());
        }
        return result;
    }

    private static <A> void multiplyBackward(Part<A> part, Tensor filters, Tensor flow, int image) {
        int depth = part.patches.depth();
        for (int row = 0; row < part.patches.kernelHeight(); row++) {
            var product =
                    new MatrixProduct(
                            depth,
                            part.positions(),
                            part.outChannels,
                            true,
                            depth,
                            false,
                            part.plane(),
                            part.columnsStride(),
                            true);
            Matrices.multiply(
                    part.elements,
                    product,
                    filters.base(),
                    row * part.outChannels * depth,
                    flow.base(),
                    flow.offset + part.output(image),
                    part.columns,
                    part.columnsOf(row));
        }
    }

    static <A> Tensor weightGradient(
            Tensor gradient, Tensor input, int[] weight, int[] stride, int[] padding) {
        Patches patches = patches(input.dims, weight, stride, padding);
        Elements<A> elements = gradient.dtype().elements();
        Tensor flow = Elementwise.contiguous(gradient);
        Tensor sums = Tensor.zeros(gradient.dtype(), weight[2], weight[0], weight[1], weight[3]);
        var images = new BlockReader<>(elements, input.strided(), patches.imageSize());
        var part = new Part<>(elements, patches, weight[0]);
        for (int i = 0; i < input.dims[0]; i++) {
            images.load(i * patches.imageSize(), patches.imageSize());
            for (part.begin(0); part.more(); part.next()) {
                part.gather(images.array(), images.offset());
                multiplyForWeights(part, flow, i, sums);
            }
        }
        return Elementwise.copy(sums.permuted(1, 2, 0, 3));
    }

    private static <A> void multiplyForWeights(Part<A> part, Tensor flow, int image, Tensor sums) {
        int depth = part.patches.depth();
        for (int row = 0; row < part.patches.kernelHeight(); row++) {
            var product =
                    new MatrixProduct(
                            part.outChannels,
                            depth,
                            part.positions(),
                            false,
                            part.plane(),
                            true,
                            part.columnsStride(),
                            depth,
                            true);
            Matrices.multiply(
                    part.elements,
                    product,
                    flow.base(),
                    flow.offset + part.output(image),
                    part.columns,
                    part.columnsOf(row),
                    sums.base(),
                    row * part.outChannels * depth);
        }
    }
}
