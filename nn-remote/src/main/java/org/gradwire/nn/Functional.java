package org.gradwire.nn;

import org.gradwire.nn.internal.AttentionScores;
import org.gradwire.tensor.DType;
import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;
import org.jspecify.annotations.Nullable;

import java.util.Arrays;
import java.util.List;

/**
 * Composite functions of {@code torch.nn.functional}. Simple functions and losses are operators:
 * see {@link Ops} and the methods of {@link Tensor}.
 */
public final class Functional {

    private Functional() {}

    /**
     * Compute scaled dot-product attention: {@code softmax(query · keyᵀ / sqrt(e) + mask) · value}.
     *
     * @param query shape (..., l, e)
     * @param key shape (..., s, e)
     * @param value shape (..., s, v)
     * @param mask broadcasts to (..., l, s); a bool mask selects keys, a floating-point mask is
     *     added; null for none
     * @return shape (..., l, v)
     */
    public static Tensor scaledDotProductAttention(
            Tensor query, Tensor key, Tensor value, @Nullable Tensor mask) {
        Tensor scores = AttentionScores.of(query, key);
        if (mask != null) {
            scores =
                    mask.dtype() == DType.BOOL
                            ? scores.maskedFill(mask.logicalNot(), Double.NEGATIVE_INFINITY)
                            : scores.add(mask);
        }
        return scores.softmax(-1).matmul(value);
    }

    /**
     * Divide vectors along a dimension by their p-norm, at least {@code eps}. PyTorch's defaults
     * are 2 and 1e-12.
     */
    public static Tensor normalize(Tensor input, double p, int dim, double eps) {
        return input.div(input.norm(p, new int[] {dim}, true).clampMin(eps).expandAs(input));
    }

    /**
     * Compute the cosine similarity of vectors along a dimension, which is removed. The minimum
     * length {@code eps} is 1e-8 by default in PyTorch.
     */
    public static Tensor cosineSimilarity(Tensor x1, Tensor x2, int dim, double eps) {
        int[] dims = {dim};
        Tensor norms =
                x1.norm(2, dims, false).clampMin(eps).mul(x2.norm(2, dims, false).clampMin(eps));
        DType dtype = norms.dtype(); // float32 under Autocast, since products of float16 overflow
        return x1.to(dtype).mul(x2.to(dtype)).sum(dim).div(norms);
    }

    /**
     * Return the one-hot encoding of classes.
     *
     * @param classes int64, of any shape
     * @param numClasses greater than the largest class
     * @return int64, shape (..., numClasses)
     * @throws IllegalArgumentException when a class is out of range
     */
    public static Tensor oneHot(Tensor classes, int numClasses) {
        for (long number : classes.toLongArray()) {
            if (number < 0 || number >= numClasses) {
                throw new IllegalArgumentException(
                        "a class must be at least 0 and less than numClasses, but is %d of %d"
                                .formatted(number, numClasses));
            }
        }
        int[] shape = Arrays.copyOf(classes.shape(), classes.dim() + 1);
        shape[classes.dim()] = numClasses;
        Tensor zeros = Tensor.zeros(DType.INT64, classes.device(), shape);
        return Ops.scatter(zeros, -1, classes.unsqueeze(-1), 1);
    }

    /**
     * Resize rows, images or volumes {@code [n, c, ...]}.
     *
     * @param size of the dimensions after the first two
     * @param mode {@code nearest}, {@code linear} for 1D inputs, {@code bilinear} for images or
     *     {@code trilinear} for volumes
     * @param alignCorners whether the corner elements of input and output align; not for {@code
     *     nearest}
     * @throws IllegalArgumentException when the mode does not fit the input
     */
    public static Tensor interpolate(Tensor input, int[] size, String mode, boolean alignCorners) {
        return new Interpolation(mode, alignCorners, List.of()).of(input, size);
    }
}
