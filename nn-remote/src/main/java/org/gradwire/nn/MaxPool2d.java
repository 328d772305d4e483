package org.gradwire.nn;

import org.gradwire.rpc.WireValue;
import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;

/**
 * The largest number of each window of images {@code [n, c, h, w]} or {@code [c, h, w]}.
 *
 * @param kernelSize of a window
 * @param stride from one window to the next
 * @param padding margins, which count as less than any number; at most half of the window
 * @param dilation from one element of a window to the next
 * @param ceilMode whether a last window that is not full counts
 */
@WireValue
public record MaxPool2d(
        Size2d kernelSize, Size2d stride, Size2d padding, Size2d dilation, boolean ceilMode)
        implements Layer {

    /** Checks the numbers. */
    public MaxPool2d {
        kernelSize.requireAtLeast(1, "kernel_size");
        stride.requireAtLeast(1, "stride");
        padding.requireAtLeast(0, "padding");
        Parameters.requireMargin(padding.height(), kernelSize.height());
        Parameters.requireMargin(padding.width(), kernelSize.width());
        dilation.requireAtLeast(1, "dilation");
    }

    /** Create one with square windows that do not overlap. */
    public MaxPool2d(int kernelSize) {
        this(kernelSize, kernelSize, 0);
    }

    /** Create one with square windows. */
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
