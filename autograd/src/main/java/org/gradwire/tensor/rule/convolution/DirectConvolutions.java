package org.gradwire.tensor.rule.convolution;

import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.access.DTypeAccess;
import org.gradwire.tensor.access.TensorAccess;
import org.gradwire.tensor.kernel.Im2Col;
import org.gradwire.tensor.kernel.PlaneConvolution;
import org.gradwire.tensor.kernel.StridedLoops;
import org.gradwire.tensor.kernel.element.BlockReader;
import org.gradwire.tensor.kernel.element.BlockWriter;
import org.gradwire.tensor.kernel.element.Elements;
import org.gradwire.tensor.kernel.element.MatrixProduct;
import org.gradwire.tensor.kernel.matrix.MatrixMultiplication;
import org.gradwire.tensor.rule.Elementwise;
import org.jspecify.annotations.Nullable;

/**
 * Convolutions without columns: those with kernels of 1x1, whose images are the columns, and those
 * of single channels, plane by plane.
 */
final class DirectConvolutions {

    private DirectConvolutions() {}

    /** {@return whether the images are the columns} */
    static boolean isPointwise(Im2Col im2Col) {
        return im2Col.channels() > 0
                && im2Col.kernelHeight() == 1
                && im2Col.kernelWidth() == 1
                && im2Col.strideHeight() == 1
                && im2Col.strideWidth() == 1
                && im2Col.paddingHeight() == 0
                && im2Col.paddingWidth() == 0;
    }

    /** Multiply weights and images. */
    static void pointwise(
            Tensor input,
            Tensor weight,
            @Nullable Tensor bias,
            ConvolutionShape shape,
            Tensor result) {
        int channels = shape.im2Col().channels();
        int plane = shape.im2Col().height() * shape.im2Col().width();
        var product =
                new MatrixProduct(
                        shape.outChannels(),
                        plane,
                        channels,
                        false,
                        channels,
                        false,
                        plane,
                        plane,
                        bias != null);
        var biases = bias == null ? null : new BiasPlanes<>(bias, result);
        multiply(shape, product, weight, true, input, false, result, false, biases);
    }

    static Tensor pointwiseInputGradient(Tensor gradient, Tensor weight, ConvolutionShape shape) {
        Tensor result = TensorAccess.fresh(gradient.dtype(), shape.input());
        int channels = shape.im2Col().channels();
        int plane = shape.im2Col().height() * shape.im2Col().width();
        var product =
                new MatrixProduct(
                        channels,
                        plane,
                        shape.outChannels(),
                        true,
                        channels,
                        false,
                        plane,
                        plane,
                        false);
        multiply(shape, product, weight, true, gradient, false, result, false, null);
        return result;
    }

    static Tensor pointwiseWeightGradient(Tensor gradient, Tensor input, ConvolutionShape shape) {
        Tensor result = Tensor.zeros(gradient.dtype(), shape.weight());
        int channels = shape.im2Col().channels();
        int plane = shape.im2Col().height() * shape.im2Col().width();
        var product =
                new MatrixProduct(
                        shape.outChannels(),
                        channels,
                        plane,
                        false,
                        plane,
                        true,
                        plane,
                        channels,
                        true);
        multiply(shape, product, gradient, false, input, false, result, true, null);
        return result;
    }

    /** Multiply for each group of each image; weights are those of the group. */
    private static void multiply(
            ConvolutionShape shape,
            MatrixProduct product,
            Tensor first,
            boolean isFirstWeight,
            Tensor second,
            boolean isSecondWeight,
            Tensor result,
            boolean isResultWeight,
            @Nullable BiasPlanes<?> biases) {
        Tensor a = Elementwise.contiguous(first);
        Tensor b = Elementwise.contiguous(second);
        for (int unit = 0; unit < shape.units(); unit++) {
            if (biases != null) {
                biases.write(unit * shape.outChannels(), shape.outChannels());
            }
            MatrixMultiplication.multiply(
                    DTypeAccess.elements(result.dtype()),
                    product,
                    TensorAccess.base(a),
                    TensorAccess.offset(a) + at(a, shape, unit, isFirstWeight),
                    TensorAccess.base(b),
                    TensorAccess.offset(b) + at(b, shape, unit, isSecondWeight),
                    TensorAccess.base(result),
                    at(result, shape, unit, isResultWeight));
        }
    }

    private static int at(Tensor x, ConvolutionShape shape, int unit, boolean isWeight) {
        return isWeight
                ? unit % shape.groups() * (x.numel() / shape.groups())
                : unit * (x.numel() / shape.units());
    }

    /** Convolve plane by plane. */
    static <A> void planes(
            Tensor input,
            Tensor weight,
            @Nullable Tensor bias,
            ConvolutionShape shape,
            Tensor result) {
        Elements<A> elements = DTypeAccess.elements(input.dtype());
        Im2Col im2Col = shape.im2Col();
        var planes = new PlaneConvolution<>(elements, im2Col);
        int size = im2Col.outHeight() * im2Col.outWidth();
        var reader = new BlockReader<>(elements, TensorAccess.strided(input), im2Col.imageSize());
        var writer = new BlockWriter<>(elements, TensorAccess.strided(result), size);
        A filters = StridedLoops.toArray(elements, TensorAccess.strided(weight));
        double[] offsets = bias == null ? new double[weight.size(0)] : bias.toDoubleArray();
        for (int unit = 0; unit < shape.units(); unit++) {
            int group = unit % offsets.length;
            reader.load(unit * im2Col.imageSize(), im2Col.imageSize());
            planes.load(reader.array(), reader.offset());
            int filter = group * im2Col.kernelHeight() * im2Col.kernelWidth();
            int to = writer.offset(unit * size);
            planes.forward(filters, filter, offsets[group], writer.array(), to);
            writer.store(unit * size, size);
        }
    }

    static <A> Tensor planesInputGradient(Tensor gradient, Tensor weight, ConvolutionShape shape) {
        Elements<A> elements = DTypeAccess.elements(gradient.dtype());
        Tensor result = TensorAccess.fresh(gradient.dtype(), shape.input());
        Im2Col im2Col = shape.im2Col();
        var planes = new PlaneConvolution<>(elements, im2Col);
        int size = im2Col.outHeight() * im2Col.outWidth();
        var flow = new BlockReader<>(elements, TensorAccess.strided(gradient), size);
        var writer = new BlockWriter<>(elements, TensorAccess.strided(result), im2Col.imageSize());
        A filters = StridedLoops.toArray(elements, TensorAccess.strided(weight));
        for (int unit = 0; unit < shape.units(); unit++) {
            flow.load(unit * size, size);
            planes.loadGradient(flow.array(), flow.offset());
            int filter = unit % shape.weight()[0] * im2Col.kernelHeight() * im2Col.kernelWidth();
            int at = unit * im2Col.imageSize();
            planes.inputGradient(filters, filter, writer.array(), writer.offset(at));
            writer.store(at, im2Col.imageSize());
        }
        return result;
    }

    static <A> Tensor planesWeightGradient(Tensor gradient, Tensor input, ConvolutionShape shape) {
        Elements<A> elements = DTypeAccess.elements(gradient.dtype());
        Im2Col im2Col = shape.im2Col();
        var planes = new PlaneConvolution<>(elements, im2Col);
        int size = im2Col.outHeight() * im2Col.outWidth();
        var flow = new BlockReader<>(elements, TensorAccess.strided(gradient), size);
        var images = new BlockReader<>(elements, TensorAccess.strided(input), im2Col.imageSize());
        int positions = im2Col.kernelHeight() * im2Col.kernelWidth();
        double[] sums = new double[shape.weight()[0] * positions];
        for (int unit = 0; unit < shape.units(); unit++) {
            flow.load(unit * size, size);
            images.load(unit * im2Col.imageSize(), im2Col.imageSize());
            planes.loadGradient(flow.array(), flow.offset());
            planes.load(images.array(), images.offset());
            planes.weightGradient(sums, unit % shape.weight()[0] * positions);
        }
        return Elementwise.cast(Tensor.of(sums, shape.weight()), gradient.dtype());
    }
}
