package org.gradwire.tensor.kernel;

import org.gradwire.tensor.kernel.element.Elements;

/**
 * A padded image of a convolution, distributed to planes by row and column modulo the strides: the
 * pixels that a weight meets are one range of a plane, line after line. So a convolution is one
 * matrix product for each position of the kernel, without columns.
 *
 * <p>A line of a plane is longer than one of the output where the kernel is wider than a stride.
 * The numbers between the lines of the output are computed too, and left out.
 *
 * <p>Used by one thread.
 *
 * @param <A> type of the arrays
 */
public final class PhasePlanes<A> {
    /** Minimum number of channels: products of fewer are too thin. */
    private static final int LEAST_CHANNELS = 16;

    private final Elements<A> elements;
    private final Im2Col im2Col;
    private final Axis vertical;
    private final Axis horizontal;
    private final A planes;

    /**
     * One direction of the image.
     *
     * @param extent pixels
     * @param out positions of the kernel
     * @param kernel weights
     */
    private record Axis(int extent, int padding, int kernel, int dilation, int stride, int out) {

        /** {@return the pixels of each phase} */
        int size() {
            return out + (kernel - 1) * dilation / stride;
        }

        int phase(int weight) {
            return weight * dilation % stride;
        }

        int shift(int weight) {
            return weight * dilation / stride;
        }

        /** {@return whether a weight meets pixels of a phase} */
        boolean meets(int phase) {
            for (int weight = 0; weight < kernel; weight++) {
                if (phase(weight) == phase) {
                    return true;
                }
            }
            return false;
        }

        /** {@return the first place of a phase that is inside the image} */
        int first(int phase) {
            return Math.ceilDiv(Math.max(0, padding - phase), stride);
        }

        /** {@return how many places of a phase are inside the image} */
        int count(int phase) {
            int end = Math.ceilDiv(extent + padding - phase, stride);
            return Math.max(0, Math.min(end, size()) - first(phase));
        }

        /** {@return the pixel of the first place inside the image} */
        int pixel(int phase) {
            return first(phase) * stride + phase - padding;
        }
    }

    /** Create planes of zeros. */
    public PhasePlanes(Elements<A> elements, Im2Col im2Col) {
        this.elements = elements;
        this.im2Col = im2Col;
        vertical =
                new Axis(
                        im2Col.height(),
                        im2Col.paddingHeight(),
                        im2Col.kernelHeight(),
                        im2Col.dilationHeight(),
                        im2Col.strideHeight(),
                        im2Col.outHeight());
        horizontal =
                new Axis(
                        im2Col.width(),
                        im2Col.paddingWidth(),
                        im2Col.kernelWidth(),
                        im2Col.dilationWidth(),
                        im2Col.strideWidth(),
                        im2Col.outWidth());
        planes = elements.array(Math.multiplyExact(phases() * im2Col.channels(), plane()));
    }

    /** {@return whether planes pay: where columns would be gathered with a stride} */
    public static boolean pay(Elements<?> elements, Im2Col im2Col, int outChannels) {
        return elements.type().isFloating()
                && elements.bytes() >= Float.BYTES
                && im2Col.strideWidth() > 1
                && im2Col.channels() >= LEAST_CHANNELS
                && outChannels >= LEAST_CHANNELS
                && im2Col.outHeight() > 0
                && im2Col.outWidth() > 0;
    }

    private int phases() {
        return vertical.stride * horizontal.stride;
    }

    /** {@return the elements from one channel to the next} */
    public int plane() {
        return vertical.size() * pitch();
    }

    /** {@return the elements from one line to the next, of planes and of outputs} */
    public int pitch() {
        return horizontal.size();
    }

    /** {@return the elements from the first position of the kernel to the last} */
    public int span() {
        return (vertical.out - 1) * pitch() + horizontal.out;
    }

    /** {@return the planes, channel by channel for each phase} */
    public A array() {
        return planes;
    }

    /** {@return where the range begins that a weight meets in the first channel} */
    public int range(int row, int column) {
        int plane = plane(vertical.phase(row), horizontal.phase(column), 0);
        return plane + vertical.shift(row) * pitch() + horizontal.shift(column);
    }

    private int plane(int rowPhase, int columnPhase, int channel) {
        int phase = rowPhase * horizontal.stride + columnPhase;
        return (phase * im2Col.channels() + channel) * plane();
    }

    /** Copies the pixels of a phase of a channel that are inside the image. */
    private interface Copy {
        void apply(int pixels, int places, int n, int lines);
    }

    private void forEachPlane(Copy copy) {
        for (int v = 0; v < vertical.stride; v++) {
            for (int h = 0; h < horizontal.stride; h++) {
                if (vertical.meets(v) && horizontal.meets(h)) {
                    forEachChannel(v, h, copy);
                }
            }
        }
    }

    private void forEachChannel(int v, int h, Copy copy) {
        int pixel = vertical.pixel(v) * im2Col.width() + horizontal.pixel(h);
        int place = plane(v, h, 0) + vertical.first(v) * pitch() + horizontal.first(h);
        int size = im2Col.height() * im2Col.width();
        int n = horizontal.count(h);
        int lines = vertical.count(v);
        for (int c = 0; c < im2Col.channels(); c++) {
            copy.apply(pixel + c * size, place + c * plane(), n, lines);
        }
    }

    /** Write zeros everywhere. */
    public void clear() {
        elements.fill(planes, 0, phases() * im2Col.channels() * plane(), 0);
    }

    /** Take an image. */
    public void load(A image, int offset) {
        int pixelStep = im2Col.width() * vertical.stride;
        int stride = horizontal.stride;
        forEachPlane((pixels, places, n, lines) -> {
            for (int line = 0; line < lines; line++) {
                int from = offset + pixels + line * pixelStep;
                elements.gather(image, from, stride, planes, places + line * pitch(), n);
            }
        });
    }

    /** Write the pixels that a weight meets to an image. */
    public void store(A image, int offset) {
        int pixelStep = im2Col.width() * vertical.stride;
        int stride = horizontal.stride;
        forEachPlane((pixels, places, n, lines) -> {
            for (int line = 0; line < lines; line++) {
                int to = offset + pixels + line * pixelStep;
                elements.scatter(planes, places + line * pitch(), image, to, stride, n);
            }
        });
    }
}
