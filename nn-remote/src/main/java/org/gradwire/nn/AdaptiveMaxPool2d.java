package org.gradwire.nn;

import org.gradwire.rpc.WireValue;
import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;

/**
 * The largest elements of a number of parts of images {@code [n, c, h, w]} or {@code [c, h, w]}.
 *
 * @param outputSize the numbers of parts
 */
@WireValue
public record AdaptiveMaxPool2d(Size2d outputSize) implements Layer {

    /** Checks the numbers. */
    public AdaptiveMaxPool2d {
        outputSize.requireAtLeast(0, "output_size");
    }

    /** Create one with as many rows of parts as columns. */
    public AdaptiveMaxPool2d(int outputSize) {
        this(new Size2d(outputSize));
    }

    @Override
    public Tensor forward(Tensor input) {
        Parameters.requireResult(input, outputSize.toArray());
        return Ops.adaptiveMaxPool2d(input, outputSize.toArray());
    }

    @Override
    public String toString() {
        return "AdaptiveMaxPool2d(output_size=%s)".formatted(outputSize.brief());
    }
}
