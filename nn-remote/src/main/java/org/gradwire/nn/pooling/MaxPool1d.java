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

    /** Builds a layer. */
    public static final class Builder {
        private final int kernelSize;
        private int stride;
        private int padding;
        private int dilation = 1;
        private boolean ceilMode;

        private Builder(int kernelSize) {
            this.kernelSize = kernelSize;
            stride = kernelSize;
        }

        /** Set the step of the window; the kernel size by default. */
        public Builder stride(int step) {
            stride = step;
            return this;
        }

        /** Set the padding of negative infinity on both sides; 0 by default. */
        public Builder padding(int margin) {
            padding = margin;
            return this;
        }

        /** Set the distance between the elements of a window; 1 by default. */
        public Builder dilation(int step) {
            dilation = step;
            return this;
        }

        /** Set whether an incomplete last window counts; false by default. */
        public Builder ceilMode(boolean wanted) {
            ceilMode = wanted;
            return this;
        }

        /** {@return the layer} */
        public MaxPool1d build() {
            return new MaxPool1d(kernelSize, stride, padding, dilation, ceilMode);
        }
    }

    /** Create a layer whose stride is its kernel size. */
    public MaxPool1d(int kernelSize) {
        this(kernelSize, kernelSize, 0, 1, false);
    }

    /** Start a builder with the default options. */
    public static Builder builder(int kernelSize) {
        return new Builder(kernelSize);
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
