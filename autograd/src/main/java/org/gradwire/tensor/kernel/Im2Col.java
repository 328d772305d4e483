package org.gradwire.tensor.kernel;

import org.gradwire.tensor.kernel.element.Binary;
import org.gradwire.tensor.kernel.element.Elements;

/**
 * Im2col: the patches of an image under a convolution kernel, as columns of matrices, so that a
 * convolution is a sum of matrix products, one for each row of the kernel.
 *
 * <p>Row {@code (c, j)} of the <em>columns</em> holds, line after line of the padded image, the
 * pixels of channel {@code c} under column {@code j} of the kernel, or zero where that is padding.
 * Row {@code i} of the kernel meets the lines from its {@link #firstLine} on; so lines are gathered
 * once and not for each row of the kernel. With a stride above one, lines that the kernel covers
 * together are adjacent.
 */
public record Im2Col(
        int channels,
        int height,
        int width,
        int kernelHeight,
        int kernelWidth,
        int strideHeight,
        int strideWidth,
        int paddingHeight,
        int paddingWidth,
        int dilationHeight,
        int dilationWidth) {

    /** Elements of the columns of one part; with the weights they should stay in the L2 cache. */
    private static final int PART = 1 << 18;

    /** Create those of a kernel that meets neighbouring pixels. */
    public Im2Col(
            int channels,
            int height,
            int width,
            int kernelHeight,
            int kernelWidth,
            int strideHeight,
            int strideWidth,
            int paddingHeight,
            int paddingWidth) {
        this(
                channels,
                height,
                width,
                kernelHeight,
                kernelWidth,
                strideHeight,
                strideWidth,
                paddingHeight,
                paddingWidth,
                1,
                1);
    }

    /** {@return the lines from the first that the kernel meets to the last} */
    private int reachHeight() {
        return dilationHeight * (kernelHeight - 1) + 1;
    }

    /** {@return the rows of positions of the kernel} */
    public int outHeight() {
        return (height + 2 * paddingHeight - reachHeight()) / strideHeight + 1;
    }

    /** {@return the positions of the kernel in each row} */
    public int outWidth() {
        int reach = dilationWidth * (kernelWidth - 1) + 1;
        return (width + 2 * paddingWidth - reach) / strideWidth + 1;
    }

    /** {@return the rows of the columns} */
    public int depth() {
        return channels * kernelWidth;
    }

    /** {@return the elements of an image} */
    public int imageSize() {
        return channels * height * width;
    }

    /** {@return the number of rows of positions to process at a time} */
    public int partHeight() {
        int lines = PART / Math.max(1, depth() * outWidth());
        return Math.clamp((lines - reachHeight()) / strideHeight + 1, 1, Math.max(1, outHeight()));
    }

    /** {@return the number of lines under the given number of rows of positions} */
    public int lines(int rows) {
        return (rows - 1) * strideHeight + reachHeight();
    }

    /** {@return the number of elements of the columns of the given number of rows of positions} */
    public int columnsSize(int rows) {
        return Math.multiplyExact(depth() * outWidth(), lines(rows));
    }

    /** {@return where the lines that a row of the kernel meets begin} */
    public int firstLine(int kernelRow, int rows) {
        return place(kernelRow * dilationHeight, rows);
    }

    /** {@return the index of a line: lines a multiple of the stride apart are adjacent} */
    private int place(int line, int rows) {
        int phase = line % strideHeight;
        int before = 0;
        for (int p = 0; p < phase; p++) {
            before += (lines(rows) - p + strideHeight - 1) / strideHeight;
        }
        return before + line / strideHeight;
    }

    /** Write the columns of some rows of positions. */
    public <A> void gather(
            Elements<A> elements, A image, int offset, int firstRow, int rows, A columns) {
        int lines = lines(rows);
        for (int line = 0; line < lines; line++) {
            int y = firstRow * strideHeight - paddingHeight + line;
            int to = place(line, rows) * outWidth();
            for (int c = 0; c < channels; c++) {
                for (int j = 0; j < kernelWidth; j++, to += lines * outWidth()) {
                    if (y < 0 || y >= height) {
                        elements.fill(columns, to, outWidth(), 0);
                    } else {
                        gatherLine(
                                elements, image, offset + (c * height + y) * width, j, columns, to);
                    }
                }
            }
        }
    }

    private <A> void gatherLine(Elements<A> elements, A image, int line, int j, A columns, int to) {
        int first = firstInside(j);
        int end = endInside(j);
        if (end <= first) {
            elements.fill(columns, to, outWidth(), 0);
            return;
        }
        if (first > 0) {
            elements.fill(columns, to, first, 0);
        }
        int from = line + first * strideWidth - paddingWidth + j * dilationWidth;
        if (strideWidth == 1) {
            System.arraycopy(image, from, columns, to + first, end - first);
        } else {
            elements.gather(image, from, strideWidth, columns, to + first, end - first);
        }
        if (end < outWidth()) {
            elements.fill(columns, to + end, outWidth() - end, 0);
        }
    }

    /** {@return the first position at which column {@code j} of the kernel is inside} */
    private int firstInside(int j) {
        int missing = Math.max(0, paddingWidth - j * dilationWidth);
        return Math.min(outWidth(), (missing + strideWidth - 1) / strideWidth);
    }

    /** {@return the position after the last at which column {@code j} of the kernel is inside} */
    private int endInside(int j) {
        int reach = width + paddingWidth - j * dilationWidth;
        return Math.clamp((reach + strideWidth - 1) / strideWidth, 0, outWidth());
    }

    /** Add columns to the image they were gathered from; see {@link #gather}. */
    public <A> void scatter(
            Elements<A> elements, A columns, int firstRow, int rows, A image, int offset) {
        A pixels = elements.array(outWidth());
        int lines = lines(rows);
        for (int line = 0; line < lines; line++) {
            int y = firstRow * strideHeight - paddingHeight + line;
            int from = place(line, rows) * outWidth();
            for (int c = 0; c < channels && y >= 0 && y < height; c++) {
                for (int j = 0; j < kernelWidth; j++, from += lines * outWidth()) {
                    int to = offset + (c * height + y) * width;
                    scatterLine(elements, columns, from, image, to, j, pixels);
                }
            }
        }
    }

    private <A> void scatterLine(
            Elements<A> elements, A columns, int from, A image, int line, int j, A pixels) {
        int first = firstInside(j);
        int n = endInside(j) - first;
        if (n <= 0) {
            return;
        }
        int to = line + first * strideWidth - paddingWidth + j * dilationWidth;
        if (strideWidth == 1) {
            elements.binary(Binary.ADD, image, to, columns, from + first, image, to, n);
            return;
        }
        elements.gather(image, to, strideWidth, pixels, 0, n);
        elements.binary(Binary.ADD, pixels, 0, columns, from + first, pixels, 0, n);
        elements.scatter(pixels, 0, image, to, strideWidth, n);
    }
}
