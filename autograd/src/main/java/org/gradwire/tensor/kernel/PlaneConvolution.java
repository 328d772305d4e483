package org.gradwire.tensor.kernel;

import org.gradwire.tensor.kernel.element.Elements;
import org.gradwire.tensor.kernel.element.LineCopies;

import java.util.Arrays;

/**
 * Convolutions of single planes with stride 1, for those whose channels do not mix. Products of
 * matrices would have one row or column.
 *
 * <p>A plane is padded once, so that each weight meets one range that spans all lines. The numbers
 * between the lines are computed too, and left out.
 */
public final class PlaneConvolution<A> {
    private final Elements<A> elements;
    private final Im2Col im2Col;
    private final int paddedWidth;

    /** Offset of the input in the padded plane. */
    private final int inside;

    private final int span;
    private final int reach;
    private final int[] offsets;
    private final int[] backwardOffsets;
    private final A padded;

    /** The lines of the output, between margins of zeros. */
    private final A lines;

    /** Create a convolution with one channel. */
    public PlaneConvolution(Elements<A> elements, Im2Col im2Col) {
        this.elements = elements;
        this.im2Col = im2Col;
        paddedWidth = im2Col.width() + 2 * im2Col.paddingWidth();
        inside = im2Col.paddingHeight() * paddedWidth + im2Col.paddingWidth();
        int paddedHeight = im2Col.height() + 2 * im2Col.paddingHeight();
        span = Math.max(0, (im2Col.outHeight() - 1) * paddedWidth + im2Col.outWidth());
        offsets = offsets(im2Col, paddedWidth);
        reach = offsets[offsets.length - 1];
        backwardOffsets = Arrays.stream(offsets).map(offset -> reach - offset).toArray();
        padded = elements.array(Math.multiplyExact(paddedHeight, paddedWidth));
        lines = elements.array(span + 2 * reach);
    }

    /** {@return for each weight where the numbers begin that it meets} */
    private static int[] offsets(Im2Col im2Col, int paddedWidth) {
        int[] offsets = new int[im2Col.kernelHeight() * im2Col.kernelWidth()];
        for (int k = 0; k < offsets.length; k++) {
            int down = k / im2Col.kernelWidth() * im2Col.dilationHeight() * paddedWidth;
            offsets[k] = down + k % im2Col.kernelWidth() * im2Col.dilationWidth();
        }
        return offsets;
    }

    /** {@return whether this computes a convolution; those of integers are products} */
    public static boolean fits(Elements<?> elements, Im2Col im2Col, int outChannels) {
        return elements.type().isFloating()
                && im2Col.channels() == 1
                && outChannels == 1
                && im2Col.strideHeight() == 1
                && im2Col.strideWidth() == 1;
    }

    /** Take a plane of the input. */
    public void load(A image, int offset) {
        int width = im2Col.width();
        int height = im2Col.height();
        LineCopies.copy(image, offset, width, padded, inside, paddedWidth, width, height);
    }

    /** Write the output of the plane that was taken. */
    public void forward(A weights, int weightsAt, double bias, A output, int offset) {
        elements.fill(lines, reach, span, bias);
        elements.correlate(padded, 0, offsets, weights, weightsAt, lines, reach, span);
        int width = im2Col.outWidth();
        int height = im2Col.outHeight();
        LineCopies.copy(lines, reach, paddedWidth, output, offset, width, width, height);
    }

    /** Take a plane of the gradient of the output. */
    public void loadGradient(A gradient, int offset) {
        int width = im2Col.outWidth();
        int height = im2Col.outHeight();
        LineCopies.copy(gradient, offset, width, lines, reach, paddedWidth, width, height);
    }

    /** Write the gradient of the input from that of the output. */
    public void inputGradient(A weights, int weightsAt, A result, int offset) {
        int size = span + reach; // all of the padded plane
        elements.fill(padded, 0, size, 0);
        elements.correlate(lines, 0, backwardOffsets, weights, weightsAt, padded, 0, size);
        int width = im2Col.width();
        int height = im2Col.height();
        LineCopies.copy(padded, inside, paddedWidth, result, offset, width, width, height);
    }

    /** Add the gradients of the weights, from the planes that were taken. */
    public void weightGradient(double[] sums, int sumsAt) {
        for (int k = 0; k < offsets.length; k++) {
            sums[sumsAt + k] += elements.dot(lines, reach, padded, offsets[k], span);
        }
    }
}
