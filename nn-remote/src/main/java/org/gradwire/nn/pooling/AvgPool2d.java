package org.gradwire.nn.pooling;

import org.gradwire.nn.Layer;
import org.gradwire.nn.Size2d;
import org.gradwire.nn.internal.ArgumentChecks;
import org.gradwire.nn.internal.Repr;
import org.gradwire.rpc.WireValue;
import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;
import org.jspecify.annotations.Nullable;

/**
 * 2D average pooling of {@code [n, c, h, w]} or {@code [c, h, w]}.
 *
 * @param kernelSize the size of the window
 * @param stride the step of the window
 * @param padding zero padding on both sides, at most half of the window
 * @param ceilMode whether an incomplete last window counts
 * @param countIncludePad whether the padding counts in the mean
 * @param divisorOverride the divisor of the sums; null for the number of elements
 */
@WireValue
public record AvgPool2d(
        Size2d kernelSize,
        Size2d stride,
        Size2d padding,
        boolean ceilMode,
        boolean countIncludePad,
        @Nullable Integer divisorOverride)
        implements Layer {

    /** Validates the arguments. */
    public AvgPool2d {
        ArgumentChecks.requireAtLeast(1, "kernelSize", kernelSize.toArray());
        ArgumentChecks.requireAtLeast(1, "stride", stride.toArray());
        ArgumentChecks.requireAtLeast(0, "padding", padding.toArray());
        ArgumentChecks.requireMargin(padding.height(), kernelSize.height());
        ArgumentChecks.requireMargin(padding.width(), kernelSize.width());
        if (divisorOverride != null && divisorOverride == 0) {
            throw new IllegalArgumentException("divisor must be not zero");
        }
    }

    /** Create a layer with a square window whose stride is its kernel size. */
    public AvgPool2d(int kernelSize) {
        this(kernelSize, kernelSize, 0);
    }

    /** Create a layer with a square window. */
    public AvgPool2d(int kernelSize, int stride, int padding) {
        this(new Size2d(kernelSize), new Size2d(stride), new Size2d(padding), false, true, null);
    }

    /** Create a layer whose stride is its kernel size. */
    public AvgPool2d(Size2d kernelSize) {
        this(kernelSize, kernelSize, new Size2d(0), false, true, null);
    }

    /** Return the same layer with another step of the window. */
    public AvgPool2d stride(int step) {
        return stride(new Size2d(step));
    }

    /** As {@link #stride(int)}, for each dimension. */
    public AvgPool2d stride(Size2d step) {
        return new AvgPool2d(kernelSize, step, padding, ceilMode, countIncludePad, divisorOverride);
    }

    /** Return the same layer with another padding on both sides. */
    public AvgPool2d padding(int margin) {
        return padding(new Size2d(margin));
    }

    /** As {@link #padding(int)}, for each dimension. */
    public AvgPool2d padding(Size2d margin) {
        return new AvgPool2d(
                kernelSize, stride, margin, ceilMode, countIncludePad, divisorOverride);
    }

    /** Return the same layer, in which an incomplete last window counts, or not. */
    public AvgPool2d ceilMode(boolean counts) {
        return new AvgPool2d(kernelSize, stride, padding, counts, countIncludePad, divisorOverride);
    }

    /** Return the same layer, in which the padding counts in the mean, or not. */
    public AvgPool2d countIncludePad(boolean counts) {
        return new AvgPool2d(kernelSize, stride, padding, ceilMode, counts, divisorOverride);
    }

    /** Return the same layer with another divisor of the sums. */
    public AvgPool2d divisorOverride(int divisor) {
        return new AvgPool2d(kernelSize, stride, padding, ceilMode, countIncludePad, divisor);
    }

    @Override
    public Tensor forward(Tensor input) {
        return Ops.avgPool2d(
                input,
                kernelSize.toArray(),
                stride.toArray(),
                padding.toArray(),
                ceilMode,
                countIncludePad,
                divisorOverride);
    }

    @Override
    public String toString() {
        return "AvgPool2d(kernel_size=%s, stride=%s, padding=%s)"
                .formatted(
                        Repr.brief(kernelSize.toArray()),
                        Repr.brief(stride.toArray()),
                        Repr.brief(padding.toArray()));
    }
}
