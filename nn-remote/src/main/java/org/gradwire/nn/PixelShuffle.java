package org.gradwire.nn;

import org.gradwire.rpc.WireValue;
import org.gradwire.tensor.Tensor;

/**
 * Channels moved into space: {@code [n, c * r * r, h, w]} becomes {@code [n, c, h * r, w * r]}.
 *
 * @param upscaleFactor r
 */
@WireValue
public record PixelShuffle(int upscaleFactor) implements Layer {

    /** Checks the number. */
    public PixelShuffle {
        Parameters.requirePositive(upscaleFactor, "upscale_factor");
    }

    @Override
    public Tensor forward(Tensor input) {
        return input.pixelShuffle(upscaleFactor);
    }

    @Override
    public String toString() {
        return "PixelShuffle(upscale_factor=" + upscaleFactor + ")";
    }
}
