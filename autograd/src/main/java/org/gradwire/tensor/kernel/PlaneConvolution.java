package org.gradwire.tensor.kernel;

import org.gradwire.tensor.kernel.element.Elements;

/**
 * Convolutions of single planes with stride 1, for those whose channels do not mix. Products of
 * matrices would have one row or column.
 *
 * <p>A plane is padded once; each weight then is one multiple of a range that spans all lines. The
 * numbers between the lines are computed too, and left out.
 */
public final class PlaneConvolution<A> {
    private final Elements<A> elements;
    private final Im2Col im2Col;
    private final int paddedWidth;
    private final int span;
    private final A padded;
    private final A lines;

    /** Create a convolution with one channel. */
    public PlaneConvolution(Elements<A> elements, Im2Col im2Col) {
        this.elements = elements;
        this.im2Col = im2Col;
        paddedWidth = im2Col.width() + 2 * im2Col.paddingWidth();
        int paddedHeight = im2Col.height() + 2 * im2Col.paddingHeight();
        span = Math.max(0, (im2Col.outHeight() - 1) * paddedWidth + im2Col.outWidth());
        padded = elements.array(Math.multiplyExact(paddedHeight, paddedWidth));
        lines = elements.array(span);
    }

    /** {@return whether this computes a convolution} */
    public static boolean fits(Im2Col im2Col, int outChannels) {
        return im2Col.channels() == 1
                && outChannels == 1
                && im2Col.strideHeight() == 1
                && im2Col.strideWidth() == 1;
    }

    /** Take a plane of the input. */
    public void load(A image, int offset) {
        int width = im2Col.width();
        for (int y = 0; y < im2Col.height(); y++) {
            System.arraycopy(image, offset + y * width, padded, line(y), width);
        }
    }

    /** {@return where a line of the input begins in the padded plane} */
    private int line(int y) {
        return (y + im2Col.paddingHeight()) * paddedWidth + im2Col.paddingWidth();
    }

    /** A step with one weight, and where the numbers begin that it meets. */
    private interface WeightStep {
        void apply(int weight, int first);
    }

    private void forEachWeight(WeightStep step) {
        int weight = 0;
        for (int i = 0; i < im2Col.kernelHeight(); i++) {
            for (int j = 0; j < im2Col.kernelWidth(); j++) {
                int down = i * im2Col.dilationHeight() * paddedWidth;
                step.apply(weight++, down + j * im2Col.dilationWidth());
            }
        }
    }

    /** Write the output of the plane that was taken. */
    public void forward(A weights, int weightsAt, double bias, A output, int offset) {
        elements.fill(lines, 0, span, bias);
        forEachWeight((weight, first) -> {
            double factor = elements.getDouble(weights, weightsAt + weight);
            elements.addScaled(factor, padded, first, lines, 0, span);
        });
        int width = im2Col.outWidth();
        for (int y = 0; y < im2Col.outHeight(); y++) {
            System.arraycopy(lines, y * paddedWidth, output, offset + y * width, width);
        }
    }

    /** Take a plane of the gradient of the output. */
    public void loadGradient(A gradient, int offset) {
        int width = im2Col.outWidth();
        for (int y = 0; y < im2Col.outHeight(); y++) {
            System.arraycopy(gradient, offset + y * width, lines, y * paddedWidth, width);
        }
    }

    /** Write the gradient of the input from that of the output. */
    public void inputGradient(A weights, int weightsAt, A result, int offset) {
        elements.fill(padded, 0, paddedWidth * (im2Col.height() + 2 * im2Col.paddingHeight()), 0);
        forEachWeight((weight, first) -> {
            double factor = elements.getDouble(weights, weightsAt + weight);
            elements.addScaled(factor, lines, 0, padded, first, span);
        });
        int width = im2Col.width();
        for (int y = 0; y < im2Col.height(); y++) {
            System.arraycopy(padded, line(y), result, offset + y * width, width);
        }
    }

    /** Add the gradients of the weights, from the planes that were taken. */
    public void weightGradient(double[] sums, int sumsAt) {
        forEachWeight((weight, first) ->
                sums[sumsAt + weight] += elements.dot(lines, 0, padded, first, span));
    }
}
