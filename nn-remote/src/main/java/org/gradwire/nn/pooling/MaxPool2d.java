package org.gradwire.nn.pooling;

import org.gradwire.nn.Layer;
import org.gradwire.nn.Size2d;
import org.gradwire.nn.internal.ArgumentChecks;
import org.gradwire.nn.internal.Repr;
import org.gradwire.rpc.WireValue;
import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;

/**
 * 2D max pooling of {@code [n, c, h, w]} or {@code [c, h, w]}.
 *
 * @param kernelSize the size of the window
 * @param stride the step of the window
 * @param padding padding of negative infinity on both sides, at most half of the window
 * @param dilation the distance between the elements of a window
 * @param ceilMode whether an incomplete last window counts
 */
@WireValue
public record MaxPool2d(
        Size2d kernelSize, Size2d stride, Size2d padding, Size2d dilation, boolean ceilMode)
        implements Layer {

    /** Validates the arguments. */
    public MaxPool2d {
        ArgumentChecks.requireAtLeast(1, "kernelSize", kernelSize.toArray());
        ArgumentChecks.requireAtLeast(1, "stride", stride.toArray());
        ArgumentChecks.requireAtLeast(0, "padding", padding.toArray());
        ArgumentChecks.requireMargin(padding.height(), kernelSize.height());
        ArgumentChecks.requireMargin(padding.width(), kernelSize.width());
        ArgumentChecks.requireAtLeast(1, "dilation", dilation.toArray());
    }

    /** Create a layer with a square window whose stride is its kernel size. */
    public MaxPool2d(int kernelSize) {
        this(kernelSize, kernelSize, 0);
    }

    /** Create a layer with a square window. */
    public MaxPool2d(int kernelSize, int stride, int padding) {
        this(new Size2d(kernelSize), new Size2d(stride), new Size2d(padding), new Size2d(1), false);
    }

    /** Create a layer whose stride is its kernel size. */
    public MaxPool2d(Size2d kernelSize) {
        this(kernelSize, kernelSize, new Size2d(0), new Size2d(1), false);
    }

    /** Return the same layer with another step of the window. */
    public MaxPool2d stride(int step) {
        return stride(new Size2d(step));
    }

    /** As {@link #stride(int)}, for each dimension. */
    public MaxPool2d stride(Size2d step) {
        return new MaxPool2d(kernelSize, step, padding, dilation, ceilMode);
    }

    /** Return the same layer with another padding on both sides. */
    public MaxPool2d padding(int margin) {
        return padding(new Size2d(margin));
    }

    /** As {@link #padding(int)}, for each dimension. */
    public MaxPool2d padding(Size2d margin) {
        return new MaxPool2d(kernelSize, stride, margin, dilation, ceilMode);
    }

    /** Return the same layer with another distance between the elements of a window. */
    public MaxPool2d dilation(int distance) {
        return dilation(new Size2d(distance));
    }

    /** As {@link #dilation(int)}, for each dimension. */
    public MaxPool2d dilation(Size2d distance) {
        return new MaxPool2d(kernelSize, stride, padding, distance, ceilMode);
    }

    /** Return the same layer, in which an incomplete last window counts, or not. */
    public MaxPool2d ceilMode(boolean counts) {
        return new MaxPool2d(kernelSize, stride, padding, dilation, counts);
    }

    @Override
    public Tensor forward(Tensor input) {
        return Ops.maxPool2d(
                input,
                kernelSize.toArray(),
                stride.toArray(),
                padding.toArray(),
                dilation.toArray(),
                ceilMode);
    }

    @Override
    public String toString() {
        return "MaxPool2d(kernel_size=%s, stride=%s, padding=%s, dilation=%s, ceil_mode=%s)"
                .formatted(
                        Repr.brief(kernelSize.toArray()),
                        Repr.brief(stride.toArray()),
                        Repr.brief(padding.toArray()),
                        Repr.brief(dilation.toArray()),
                        Repr.of(ceilMode));
    }
}
