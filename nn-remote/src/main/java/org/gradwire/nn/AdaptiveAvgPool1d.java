package org.gradwire.nn;

import org.gradwire.rpc.WireValue;
import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;

/**
 * The means of a number of parts of rows {@code [n, c, l]} or {@code [c, l]}.
 *
 * @param outputSize the number of parts
 */
@WireValue
public record AdaptiveAvgPool1d(int outputSize) implements Layer {

    /** Checks the options. */
    public AdaptiveAvgPool1d {
        Parameters.requireNotNegative(outputSize, "output_size");
    }

    @Override
    public Tensor forward(Tensor input) {
        Parameters.requireResult(input, outputSize);
        return Ops.adaptiveAvgPool1d(input, new int[] {outputSize});
    }

    @Override
    public String toString() {
        return "AdaptiveAvgPool1d(output_size=" + outputSize + ")";
    }
}
