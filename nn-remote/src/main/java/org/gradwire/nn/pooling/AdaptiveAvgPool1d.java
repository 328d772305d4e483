package org.gradwire.nn.pooling;

import org.gradwire.nn.Layer;
import org.gradwire.nn.internal.ArgumentChecks;
import org.gradwire.nn.internal.ParameterTensors;
import org.gradwire.rpc.WireValue;
import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;

/**
 * 1D adaptive average pooling of {@code [n, c, l]} or {@code [c, l]}.
 *
 * @param outputSize the length of the output
 */
@WireValue
public record AdaptiveAvgPool1d(int outputSize) implements Layer {

    /** Validates the options. */
    public AdaptiveAvgPool1d {
        ArgumentChecks.requireNotNegative(outputSize, "outputSize");
    }

    @Override
    public Tensor forward(Tensor input) {
        ParameterTensors.requireResult(input, outputSize);
        return Ops.adaptiveAvgPool1d(input, new int[] {outputSize});
    }

    @Override
    public String toString() {
        return "AdaptiveAvgPool1d(output_size=" + outputSize + ")";
    }
}
