package org.gradwire.nn;

import org.gradwire.rpc.WireValue;
import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;
import org.jspecify.annotations.Nullable;

/**
 * The mean of each window of images {@code [n, c, h, w]} or {@code [c, h, w]}.
 *
 * @param kernelSize of a window
 * @param stride from one window to the next
 * @param padding margins of zeros; at most half of the window
 * @param ceilMode whether a last window that is not full counts
 * @param countIncludePad whether the margins count among the numbers of a window
 * @param divisorOverride by which sums are divided; null for the number of elements
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

    /** Checks the numbers. */
    public AvgPool2d {
        kernelSize.requireAtLeast(1, "kernel_size");
        stride.requireAtLeast(1, "stride");
        padding.requireAtLeast(0, "padding");
        Parameters.requireMargin(padding.height(), kernelSize.height());
        Parameters.requireMargin(padding.width(), kernelSize.width());
        if (divisorOverride != null && divisorOverride == 0) {
            throw new IllegalArgumentException("divisor must be not zero");
        }
    }

    /** Create one with square windows that do not overlap. */
    public AvgPool2d(int kernelSize) {
        this(kernelSize, kernelSize, 0);
    }

    /** Create one with square windows. */
    public AvgPool2d(int kernelSize, int stride, int padding) {
        this(new Size2d(kernelSize), new Size2d(stride), new Size2d(padding), false, true, null);
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
                .formatted(kernelSize.brief(), stride.brief(), padding.brief());
    }
}
