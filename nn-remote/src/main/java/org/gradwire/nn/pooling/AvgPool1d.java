package org.gradwire.nn.pooling;

import org.gradwire.nn.Layer;
import org.gradwire.nn.internal.ArgumentChecks;
import org.gradwire.rpc.WireValue;
import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;

/**
 * 1D average pooling of {@code [n, c, l]} or {@code [c, l]}.
 *
 * @param kernelSize the size of the window
 * @param stride the step of the window
 * @param padding zero padding on both sides, at most half of the window
 * @param ceilMode whether an incomplete last window counts
 * @param countIncludePad whether the padding counts in the mean
 */
@WireValue
public record AvgPool1d(
        int kernelSize, int stride, int padding, boolean ceilMode, boolean countIncludePad)
        implements Layer {

    /** Validates the options. */
    public AvgPool1d {
        ArgumentChecks.requirePositive(kernelSize, "kernelSize");
        ArgumentChecks.requirePositive(stride, "stride");
        ArgumentChecks.requireMargin(padding, kernelSize);
    }

    /** Create a layer whose stride is its kernel size. */
    public AvgPool1d(int kernelSize) {
        this(kernelSize, kernelSize, 0, false, true);
    }

    /** Return the same layer with another step of the window. */
    public AvgPool1d stride(int step) {
        return new AvgPool1d(kernelSize, step, padding, ceilMode, countIncludePad);
    }

    /** Return the same layer with another padding on both sides. */
    public AvgPool1d padding(int margin) {
        return new AvgPool1d(kernelSize, stride, margin, ceilMode, countIncludePad);
    }

    /** Return the same layer, in which an incomplete last window counts, or not. */
    public AvgPool1d ceilMode(boolean counts) {
        return new AvgPool1d(kernelSize, stride, padding, counts, countIncludePad);
    }

    /** Return the same layer, in which the padding counts in the mean, or not. */
    public AvgPool1d countIncludePad(boolean counts) {
        return new AvgPool1d(kernelSize, stride, padding, ceilMode, counts);
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
