package org.gradwire.tensor.kernel.matrix;

import org.gradwire.tensor.kernel.Im2Col;
import org.gradwire.tensor.kernel.element.Elements;
import org.gradwire.tensor.kernel.element.MatrixProduct;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Convolutions of float32 with 3x3 kernels that move by one, after Winograd: tiles of 4x4 results
 * from 36 multiplications instead of 144, which are products of matrices over the channels.
 *
 * <p>The intermediate factors of up to 8 cost accuracy: where terms are independent, results are
 * off by up to 2e-5 of the standard deviation of the sums, ten times as much as those of the direct
 * method. Therefore float64 is excluded.
 *
 * <p>Tiles overlap by two pixels, and those of neighbouring tiles lie four apart. So an image is
 * first distributed to 16 planes, by row and column modulo 4; in these, the same pixel of all tiles
 * is contiguous, and each step of the transform is arithmetic on whole ranges.
 *
 * <p>Used by one thread. Source: A. Lavin, S. Gray, <i>Fast Algorithms for Convolutional Neural
 * Networks</i>, 2015.
 */
public final class Winograd {
    public static final int TILE = 4;
    public static final int INPUT = 6;
    public static final int POINTS = INPUT * INPUT;
    private static final int KERNEL = 3;
    private static final int PHASES = TILE * TILE;
    private static final int LEAST_CHANNELS = 16;
    private static final double LEAST_USED = 0.5;

    /**
     * Elements of the transformed images of one batch; with the products they stay in the cache.
     */
    private static final int BATCH = 1 << 18;

    private final Elements<float[]> elements;
    private final Im2Col im2Col;
    private final int outChannels;
    private final int planeWidth;
    private final int plane;
    private final int batch;
    private final float[] filters;
    private final float[] planes;
    private final float[] half;
    private final float[] transformed;
    private final float[] products;
    private final float[] output;

    /** {@return whether this method applies, and is the faster one} */
    public static boolean pays(Elements<?> elements, Im2Col im2Col, int outChannels) {
        double tiles = tiles(im2Col.outHeight()) * (tiles(im2Col.outWidth()) + 1.0);
        double used = im2Col.outHeight() * (double) im2Col.outWidth() / (tiles * PHASES);
        return elements instanceof org.gradwire.tensor.kernel.vector.VectorFloatElements
                && OpenBlas.available()
                && im2Col.kernelHeight() == KERNEL
                && im2Col.kernelWidth() == KERNEL
                && im2Col.strideHeight() == 1
                && im2Col.strideWidth() == 1
                && im2Col.dilationHeight() == 1
                && im2Col.dilationWidth() == 1
                && im2Col.channels() >= LEAST_CHANNELS
                && outChannels >= LEAST_CHANNELS
                && used >= LEAST_USED;
    }

    private static int tiles(int extent) {
        return (extent + TILE - 1) / TILE;
    }

    /**
     * Prepare for images of one size.
     *
     * @param weights {@code [3, 3, o, c]}
     * @param images how many there will be
     */
    public Winograd(Im2Col im2Col, int outChannels, float[] weights, int images) {
        this.elements = new org.gradwire.tensor.kernel.vector.VectorFloatElements();
        this.im2Col = im2Col;
        this.outChannels = outChannels;
        planeWidth = tiles(im2Col.outWidth()) + 1;
        plane = VectorWinograd.roundUp(tiles(im2Col.outHeight()) * planeWidth);
        int channels = im2Col.channels();
        int most = Math.max(channels, outChannels);
        batch = Math.clamp(BATCH / (POINTS * most * plane), 1, images);
        filters = VectorWinograd.filters(weights, outChannels * channels);
        // A row and a column of tiles more than there are: the last ones' neighbors.
        planes = new float[PHASES * phase()];
        half = new float[POINTS * plane];
        transformed = new float[POINTS * channels * batch * plane];
        products = new float[POINTS * outChannels * batch * plane];
        output = new float[PHASES * plane];
    }

    private int phase() {
        return plane + planeWidth + VectorWinograd.LANES;
    }

    /** {@return how many images should be done at a time} */
    public int batch() {
        return batch;
    }

    /** Take in an image as the {@code slot}th of a batch. */
    public void transform(float[] image, int offset, int slot) {
        int channels = im2Col.channels();
        int size = im2Col.height() * im2Col.width();
        for (int c = 0; c < channels; c++) {
            distribute(image, offset + c * size);
            int to = (c * batch + slot) * plane;
            VectorWinograd.input(
                    planes, phase(), planeWidth, half, transformed, to, step(channels), plane);
        }
    }

    /** {@return the elements from one of the 36 points to the next} */
    private int step(int channels) {
        return channels * batch * plane;
    }

    /** Distribute one channel over the planes. */
    private void distribute(float[] image, int offset) {
        for (int y = 0; y < im2Col.height(); y++) {
            int row = y + im2Col.paddingHeight();
            int line = row / TILE * planeWidth + row % TILE * TILE * phase();
            for (int x = 0; x < Math.min(TILE, im2Col.width()); x++) {
                int column = x + im2Col.paddingWidth();
                int to = line + column % TILE * phase() + column / TILE;
                int from = offset + y * im2Col.width();
                for (int i = x; i < im2Col.width(); i += TILE) {
                    planes[to++] = image[from + i];
                }
            }
        }
    }

    /** Multiply the filters with the images of a batch. */
    public void multiply() {
        int channels = im2Col.channels();
        int columns = batch * plane;
        var product =
                new MatrixProduct(
                        outChannels,
                        columns,
                        channels,
                        false,
                        channels,
                        false,
                        columns,
                        columns,
                        false);
        for (int point = 0; point < POINTS; point++) {
            MatrixMultiplication.multiply(
                    elements,
                    product,
                    filters,
                    point * outChannels * channels,
                    transformed,
                    point * step(channels),
                    products,
                    point * step(outChannels));
        }
    }

    /**
     * Write the result of the {@code slot}th image of a batch.
     *
     * @param bias for each channel of the output; empty for none
     * @param base array or native segment
     */
    public void store(int slot, float[] bias, Object base, int offset) {
        int size = im2Col.outHeight() * im2Col.outWidth();
        float[] image = new float[size];
        for (int o = 0; o < outChannels; o++) {
            int from = (o * batch + slot) * plane;
            float add = bias.length == 0 ? 0 : bias[o];
            VectorWinograd.output(products, from, step(outChannels), half, output, plane, add);
            collect(image);
            int to = offset + o * size;
            switch (base) {
                case MemorySegment segment ->
                        MemorySegment.copy(
                                image,
                                0,
                                segment,
                                ValueLayout.JAVA_FLOAT,
                                (long) to * Float.BYTES,
                                size);
                default -> System.arraycopy(image, 0, base, to, size);
            }
        }
    }

    /** Bring the results of all tiles back into rows. */
    private void collect(float[] image) {
        int width = im2Col.outWidth();
        for (int y = 0; y < im2Col.outHeight(); y++) {
            int line = y / TILE * planeWidth + y % TILE * TILE * plane;
            for (int x = 0; x < Math.min(TILE, width); x++) {
                int from = line + x * plane;
                for (int i = y * width + x; i < (y + 1) * width; i += TILE) {
                    image[i] = output[from++];
                }
            }
        }
    }
}
