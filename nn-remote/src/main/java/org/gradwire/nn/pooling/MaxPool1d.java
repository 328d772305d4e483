package org.gradwire.nn.pooling;

import org.gradwire.nn.Layer;
import org.gradwire.nn.internal.ArgumentChecks;
import org.gradwire.nn.internal.Repr;
import org.gradwire.rpc.WireValue;
import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;

/**
 * 1D max pooling of {@code [n, c, l]} or {@code [c, l]}.
 *
 * @param kernelSize the size of the window
 * @param stride the step of the window
 * @param padding padding of negative infinity on both sides, at most half of the window
 * @param dilation the distance between the elements of a window
 * @param ceilMode whether an incomplete last window counts
 */
@WireValue
public record MaxPool1d(int kernelSize, int stride, int padding, int dilation, boolean ceilMode)
        implements Layer {

    /** Validates the options. */
    public MaxPool1d {
        ArgumentChecks.requirePositive(kernelSize, "kernelSize");
        ArgumentChecks.requirePositive(stride, "stride");
        ArgumentChecks.requireMargin(padding, kernelSize);
        ArgumentChecks.requirePositive(dilation, "dilation");
    }

    /** Create a layer whose stride is its kernel size. */
    public MaxPool1d(int kernelSize) {
        this(kernelSize, kernelSize, 0, 1, false);
    }

    /** Return the same layer with another step of the window. */
    public MaxPool1d stride(int step) {
        return new MaxPool1d(kernelSize, step, padding, dilation, ceilMode);
    }

    /** Return the same layer with another padding on both sides. */
    public MaxPool1d padding(int margin) {
        return new MaxPool1d(kernelSize, stride, margin, dilation, ceilMode);
    }

    /** Return the same layer with another distance between the elements of a window. */
    public MaxPool1d dilation(int distance) {
        return new MaxPool1d(kernelSize, stride, padding, distance, ceilMode);
    }

    /** Return the same layer, in which an incomplete last window counts, or not. */
    public MaxPool1d ceilMode(boolean counts) {
        return new MaxPool1d(kernelSize, stride, padding, dilation, counts);
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
