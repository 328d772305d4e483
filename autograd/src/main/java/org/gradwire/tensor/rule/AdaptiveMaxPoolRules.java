package org.gradwire.tensor.rule;

import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.access.TensorAccess;
import org.gradwire.tensor.operator.Args;

import java.util.Arrays;
import java.util.stream.IntStream;

/** Adaptive max pooling rule, as maxima over slices, one dimension at a time. */
public final class AdaptiveMaxPoolRules {
    public static Tensor adaptiveMaxPool2d(Args a) {
        Tensor x = a.tensor(0);
        int[] given = a.integers(1);
        boolean image = TensorAccess.dims(x).length == 3 || TensorAccess.dims(x).length == 4;
        boolean positive = Arrays.stream(given).allMatch(n -> n > 0);
        if (!image || !positive || given.length < 1 || given.length > 2 || x.numel() == 0) {
            throw new IllegalArgumentException(
                    "adaptive_max_pool2d: expected an image of 3 or 4 dimensions and a positive output size, but got input of size %s and output size %s"
                            .formatted(
                                    Arrays.toString(TensorAccess.dims(x)), Arrays.toString(given)));
        }
        PoolingRules.checkFloating("adaptive_max_pool2d", x);
        Tensor columns = largestParts(x, TensorAccess.dims(x).length - 1, given[given.length - 1]);
        return largestParts(columns, TensorAccess.dims(x).length - 2, given[0]);
    }

    /** Return the maxima over adaptive windows of a dimension, which may overlap. */
    private static Tensor largestParts(Tensor x, int dim, int parts) {
        int size = TensorAccess.dims(x)[dim];
        return Ops.cat(
                IntStream.range(0, parts)
                        .mapToObj(i -> {
                            int start = (int) ((long) i * size / parts);
                            int end = (int) (((i + 1L) * size + parts - 1) / parts);
                            return Ops.max(x.narrow(dim, start, end - start), dim, true).get(0);
                        })
                        .toList(),
                dim);
    }

    private AdaptiveMaxPoolRules() {}
}
