package org.gradwire.nn;

import org.gradwire.nn.internal.ArgumentChecks;
import org.gradwire.rpc.WireValue;
import org.gradwire.tensor.Tensor;

/**
 * Rearranges channels into spatial dimensions: {@code [n, c * r * r, h, w]} becomes {@code [n, c, h
 * * r, w * r]}.
 *
 * @param upscaleFactor r
 */
@WireValue
public record PixelShuffle(int upscaleFactor) implements Layer {

    /** Validates the arguments. */
    public PixelShuffle {
        ArgumentChecks.requirePositive(upscaleFactor, "upscaleFactor");
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
