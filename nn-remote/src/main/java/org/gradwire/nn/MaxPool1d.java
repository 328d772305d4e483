package org.gradwire.nn;

import org.gradwire.rpc.WireValue;
import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;

/**
 * The largest element of each window of rows {@code [n, c, l]} or {@code [c, l]}.
 *
 * @param kernelSize of a window
 * @param stride from one window to the next
 * @param padding margins, which are never the largest; at most half of the window
 * @param dilation from one element of a window to the next
 * @param ceilMode whether a last window that is not full counts
 */
@WireValue
public record MaxPool1d(int kernelSize, int stride, int padding, int dilation, boolean ceilMode)
        implements Layer {

    /** Checks the options. */
    public MaxPool1d {
        Parameters.requirePositive(kernelSize, "kernel_size");
        Parameters.requirePositive(stride, "stride");
        Parameters.requireMargin(padding, kernelSize);
        Parameters.requirePositive(dilation, "dilation");
    }

    /** Create one with windows that do not overlap. */
    public MaxPool1d(int kernelSize) {
        this(kernelSize, kernelSize, 0, 1, false);
    }

    @Override
    public Tensor forward(Tensor input) {
        return Ops.maxPool1d(
                input,
                new int[] {kernelSize},
                new int[] {stride},
                new int[] {padding},
                new int[] {dilation},
                ceilMode);
    }

    @Override
    public String toString() {
        return "MaxPool1d(kernel_size=%d, stride=%d, padding=%d, dilation=%d, ceil_mode=%s)"
                .formatted(kernelSize, stride, padding, dilation, Repr.of(ceilMode));
    }
}
