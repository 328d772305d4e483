package org.gradwire.nn.activation;

import org.gradwire.nn.Layer;
import org.gradwire.nn.internal.Repr;
import org.gradwire.rpc.WireValue;
import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;

/**
 * The soft shrinkage function: x moved toward zero by {@code lambd}, and zero where {@code |x| <=
 * lambd}.
 *
 * @param lambd the threshold
 */
@WireValue
public record Softshrink(double lambd) implements Layer {

    /** Create a layer with PyTorch's defaults. */
    public Softshrink() {
        this(0.5);
    }

    @Override
    public Tensor forward(Tensor input) {
        return Ops.softshrink(input, lambd);
    }

    @Override
    public String toString() {
        return "Softshrink(" + Repr.of(lambd) + ")";
    }
}
