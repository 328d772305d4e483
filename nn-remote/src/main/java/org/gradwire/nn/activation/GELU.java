package org.gradwire.nn.activation;

import org.gradwire.nn.Layer;
import org.gradwire.rpc.WireValue;
import org.gradwire.tensor.Tensor;

/**
 * The Gaussian error linear unit.
 *
 * @param approximate {@code none}, or {@code tanh} for the tanh approximation
 */
@WireValue
public record GELU(String approximate) implements Layer {

    /** Validates the arguments. */
    public GELU {
        if (!approximate.equals("none") && !approximate.equals("tanh")) {
            throw new IllegalArgumentException(
                    "approximate argument must be either none or tanh; it is '%s'"
                            .formatted(approximate));
        }
    }

    /** Create a layer without approximation. */
    public GELU() {
        this("none");
    }

    @Override
    public Tensor forward(Tensor input) {
        return input.gelu(approximate);
    }

    @Override
    public String toString() {
        return "GELU(approximate='" + approximate + "')";
    }
}
