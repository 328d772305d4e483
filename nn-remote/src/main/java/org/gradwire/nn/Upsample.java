package org.gradwire.nn;

import org.gradwire.rpc.WireValue;
import org.gradwire.tensor.Tensor;

import java.util.List;

/**
 * Rows, images or volumes made larger or smaller; see {@link Functional#interpolate}.
 *
 * @param scaleFactor by which each dimension is multiplied
 * @param mode {@code nearest}, {@code linear} for rows, {@code bilinear} for images or {@code
 *     trilinear} for volumes
 * @param alignCorners whether the outer elements stay where they are; not for {@code nearest}
 */
@WireValue
public record Upsample(double scaleFactor, String mode, boolean alignCorners) implements Layer {

    /** Checks the options. */
    public Upsample {
        if (!(scaleFactor > 0)) {
            throw new IllegalArgumentException(
                    "scale_factor should be greater than 0, got " + scaleFactor);
        }
        Interpolation.requireMode(mode, alignCorners);
    }

    /** Create one that repeats elements. */
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
