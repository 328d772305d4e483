package org.gradwire.nn.pooling;

import org.gradwire.nn.Layer;
import org.gradwire.nn.Size2d;
import org.gradwire.nn.internal.ArgumentChecks;
import org.gradwire.nn.internal.Repr;
import org.gradwire.rpc.WireValue;
import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;

/**
 * 2D max pooling of {@code [n, c, h, w]} or {@code [c, h, w]}.
 *
 * @param kernelSize the size of the window
 * @param stride the step of the window
 * @param padding padding of negative infinity on both sides, at most half of the window
 * @param dilation the distance between the elements of a window
 * @param ceilMode whether an incomplete last window counts
 */
@WireValue
public record MaxPool2d(
        Size2d kernelSize, Size2d stride, Size2d padding, Size2d dilation, boolean ceilMode)
        implements Layer {

    /** Validates the arguments. */
    public MaxPool2d {
        ArgumentChecks.requireAtLeast(1, "kernelSize", kernelSize.toArray());
        ArgumentChecks.requireAtLeast(1, "stride", stride.toArray());
        ArgumentChecks.requireAtLeast(0, "padding", padding.toArray());
        ArgumentChecks.requireMargin(padding.height(), kernelSize.height());
        ArgumentChecks.requireMargin(padding.width(), kernelSize.width());
        ArgumentChecks.requireAtLeast(1, "dilation", dilation.toArray());
    }

    /** Builds a layer. */
    public static final class Builder {
        private final Size2d kernelSize;
        private Size2d stride;
        private Size2d padding = new Size2d(0);
        private Size2d dilation = new Size2d(1);
        private boolean ceilMode;

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

        /** Set the padding of negative infinity on both sides; 0 by default. */
        public Builder padding(int margin) {
            return padding(new Size2d(margin));
        }

        /** As {@link #padding(int)}, for each dimension. */
        public Builder padding(Size2d margins) {
            padding = margins;
            return this;
        }

        /** Set the distance between the elements of a window; 1 by default. */
        public Builder dilation(int step) {
            return dilation(new Size2d(step));
        }

        /** As {@link #dilation(int)}, for each dimension. */
        public Builder dilation(Size2d steps) {
            dilation = steps;
            return this;
        }

        /** Set whether an incomplete last window counts; false by default. */
        public Builder ceilMode(boolean wanted) {
            ceilMode = wanted;
            return this;
        }

        /** {@return the layer} */
        public MaxPool2d build() {
            return new MaxPool2d(kernelSize, stride, padding, dilation, ceilMode);
        }
    }

    /** Create a layer with a square window whose stride is its kernel size. */
    public MaxPool2d(int kernelSize) {
        this(kernelSize, kernelSize, 0);
    }

    /** Create a layer with a square window. */
    public MaxPool2d(int kernelSize, int stride, int padding) {
        this(new Size2d(kernelSize), new Size2d(stride), new Size2d(padding), new Size2d(1), false);
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
                        Repr.brief(kernelSize.toArray()),
                        Repr.brief(stride.toArray()),
                        Repr.brief(padding.toArray()),
                        Repr.brief(dilation.toArray()),
                        Repr.of(ceilMode));
    }
}
