package org.gradwire.tensor.rule.convolution;

import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.access.DTypeAccess;
import org.gradwire.tensor.access.TensorAccess;
import org.gradwire.tensor.kernel.Im2Col;
import org.gradwire.tensor.kernel.PhasePlanes;
import org.gradwire.tensor.kernel.element.BlockReader;
import org.gradwire.tensor.kernel.element.BlockWriter;
import org.gradwire.tensor.kernel.element.Elements;
import org.gradwire.tensor.kernel.element.LineCopies;
import org.gradwire.tensor.kernel.element.MatrixProduct;
import org.gradwire.tensor.kernel.matrix.MatrixMultiplication;
import org.gradwire.tensor.rule.Elementwise;
import org.jspecify.annotations.Nullable;

/**
 * Convolutions of images that are distributed to planes, one matrix product for each position of
 * the kernel and each group of an image.
 *
 * @param <A> type of the arrays
 */
final class PhasedConvolutions<A> {
    /** Positions that are computed at a time, so that their sums stay in the cache. */
    private static final int PART = 1024;

    private final Elements<A> elements;
    private final ConvolutionShape shape;
    private final Im2Col im2Col;
    private final int channels;
    private final int outChannels;
    private final PhasePlanes<A> planes;
    private final int span;

    /** The output of a group of an image in lines as long as those of the planes. */
    private final A lines;

    private PhasedConvolutions(Elements<A> elements, ConvolutionShape shape) {
        this.elements = elements;
        this.shape = shape;
        im2Col = shape.im2Col();
        channels = im2Col.channels();
        outChannels = shape.outChannels();
        planes = new PhasePlanes<>(elements, im2Col);
        span = planes.span();
        lines = elements.array(Math.multiplyExact(outChannels, span));
    }

    /** {@return whether this computes a convolution} */
    static boolean pay(Tensor x, ConvolutionShape shape) {
        return PhasePlanes.pay(
                DTypeAccess.elements(x.dtype()), shape.im2Col(), shape.outChannels());
    }

    /** Write the result of a convolution. */
    static <A> void forward(
            Tensor input,
            Tensor weight,
            @Nullable Tensor bias,
            ConvolutionShape shape,
            Tensor result) {
        Elements<A> elements = DTypeAccess.elements(input.dtype());
        var convolution = new PhasedConvolutions<>(elements, shape);
        Tensor filters = byPosition(weight);
        double[] biases = bias == null ? new double[shape.weight()[0]] : bias.toDoubleArray();
        var images = convolution.images(input);
        int size = convolution.outputSize();
        var writer = new BlockWriter<>(elements, TensorAccess.strided(result), size);
        for (int unit = 0; unit < shape.units(); unit++) {
            convolution.loadImage(images, unit);
            convolution.fillLines(biases, unit);
            convolution.multiplyForward(filters, unit);
            convolution.storeLines(writer.array(), writer.offset(unit * size));
            writer.store(unit * size, size);
        }
    }

    static <A> Tensor inputGradient(Tensor gradient, Tensor weight, ConvolutionShape shape) {
        Elements<A> elements = DTypeAccess.elements(gradient.dtype());
        Tensor result = TensorAccess.fresh(gradient.dtype(), shape.input());
        var convolution = new PhasedConvolutions<>(elements, shape);
        Tensor filters = byPosition(weight);
        var flow = convolution.outputs(gradient);
        int size = shape.im2Col().imageSize();
        var writer = new BlockWriter<>(elements, TensorAccess.strided(result), size);
        for (int unit = 0; unit < shape.units(); unit++) {
            convolution.loadLines(flow, unit);
            convolution.multiplyBackward(filters, unit);
            int at = writer.offset(unit * size);
            elements.fill(writer.array(), at, size, 0);
            convolution.planes.store(writer.array(), at);
            writer.store(unit * size, size);
        }
        return result;
    }

    static <A> Tensor weightGradient(Tensor gradient, Tensor input, ConvolutionShape shape) {
        Elements<A> elements = DTypeAccess.elements(gradient.dtype());
        int[] weight = shape.weight();
        Tensor sums = Tensor.zeros(gradient.dtype(), weight[2], weight[3], weight[0], weight[1]);
        var convolution = new PhasedConvolutions<>(elements, shape);
        var flow = convolution.outputs(gradient);
        var images = convolution.images(input);
        for (int unit = 0; unit < shape.units(); unit++) {
            convolution.loadLines(flow, unit);
            convolution.loadImage(images, unit);
            convolution.multiplyForWeights(sums, unit);
        }
        return Elementwise.copy(TensorAccess.permuted(sums, 2, 3, 0, 1));
    }

    /** {@return the weights as one matrix {@code [o, c]} for each position of the kernel} */
    private static Tensor byPosition(Tensor weight) {
        return Elementwise.copy(TensorAccess.permuted(weight, 2, 3, 0, 1));
    }

    /** {@return where the filters of a group for a position of the kernel begin} */
    private int filters(int row, int column, int unit) {
        int position = row * im2Col.kernelWidth() + column;
        int group = unit % shape.groups();
        return (position * shape.groups() + group) * outChannels * channels;
    }

    private int outputSize() {
        return outChannels * im2Col.outHeight() * im2Col.outWidth();
    }

    private BlockReader<A> images(Tensor input) {
        return new BlockReader<>(elements, TensorAccess.strided(input), im2Col.imageSize());
    }

    private BlockReader<A> outputs(Tensor gradient) {
        return new BlockReader<>(elements, TensorAccess.strided(gradient), outputSize());
    }

    private void loadImage(BlockReader<A> images, int unit) {
        images.load(unit * im2Col.imageSize(), im2Col.imageSize());
        planes.load(images.array(), images.offset());
    }

    private void fillLines(double[] biases, int unit) {
        for (int o = 0; o < outChannels; o++) {
            double bias = biases[unit % shape.groups() * outChannels + o];
            elements.fill(lines, o * span, span, bias);
        }
    }

    /** Take an output; there are zeros between its lines. */
    private void loadLines(BlockReader<A> outputs, int unit) {
        outputs.load(unit * outputSize(), outputSize());
        int width = im2Col.outWidth();
        int height = im2Col.outHeight();
        for (int o = 0; o < outChannels; o++) {
            int from = outputs.offset() + o * height * width;
            LineCopies.copy(
                    outputs.array(), from, width, lines, o * span, planes.pitch(), width, height);
        }
    }

    private void storeLines(A output, int offset) {
        int width = im2Col.outWidth();
        int height = im2Col.outHeight();
        for (int o = 0; o < outChannels; o++) {
            int to = offset + o * height * width;
            LineCopies.copy(lines, o * span, planes.pitch(), output, to, width, width, height);
        }
    }

    /** Multiplies some neighbouring positions of the output with the weights of one position. */
    private interface Step {
        void apply(int filters, int range, int start, int n);
    }

    private void forEachStep(int unit, Step step) {
        for (int start = 0; start < span; start += PART) {
            int n = Math.min(PART, span - start);
            for (int row = 0; row < im2Col.kernelHeight(); row++) {
                for (int column = 0; column < im2Col.kernelWidth(); column++) {
                    int range = planes.range(row, column) + start;
                    step.apply(filters(row, column, unit), range, start, n);
                }
            }
        }
    }

    private void multiplyForward(Tensor filters, int unit) {
        int plane = planes.plane();
        forEachStep(
                unit,
                (filter, range, start, n) -> {
                    var product =
                            new MatrixProduct(
                                    outChannels,
                                    n,
                                    channels,
                                    false,
                                    channels,
                                    false,
                                    plane,
                                    span,
                                    true);
                    Object weights = TensorAccess.base(filters);
                    MatrixMultiplication.multiply(
                            elements,
                            product,
                            weights,
                            filter,
                            planes.array(),
                            range,
                            lines,
                            start);
                });
    }

    private void multiplyBackward(Tensor filters, int unit) {
        int plane = planes.plane();
        planes.clear();
        forEachStep(
                unit,
                (filter, range, start, n) -> {
                    var product =
                            new MatrixProduct(
                                    channels,
                                    n,
                                    outChannels,
                                    true,
                                    channels,
                                    false,
                                    span,
                                    plane,
                                    true);
                    Object weights = TensorAccess.base(filters);
                    MatrixMultiplication.multiply(
                            elements,
                            product,
                            weights,
                            filter,
                            lines,
                            start,
                            planes.array(),
                            range);
                });
    }

    private void multiplyForWeights(Tensor sums, int unit) {
        int plane = planes.plane();
        forEachStep(
                unit,
                (filter, range, start, n) -> {
                    var product =
                            new MatrixProduct(
                                    outChannels,
                                    channels,
                                    n,
                                    false,
                                    span,
                                    true,
                                    plane,
                                    channels,
                                    true);
                    Object result = TensorAccess.base(sums);
                    MatrixMultiplication.multiply(
                            elements, product, lines, start, planes.array(), range, result, filter);
                });
    }
}
