package org.gradwire.nn;

import org.gradwire.nn.internal.ArgumentChecks;
import org.gradwire.rpc.WireValue;
import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;

/**
 * Rearranges spatial dimensions into channels: the inverse of {@link PixelShuffle}.
 *
 * @param downscaleFactor r
 */
@WireValue
public record PixelUnshuffle(int downscaleFactor) implements Layer {

    /** Validates the arguments. */
    public PixelUnshuffle {
        ArgumentChecks.requirePositive(downscaleFactor, "downscaleFactor");
    }

    @Override
    public Tensor forward(Tensor input) {
        return Ops.pixelUnshuffle(input, downscaleFactor);
    }

    @Override
    public String toString() {
        return "PixelUnshuffle(downscale_factor=" + downscaleFactor + ")";
    }
}
