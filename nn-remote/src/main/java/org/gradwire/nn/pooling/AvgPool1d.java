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

    /** Builds a layer. */
    public static final class Builder {
        private final int kernelSize;
        private int stride;
        private int padding;
        private boolean ceilMode;
        private boolean countIncludePad = true;

        private Builder(int kernelSize) {
            this.kernelSize = kernelSize;
            stride = kernelSize;
        }

        /** Set the step of the window; the kernel size by default. */
        public Builder stride(int step) {
            stride = step;
            return this;
        }

        /** Set the zero padding on both sides; 0 by default. */
        public Builder padding(int margin) {
            padding = margin;
            return this;
        }

        /** Set whether an incomplete last window counts; false by default. */
        public Builder ceilMode(boolean wanted) {
            ceilMode = wanted;
            return this;
        }

        /** Set whether the padding counts in the mean; true by default. */
        public Builder countIncludePad(boolean wanted) {
            countIncludePad = wanted;
            return this;
        }

        /** {@return the layer} */
        public AvgPool1d build() {
            return new AvgPool1d(kernelSize, stride, padding, ceilMode, countIncludePad);
        }
    }

    /** Create a layer whose stride is its kernel size. */
    public AvgPool1d(int kernelSize) {
        this(kernelSize, kernelSize, 0, false, true);
    }

    /** Start a builder with the default options. */
    public static Builder builder(int kernelSize) {
        return new Builder(kernelSize);
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
