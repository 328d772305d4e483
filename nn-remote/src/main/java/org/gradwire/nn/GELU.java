package org.gradwire.nn;

import org.gradwire.rpc.WireValue;
import org.gradwire.tensor.Tensor;

/**
 * The Gaussian error linear unit.
 *
 * @param approximate {@code none}, or {@code tanh} for an approximation by that
 */
@WireValue
public record GELU(String approximate) implements Layer {

    /** Checks the text. */
    public GELU {
        if (!approximate.equals("none") && !approximate.equals("tanh")) {
            throw new IllegalArgumentException(
                    "approximate argument must be either none or tanh; it is '%s'"
                            .formatted(approximate));
        }
    }

    /** Create the exact one. */
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
