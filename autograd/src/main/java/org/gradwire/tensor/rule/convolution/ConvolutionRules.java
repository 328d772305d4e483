package org.gradwire.tensor.rule.convolution;

import org.gradwire.tensor.DType;
import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.access.DTypeAccess;
import org.gradwire.tensor.access.TensorAccess;
import org.gradwire.tensor.kernel.Im2Col;
import org.gradwire.tensor.kernel.PlaneConvolution;
import org.gradwire.tensor.kernel.element.BlockReader;
import org.gradwire.tensor.kernel.element.BlockWriter;
import org.gradwire.tensor.kernel.element.Elements;
import org.gradwire.tensor.kernel.element.MatrixProduct;
import org.gradwire.tensor.kernel.matrix.MatrixMultiplication;
import org.gradwire.tensor.kernel.matrix.Winograd;
import org.gradwire.tensor.rule.Elementwise;
import org.gradwire.tensor.rule.device.DeviceConvolutions;
import org.jspecify.annotations.Nullable;

/**
 * Convolutions of images {@code [n, c, h, w]} with weights {@code [o, c, kh, kw]}, as products of
 * the weights with the patches of each image.
 */
public final class ConvolutionRules {

    private ConvolutionRules() {}

    /** One part of the work on one group of channels of one image, for all rows of the kernel. */
    private static final class Part<A> {
        final Elements<A> elements;
        final Im2Col im2Col;
        final A columns;

        /** Filters of one group. */
        final int outChannels;

        private final int groups;
        private int firstRow;
        private int rows;

        Part(Elements<A> elements, ConvolutionShape shape) {
            this.elements = elements;
            this.im2Col = shape.im2Col();
            this.outChannels = shape.outChannels();
            this.groups = shape.groups();
            this.columns = elements.array(im2Col.columnsSize(im2Col.partHeight()));
        }

        void begin(int row) {
            firstRow = row;
            rows = Math.min(im2Col.partHeight(), im2Col.outHeight() - row);
        }

        boolean more() {
            return firstRow < im2Col.outHeight();
        }

        void next() {
            firstRow += rows;
            rows = Math.min(im2Col.partHeight(), im2Col.outHeight() - firstRow);
        }

        /** {@return the positions of the kernel} */
        int positions() {
            return rows * im2Col.outWidth();
        }

        /** {@return the elements of a channel of the output} */
        int plane() {
            return im2Col.outHeight() * im2Col.outWidth();
        }

        /**
         * {@return where the output of this part begins}
         *
         * @param unit counts groups, image after image
         */
        int output(int unit) {
            return unit * outChannels * plane() + firstRow * im2Col.outWidth();
        }

        /** {@return where the filters of a group for one row of the kernel begin} */
        int filters(int unit, int kernelRow) {
            int group = unit % groups;
            return (kernelRow * groups + group) * outChannels * im2Col.depth();
        }

        /** {@return where the columns that a row of the kernel meets begin} */
        int columnsOf(int kernelRow) {
            return im2Col.firstLine(kernelRow, rows) * im2Col.outWidth();
        }

        /** {@return the elements from one row of the columns to the next} */
        int columnsStride() {
            return im2Col.lines(rows) * im2Col.outWidth();
        }

        void gather(A image, int offset) {
            im2Col.gather(elements, image, offset, firstRow, rows, columns);
        }

        void scatter(A image) {
            im2Col.scatter(elements, columns, firstRow, rows, image, 0);
        }

        void clear() {
            elements.fill(columns, 0, im2Col.columnsSize(rows), 0);
        }
    }

    /** Return the weights as one matrix {@code [o, c * kw]} for each row of the kernel. */
    private static Tensor byKernelRow(Tensor weight) {
        return Elementwise.copy(TensorAccess.permuted(weight, 2, 0, 1, 3));
    }

    public static Tensor forward(
            Tensor input, Tensor weight, @Nullable Tensor bias, ConvolutionShape shape) {
        Tensor there = DeviceConvolutions.forward(input, weight, bias, shape);
        return there == null ? onHost(input, weight, bias, shape) : there;
    }

    private static boolean isByPlanes(Tensor x, ConvolutionShape shape) {
        Elements<?> elements = DTypeAccess.elements(x.dtype());
        return PlaneConvolution.fits(elements, shape.im2Col(), shape.outChannels());
    }

    private static <A> Tensor onHost(
            Tensor input, Tensor weight, @Nullable Tensor bias, ConvolutionShape shape) {
        Tensor result = TensorAccess.fresh(input.dtype(), shape.output());
        Im2Col im2Col = shape.im2Col();
        if (shape.groups() == 1
                && Winograd.pays(
                        DTypeAccess.elements(input.dtype()), im2Col, shape.outChannels())) {
            float[] filters = TensorAccess.permuted(weight, 2, 3, 0, 1).toFloatArray();
            float[] offsets = bias == null ? new float[0] : bias.toFloatArray();
            byTiles(input, filters, offsets, im2Col, result);
            return result;
        }
        if (isByPlanes(input, shape)) {
            DirectConvolutions.planes(input, weight, bias, shape, result);
            return result;
        }
        if (PhasedConvolutions.pay(input, shape)) {
            PhasedConvolutions.forward(input, weight, bias, shape, result);
            return result;
        }
        if (DirectConvolutions.isPointwise(im2Col)) {
            DirectConvolutions.pointwise(input, weight, bias, shape, result);
            return result;
        }
        if (bias != null) {
            new BiasPlanes<>(bias, result).write(0, TensorAccess.dims(result)[0] * bias.numel());
        } else if (im2Col.depth() == 0) {
            Elementwise.fill(result, 0);
        }
        Elements<A> elements = DTypeAccess.elements(input.dtype());
        Tensor filters = byKernelRow(weight);
        var images = new BlockReader<>(elements, TensorAccess.strided(input), im2Col.imageSize());
        var part = new Part<>(elements, shape);
        for (int unit = 0; unit < shape.units(); unit++) {
            images.load(unit * im2Col.imageSize(), im2Col.imageSize());
            for (part.begin(0); part.more(); part.next()) {
                part.gather(images.array(), images.offset());
                multiplyForward(part, filters, unit, result, bias != null);
            }
        }
        return result;
    }

    /**
     * Convolve by Winograd's method.
     *
     * @param filters {@code [3, 3, o, c]}
     */
    private static void byTiles(
            Tensor input, float[] filters, float[] bias, Im2Col im2Col, Tensor result) {
        Elements<float[]> elements = DTypeAccess.elements(DType.FLOAT32);
        int images = TensorAccess.dims(input)[0];
        var winograd = new Winograd(im2Col, TensorAccess.dims(result)[1], filters, images);
        var reader = new BlockReader<>(elements, TensorAccess.strided(input), im2Col.imageSize());
        int outputSize = result.numel() / Math.max(1, images);
        for (int first = 0; first < images; first += winograd.batch()) {
            int count = Math.min(winograd.batch(), images - first);
            for (int i = 0; i < count; i++) {
                reader.load((first + i) * im2Col.imageSize(), im2Col.imageSize());
                winograd.transform(reader.array(), reader.offset(), i);
            }
            winograd.multiply();
            for (int i = 0; i < count; i++) {
                winograd.store(i, bias, TensorAccess.base(result), (first + i) * outputSize);
            }
        }
    }

    private static <A> void multiplyForward(
            Part<A> part, Tensor filters, int unit, Tensor result, boolean accumulate) {
        int depth = part.im2Col.depth();
        for (int row = 0; row < part.im2Col.kernelHeight(); row++) {
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
            MatrixMultiplication.multiply(
                    part.elements,
                    product,
                    TensorAccess.base(filters),
                    part.filters(unit, row),
                    part.columns,
                    part.columnsOf(row),
                    TensorAccess.base(result),
                    part.output(unit));
        }
    }

    public static Tensor inputGradient(Tensor gradient, Tensor weight, ConvolutionShape shape) {
        Tensor there = DeviceConvolutions.inputGradient(gradient, weight, shape);
        if (there != null) {
            return there;
        }
        if (isByPlanes(gradient, shape)) {
            return DirectConvolutions.planesInputGradient(gradient, weight, shape);
        }
        if (PhasedConvolutions.pay(gradient, shape)) {
            return PhasedConvolutions.inputGradient(gradient, weight, shape);
        }
        return DirectConvolutions.isPointwise(shape.im2Col())
                ? DirectConvolutions.pointwiseInputGradient(gradient, weight, shape)
                : inputGradientOnHost(gradient, weight, shape);
    }

    private static <A> Tensor inputGradientOnHost(
            Tensor gradient, Tensor weight, ConvolutionShape shape) {
        Tensor result = TensorAccess.fresh(gradient.dtype(), shape.input());
        if (backwardByTiles(gradient, weight, shape, result)) {
            return result;
        }
        Elements<A> elements = DTypeAccess.elements(gradient.dtype());
        Im2Col im2Col = shape.im2Col();
        Tensor filters = byKernelRow(weight);
        Tensor flow = Elementwise.contiguous(gradient);
        var part = new Part<>(elements, shape);
        A image = elements.array(im2Col.imageSize());
        var images = new BlockWriter<>(elements, TensorAccess.strided(result), im2Col.imageSize());
        for (int unit = 0; unit < shape.units(); unit++) {
            elements.fill(image, 0, im2Col.imageSize(), 0);
            for (part.begin(0); part.more(); part.next()) {
                part.clear();
                multiplyBackward(part, filters, flow, unit);
                part.scatter(image);
            }
            int at = unit * im2Col.imageSize();
            System.arraycopy(image, 0, images.array(), images.offset(at), im2Col.imageSize());
            images.store(at, im2Col.imageSize());
        }
        return result;
    }

    /** Convolve the gradient with the flipped filters, where Winograd's method applies. */
    private static boolean backwardByTiles(
            Tensor gradient, Tensor weight, ConvolutionShape shape, Tensor result) {
        Im2Col turned = shape.turned();
        if (turned == null
                || !Winograd.pays(
                        DTypeAccess.elements(gradient.dtype()), turned, shape.input()[1])) {
            return false;
        }
        float[] filters = TensorAccess.permuted(weight, 2, 3, 1, 0).toFloatArray();
        int size = TensorAccess.dims(weight)[0] * TensorAccess.dims(weight)[1];
        float[] backToFront = new float[filters.length];
        int points = filters.length / size;
        for (int point = 0; point < points; point++) {
            System.arraycopy(filters, point * size, backToFront, (points - 1 - point) * size, size);
        }
        byTiles(gradient, backToFront, new float[0], turned, result);
        return true;
    }

    private static <A> void multiplyBackward(Part<A> part, Tensor filters, Tensor flow, int unit) {
        int depth = part.im2Col.depth();
        for (int row = 0; row < part.im2Col.kernelHeight(); row++) {
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
            MatrixMultiplication.multiply(
                    part.elements,
                    product,
                    TensorAccess.base(filters),
                    part.filters(unit, row),
                    TensorAccess.base(flow),
                    TensorAccess.offset(flow) + part.output(unit),
                    part.columns,
                    part.columnsOf(row));
        }
    }

    public static Tensor weightGradient(Tensor gradient, Tensor input, ConvolutionShape shape) {
        Tensor there = DeviceConvolutions.weightGradient(gradient, input, shape);
        if (there != null) {
            return there;
        }
        if (isByPlanes(gradient, shape)) {
            return DirectConvolutions.planesWeightGradient(gradient, input, shape);
        }
        if (PhasedConvolutions.pay(gradient, shape)) {
            return PhasedConvolutions.weightGradient(gradient, input, shape);
        }
        return DirectConvolutions.isPointwise(shape.im2Col())
                ? DirectConvolutions.pointwiseWeightGradient(gradient, input, shape)
                : weightGradientOnHost(gradient, input, shape);
    }

    private static <A> Tensor weightGradientOnHost(
            Tensor gradient, Tensor input, ConvolutionShape shape) {
        Im2Col im2Col = shape.im2Col();
        Elements<A> elements = DTypeAccess.elements(gradient.dtype());
        Tensor flow = Elementwise.contiguous(gradient);
        int[] weight = shape.weight();
        Tensor sums = Tensor.zeros(gradient.dtype(), weight[2], weight[0], weight[1], weight[3]);
        var images = new BlockReader<>(elements, TensorAccess.strided(input), im2Col.imageSize());
        var part = new Part<>(elements, shape);
        for (int unit = 0; unit < shape.units(); unit++) {
            images.load(unit * im2Col.imageSize(), im2Col.imageSize());
            for (part.begin(0); part.more(); part.next()) {
                part.gather(images.array(), images.offset());
                multiplyForWeights(part, flow, unit, sums);
            }
        }
        return Elementwise.copy(TensorAccess.permuted(sums, 1, 2, 0, 3));
    }

    private static <A> void multiplyForWeights(Part<A> part, Tensor flow, int unit, Tensor sums) {
        int depth = part.im2Col.depth();
        for (int row = 0; row < part.im2Col.kernelHeight(); row++) {
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
            MatrixMultiplication.multiply(
                    part.elements,
                    product,
                    TensorAccess.base(flow),
                    TensorAccess.offset(flow) + part.output(unit),
                    part.columns,
                    part.columnsOf(row),
                    TensorAccess.base(sums),
                    part.filters(unit, row));
        }
    }
}
