package org.gradwire.tensor.kernel;

/**
 * The patches of an image that a kernel slides over, as the columns of a matrix: what turns a
 * convolution into a product of matrices.
 *
 * <p>Row {@code (c, i, j)} of the matrix holds, for each position of the kernel, the pixel of
 * channel {@code c} under its element {@code (i, j)}, or zero where that is padding.
 */
public record Patches(
        int channels,
        int height,
        int width,
        int kernelHeight,
        int kernelWidth,
        int strideHeight,
        int strideWidth,
        int paddingHeight,
        int paddingWidth) {

    /** Elements of a part of the matrix; with the weights it should stay in the L2 cache. */
    private static final int PART = 1 << 17;

    /** {@return the rows of positions of the kernel} */
    public int outHeight() {
        return (height + 2 * paddingHeight - kernelHeight) / strideHeight + 1;
    }

    /** {@return the positions of the kernel in each row} */
    public int outWidth() {
        return (width + 2 * paddingWidth - kernelWidth) / strideWidth + 1;
    }

    /** {@return the rows of the matrix} */
    public int rows() {
        return channels * kernelHeight * kernelWidth;
    }

    /** {@return the elements of an image} */
    public int imageSize() {
        return channels * height * width;
    }

    /** {@return how many rows of positions a part of the matrix should have} */
    public int partHeight() {
        return Math.max(1, Math.min(outHeight(), PART / Math.max(1, rows() * outWidth())));
    }

    /**
     * Write a part of the matrix: the columns of some rows of positions.
     *
     * @param columns of {@code rows() * count * outWidth()} elements
     */
    public <A> void gather(
            Elements<A> elements, A image, int offset, int firstRow, int count, A columns) {
        int row = 0;
        for (int c = 0; c < channels; c++) {
            for (int i = 0; i < kernelHeight; i++) {
                for (int j = 0; j < kernelWidth; j++, row++) {
                    int plane = offset + c * height * width;
                    int to = row * count * outWidth();
                    for (int y = firstRow; y < firstRow + count; y++, to += outWidth()) {
                        gatherRow(elements, image, plane, y, i, j, columns, to);
                    }
                }
            }
        }
    }

    private <A> void gatherRow(
            Elements<A> elements, A image, int plane, int y, int i, int j, A columns, int to) {
        int n = outWidth();
        int line = y * strideHeight - paddingHeight + i;
        if (line < 0 || line >= height) {
            elements.fill(columns, to, n, 0);
            return;
        }
        int first = firstInside(j);
        int end = Math.max(first, endInside(j));
        if (first > 0) {
            elements.fill(columns, to, first, 0);
        }
        int from = plane + line * width + first * strideWidth - paddingWidth + j;
        if (strideWidth == 1) {
            System.arraycopy(image, from, columns, to + first, end - first);
        } else {
            elements.gather(image, from, strideWidth, columns, to + first, end - first);
        }
        if (end < n) {
            elements.fill(columns, to + end, n - end, 0);
        }
    }

    /** {@return the first position at which column {@code j} of the kernel lies inside} */
    private int firstInside(int j) {
        int missing = Math.max(0, paddingWidth - j);
        return Math.min(outWidth(), (missing + strideWidth - 1) / strideWidth);
    }

    /** {@return the position after the last at which column {@code j} of the kernel lies inside} */
    private int endInside(int j) {
        int reach = width + paddingWidth - j;
        return Math.min(outWidth(), Math.max(0, (reach + strideWidth - 1) / strideWidth));
    }

    /** Add a part of the matrix to the image it was gathered from; see {@link #gather}. */
    public <A> void scatter(
            Elements<A> elements, A columns, int firstRow, int count, A image, int offset) {
        A line = elements.array(outWidth());
        int row = 0;
        for (int c = 0; c < channels; c++) {
            for (int i = 0; i < kernelHeight; i++) {
                for (int j = 0; j < kernelWidth; j++, row++) {
                    int plane = offset + c * height * width;
                    int from = row * count * outWidth();
                    for (int y = firstRow; y < firstRow + count; y++, from += outWidth()) {
                        scatterRow(elements, columns, from, image, plane, y, i, j, line);
                    }
                }
            }
        }
    }

    private <A> void scatterRow(
            Elements<A> elements,
            A columns,
            int from,
            A image,
            int plane,
            int y,
            int i,
            int j,
            A line) {
        int imageLine = y * strideHeight - paddingHeight + i;
        int first = firstInside(j);
        int n = endInside(j) - first;
        if (imageLine < 0 || imageLine >= height || n <= 0) {
            return;
        }
        int to = plane + imageLine * width + first * strideWidth - paddingWidth + j;
        if (strideWidth == 1) {
            elements.binary(Binary.ADD, image, to, columns, from + first, image, to, n);
            return;
        }
        elements.gather(image, to, strideWidth, line, 0, n);
        elements.binary(Binary.ADD, line, 0, columns, from + first, line, 0, n);
        elements.scatter(line, 0, image, to, strideWidth, n);
    }
}
