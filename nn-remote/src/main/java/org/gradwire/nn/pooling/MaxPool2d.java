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
        kernelSize.requireAtLeast(1, "kernelSize");
        stride.requireAtLeast(1, "stride");
        padding.requireAtLeast(0, "padding");
        ArgumentChecks.requireMargin(padding.height(), kernelSize.height());
        ArgumentChecks.requireMargin(padding.width(), kernelSize.width());
        dilation.requireAtLeast(1, "dilation");
    }

    /** Create a layer with a square window whose stride is its kernel size. */
    public MaxPool2d(int kernelSize) {
        this(kernelSize, kernelSize, 0);
    }

    /** Create a layer with a square window. */
    public MaxPool2d(int kernelSize, int stride, int padding) {
        this(new Size2d(kernelSize), new Size2d(stride), new Size2d(padding), new Size2d(1), false);
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
                        kernelSize.brief(),
                        stride.brief(),
                        padding.brief(),
                        dilation.brief(),
                        Repr.of(ceilMode));
    }
}
