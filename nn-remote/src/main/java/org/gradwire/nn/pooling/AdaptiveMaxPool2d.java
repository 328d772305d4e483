package org.gradwire.nn.pooling;

import org.gradwire.nn.Layer;
import org.gradwire.nn.Size2d;
import org.gradwire.nn.internal.ArgumentChecks;
import org.gradwire.nn.internal.ParameterTensors;
import org.gradwire.nn.internal.Repr;
import org.gradwire.rpc.WireValue;
import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;

/**
 * 2D adaptive max pooling of {@code [n, c, h, w]} or {@code [c, h, w]}.
 *
 * @param outputSize the size of the output
 */
@WireValue
public record AdaptiveMaxPool2d(Size2d outputSize) implements Layer {

    /** Validates the arguments. */
    public AdaptiveMaxPool2d {
        ArgumentChecks.requireAtLeast(0, "outputSize", outputSize.toArray());
    }

    /** Create a layer with a square output. */
    public AdaptiveMaxPool2d(int outputSize) {
        this(new Size2d(outputSize));
    }

    @Override
    public Tensor forward(Tensor input) {
        ParameterTensors.requireResult(input, outputSize.toArray());
        return Ops.adaptiveMaxPool2d(input, outputSize.toArray());
    }

    @Override
    public String toString() {
        return "AdaptiveMaxPool2d(output_size=%s)".formatted(Repr.brief(outputSize.toArray()));
    }
}
