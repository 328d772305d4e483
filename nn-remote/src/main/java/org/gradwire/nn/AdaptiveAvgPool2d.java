package org.gradwire.nn;

import org.gradwire.rpc.WireValue;
import org.gradwire.tensor.Tensor;

/**
 * The means of so many windows that share each image {@code [n, c, h, w]} or {@code [c, h, w]}.
 *
 * @param outputSize how many windows
 */
@WireValue
public record AdaptiveAvgPool2d(Size2d outputSize) implements Layer {

    /** Checks the numbers. */
    public AdaptiveAvgPool2d {
        outputSize.requireAtLeast(0, "output_size");
    }

    /** Create one with as many windows in both dimensions. */
    public AdaptiveAvgPool2d(int outputSize) {
        this(new Size2d(outputSize));
    }

    @Override
    public Tensor forward(Tensor input) {
        Parameters.requireResult(input, outputSize.toArray());
        return input.adaptiveAvgPool2d(outputSize.toArray());
    }

    @Override
    public String toString() {
        return "AdaptiveAvgPool2d(output_size=%s)".formatted(outputSize.brief());
    }
}
