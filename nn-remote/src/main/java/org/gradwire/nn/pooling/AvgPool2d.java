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

    /** Builds a layer. */
    public static final class Builder {
        private final Size2d kernelSize;
        private Size2d stride;
        private Size2d padding = new Size2d(0);
        private boolean ceilMode;
        private boolean countIncludePad = true;
        private @Nullable Integer divisorOverride;

        private Builder(Size2d kernelSize) {
            this.kernelSize = kernelSize;
            stride = kernelSize;
        }

        /** Set the step of the window; the kernel size by default. */
        public Builder stride(int step) {
            return stride(new Size2d(step));
        }

        /** As {@link #stride(int)}, for each dimension. */
        public Builder stride(Size2d steps) {
            stride = steps;
            return this;
        }

        /** Set the zero padding on both sides; 0 by default. */
        public Builder padding(int margin) {
            return padding(new Size2d(margin));
        }

        /** As {@link #padding(int)}, for each dimension. */
        public Builder padding(Size2d margins) {
            padding = margins;
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

        /** Set the divisor of the sums; the number of elements by default. */
        public Builder divisorOverride(int divisor) {
            divisorOverride = divisor;
            return this;
        }

        /** {@return the layer} */
        public AvgPool2d build() {
            return new AvgPool2d(
                    kernelSize, stride, padding, ceilMode, countIncludePad, divisorOverride);
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

    /** Start a builder with a square window and the default options. */
    public static Builder builder(int kernelSize) {
        return builder(new Size2d(kernelSize));
    }

    /** Start a builder with the default options. */
    public static Builder builder(Size2d kernelSize) {
        return new Builder(kernelSize);
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
