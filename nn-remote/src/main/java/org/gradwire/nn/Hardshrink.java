package org.gradwire.nn;

import org.gradwire.rpc.WireValue;
import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;

/**
 * x, or zero where it is at most {@code lambd} from zero.
 *
 * @param lambd the distance
 */
@WireValue
public record Hardshrink(double lambd) implements Layer {

    /** Create one with PyTorch's options. */
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
