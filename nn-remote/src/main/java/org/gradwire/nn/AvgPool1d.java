package org.gradwire.nn;

import org.gradwire.rpc.WireValue;
import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;

/**
 * The mean of each window of rows {@code [n, c, l]} or {@code [c, l]}.
 *
 * @param kernelSize of a window
 * @param stride from one window to the next
 * @param padding margins of zeros; at most half of the window
 * @param ceilMode whether a last window that is not full counts
 * @param countIncludePad whether the margins count among the numbers of a window
 */
@WireValue
public record AvgPool1d(
        int kernelSize, int stride, int padding, boolean ceilMode, boolean countIncludePad)
        implements Layer {

    /** Checks the options. */
    public AvgPool1d {
        Parameters.requirePositive(kernelSize, "kernel_size");
        Parameters.requirePositive(stride, "stride");
        Parameters.requireMargin(padding, kernelSize);
    }

    /** Create one with windows that do not overlap. */
    public AvgPool1d(int kernelSize) {
        this(kernelSize, kernelSize, 0, false, true);
    }

    @Override
    public Tensor forward(Tensor input) {
        return Ops.avgPool1d(
                input,
                new int[] {kernelSize},
                new int[] {stride},
                new int[] {padding},
                ceilMode,
                countIncludePad);
    }

    @Override
    public String toString() {
        return "AvgPool1d(kernel_size=(%d,), stride=(%d,), padding=(%d,))"
                .formatted(kernelSize, stride, padding);
    }
}
