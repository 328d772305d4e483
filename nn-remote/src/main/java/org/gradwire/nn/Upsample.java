package org.gradwire.nn;

import org.gradwire.nn.internal.Repr;
import org.gradwire.rpc.WireValue;
import org.gradwire.tensor.Tensor;

import java.util.List;

/**
 * Resizes 1D, 2D or 3D inputs by interpolation; see {@link Functional#interpolate}.
 *
 * @param scaleFactor the multiplier of each dimension
 * @param mode {@code nearest}, {@code linear} for 1D inputs, {@code bilinear} for images or {@code
 *     trilinear} for volumes
 * @param alignCorners whether the corner elements of input and output align; not for {@code
 *     nearest}
 */
@WireValue
public record Upsample(double scaleFactor, String mode, boolean alignCorners) implements Layer {

    /** Validates the options. */
    public Upsample {
        if (!(scaleFactor > 0)) {
            throw new IllegalArgumentException(
                    "scaleFactor should be greater than 0, got " + scaleFactor);
        }
        Interpolation.requireMode(mode, alignCorners);
    }

    /** Create a layer with nearest-neighbour interpolation. */
    public Upsample(double scaleFactor) {
        this(scaleFactor, "nearest", false);
    }

    @Override
    public Tensor forward(Tensor input) {
        int[] size = new int[Math.max(input.dim() - 2, 0)];
        for (int d = 0; d < size.length; d++) {
            size[d] = (int) Math.floor(input.size(d + 2) * scaleFactor);
        }
        return new Interpolation(mode, alignCorners, List.of(scaleFactor)).of(input, size);
    }

    @Override
    public String toString() {
        return "Upsample(scale_factor=%s, mode=%s)".formatted(Repr.of(scaleFactor), mode);
    }
}
