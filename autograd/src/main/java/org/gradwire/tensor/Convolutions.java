package org.gradwire.tensor;

import org.gradwire.tensor.kernel.BlockReader;
import org.gradwire.tensor.kernel.BlockWriter;
import org.gradwire.tensor.kernel.Elements;
import org.gradwire.tensor.kernel.Loops;
import org.gradwire.tensor.kernel.Matrices;
import org.gradwire.tensor.kernel.MatrixProduct;
import org.gradwire.tensor.kernel.Patches;
import org.gradwire.tensor.kernel.Winograd;
import org.jspecify.annotations.Nullable;

/**
 * Convolutions of images {@code [n, c, h, w]} with weights {@code [o, c, kh, kw]}, as products of
 * the weights with the patches of each image.
 */
final class Convolutions {

    private Convolutions() {}

    /** One part of the work on one group of channels of one image, for all rows of the kernel. */
    private static final class Part<A> {
        final Elements<A> elements;
        final Patches patches;
        final A columns;

        /** Those of one group. */
        final int outChannels;

        private final int groups;
        private int firstRow;
        private int rows;

        Part(Elements<A> elements, ConvolutionShape shape) {
            this.elements = elements;
            this.patches = shape.patches();
            this.outChannels = shape.outChannels();
            this.groups = shape.groups();
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

        /**
         * {@return where the output of this part begins}
         *
         * @param unit counts groups, image after image
         */
        int output(int unit) {
            return unit * outChannels * plane() + firstRow * patches.outWidth();
        }

        /** {@return where the filters of a group for one row of the kernel begin} */
        int filters(int unit, int kernelRow) {
            int group = unit % groups;
            return (kernelRow * groups + group) * outChannels * patches.depth();
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
            Tensor input, Tensor weight, @Nullable Tensor bias, ConvolutionShape shape) {
        Tensor result = Tensor.fresh(input.dtype(), shape.output());
        Patches patches = shape.patches();
        if (shape.groups() == 1
                && Winograd.pays(input.dtype().elements(), patches, shape.outChannels())) {
            float[] filters = weight.permuted(2, 3, 0, 1).toFloatArray();
            float[] offsets = bias == null ? new float[0] : bias.toFloatArray();
            byTiles(input, filters, offsets, patches, result);
            return result;
        }
        if (bias != null) {
            Tensor column = bias.reshaped(bias.numel(), 1, 1);
            Loops.copy(input.dtype().elements(), column.strided(result.dims), result.strided());
        } else if (patches.depth() == 0) {
            Elementwise.fill(result, 0);
        }
        Elements<A> elements = input.dtype().elements();
        Tensor filters = byKernelRow(weight);
        var images = new BlockReader<>(elements, input.strided(), patches.imageSize());
        var part = new Part<>(elements, shape);
        for (int unit = 0; unit < shape.units(); unit++) {
            images.load(unit * patches.imageSize(), patches.imageSize());
            for (part.begin(0); part.more(); part.next()) {
                part.gather(images.array(), images.offset());
                multiplyForward(part, filters, unit, result, bias != null);
            }
        }
        return result;
    }

    /**
     * Convolve by tiles.
     *
     * @param filters {@code [3, 3, o, c]}
     */
    private static void byTiles(
            Tensor input, float[] filters, float[] bias, Patches patches, Tensor result) {
        Elements<float[]> elements = DType.FLOAT32.elements();
        int images = input.dims[0];
        var winograd = new Winograd(patches, result.dims[1], filters, images);
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
                winograd.store(i, bias, result.base(), (first + i) * outputSize);
            }
        }
    }

    private static <A> void multiplyForward(
            Part<A> part, Tensor filters, int unit, Tensor result, boolean accumulate) {
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
                    part.filters(unit, row),
                    part.columns,
                    part.columnsOf(row),
                    result.base(),
                    part.output(unit));
        }
    }

    static <A> Tensor inputGradient(Tensor gradient, Tensor weight, ConvolutionShape shape) {
        Tensor result = Tensor.fresh(gradient.dtype(), shape.input());
        if (backwardByTiles(gradient, weight, shape, result)) {
            return result;
        }
        Elements<A> elements = gradient.dtype().elements();
        Patches patches = shape.patches();
        Tensor filters = byKernelRow(weight);
        Tensor flow = Elementwise.contiguous(gradient);
        var part = new Part<>(elements, shape);
        A image = elements.array(patches.imageSize());
        var images = new BlockWriter<>(elements, result.strided(), patches.imageSize());
        for (int unit = 0; unit < shape.units(); unit++) {
            elements.fill(image, 0, patches.imageSize(), 0);
            for (part.begin(0); part.more(); part.next()) {
                part.clear();
                multiplyBackward(part, filters, flow, unit);
                part.scatter(image);
            }
            int at = unit * patches.imageSize();
            System.arraycopy(image, 0, images.array(), images.offset(at), patches.imageSize());
            images.store(at, patches.imageSize());
        }
        return result;
    }

    /** Convolve the gradient with the turned filters, where that can be done by tiles. */
    private static boolean backwardByTiles(
            Tensor gradient, Tensor weight, ConvolutionShape shape, Tensor result) {
        Patches turned = shape.turned();
        if (turned == null
                || !Winograd.pays(gradient.dtype().elements(), turned, shape.input()[1])) {
            return false;
        }
        float[] filters = weight.permuted(2, 3, 1, 0).toFloatArray();
        int size = weight.dims[0] * weight.dims[1];
        float[] backToFront = new float[filters.length];
        int points = filters.length / size;
        for (int point = 0; point < points; point++) {
            System.arraycopy(filters, point * size, backToFront, (points - 1 - point) * size, size);
        }
        byTiles(gradient, backToFront, new float[0], turned, result);
        return true;
    }

    private static <A> void multiplyBackward(Part<A> part, Tensor filters, Tensor flow, int unit) {
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
                    part.filters(unit, row),
                    flow.base(),
                    flow.offset + part.output(unit),
                    part.columns,
                    part.columnsOf(row));
        }
    }

    static <A> Tensor weightGradient(Tensor gradient, Tensor input, ConvolutionShape shape) {
        Patches patches = shape.patches();
        Elements<A> elements = gradient.dtype().elements();
        Tensor flow = Elementwise.contiguous(gradient);
        int[] weight = shape.weight();
        Tensor sums = Tensor.zeros(gradient.dtype(), weight[2], weight[0], weight[1], weight[3]);
        var images = new BlockReader<>(elements, input.strided(), patches.imageSize());
        var part = new Part<>(elements, shape);
        for (int unit = 0; unit < shape.units(); unit++) {
            images.load(unit * patches.imageSize(), patches.imageSize());
            for (part.begin(0); part.more(); part.next()) {
                part.gather(images.array(), images.offset());
                multiplyForWeights(part, flow, unit, sums);
            }
        }
        return Elementwise.copy(sums.permuted(1, 2, 0, 3));
    }

    private static <A> void multiplyForWeights(Part<A> part, Tensor flow, int unit, Tensor sums) {
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
                    flow.offset + part.output(unit),
                    part.columns,
                    part.columnsOf(row),
                    sums.base(),
                    part.filters(unit, row));
        }
    }
}
