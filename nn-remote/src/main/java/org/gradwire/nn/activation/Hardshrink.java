package org.gradwire.nn.activation;

import org.gradwire.nn.Layer;
import org.gradwire.nn.internal.Repr;
import org.gradwire.rpc.WireValue;
import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;

/**
 * The hard shrinkage function: x, or zero where {@code |x| <= lambd}.
 *
 * @param lambd the threshold
 */
@WireValue
public record Hardshrink(double lambd) implements Layer {

    /** Create a layer with PyTorch's defaults. */
    public Hardshrink() {
        this(0.5);
    }

    @Override
    public Tensor forward(Tensor input) {
        return Ops.hardshrink(input, lambd);
    }

    @Override
    public String toString() {
        return "Hardshrink(" + Repr.of(lambd) + ")";
    }
}
