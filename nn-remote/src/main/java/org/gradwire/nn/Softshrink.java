package org.gradwire.nn;

import org.gradwire.rpc.WireValue;
import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;

/**
 * x moved by {@code lambd} toward zero, and zero where it is nearer than that.
 *
 * @param lambd the distance
 */
@WireValue
public record Softshrink(double lambd) implements Layer {

    /** Create one with PyTorch's options. */
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
