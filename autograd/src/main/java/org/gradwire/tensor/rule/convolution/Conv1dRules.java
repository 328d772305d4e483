package org.gradwire.tensor.rule.convolution;

import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.access.TensorAccess;
import org.gradwire.tensor.operator.Args;

import java.util.Arrays;

/** One-dimensional convolution rules: two-dimensional convolutions of height 1. */
public final class Conv1dRules {
    private Conv1dRules() {}

    public static void requireRows(String name, Tensor x) {
        if (TensorAccess.dims(x).length != 2 && TensorAccess.dims(x).length != 3) {
            throw new IllegalArgumentException(
                    "Expected 2D (unbatched) or 3D (batched) input to %s, but got input of size: %s"
                            .formatted(name, Arrays.toString(TensorAccess.dims(x))));
        }
    }

    private static void requireFilters(String name, Tensor weight) {
        if (TensorAccess.dims(weight).length != 3) {
            throw new IllegalArgumentException(
                    "%s: expected a weight of 3 dimensions, but got weight of size: %s"
                            .formatted(name, Arrays.toString(TensorAccess.dims(weight))));
        }
    }

    /** {@return the pair of a height and a one-dimensional width argument} */
    public static int[] pair(String name, int height, int[] width) {
        if (width.length != 1) {
            throw new IllegalArgumentException(
                    "expected %s to be a single integer value or a list of 1 values to match the convolution dimensions, but got %s=%s"
                            .formatted(name, name, Arrays.toString(width)));
        }
        return new int[] {height, width[0]};
    }

    public static Tensor conv1d(Args a) {
        requireRows("conv1d", a.tensor(0));
        requireFilters("conv1d", a.tensor(1));
        return Ops.conv2d(
                        a.tensor(0).unsqueeze(-2),
                        a.tensor(1).unsqueeze(2),
                        a.optionalTensor(2),
                        pair("stride", 1, a.integers(3)),
                        pair("padding", 0, a.integers(4)),
                        pair("dilation", 1, a.integers(5)),
                        a.integer(6))
                .squeeze(-2);
    }

    public static Tensor convTranspose1d(Args a) {
        requireRows("conv_transpose1d", a.tensor(0));
        requireFilters("conv_transpose1d", a.tensor(1));
        return Ops.convTranspose2d(
                        a.tensor(0).unsqueeze(-2),
                        a.tensor(1).unsqueeze(2),
                        a.optionalTensor(2),
                        pair("stride", 1, a.integers(3)),
                        pair("padding", 0, a.integers(4)),
                        pair("outputPadding", 0, a.integers(5)),
                        a.integer(6),
                        pair("dilation", 1, a.integers(7)))
                .squeeze(-2);
    }
}
