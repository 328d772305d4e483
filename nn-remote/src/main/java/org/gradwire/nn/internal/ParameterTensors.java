package org.gradwire.nn.internal;

import org.gradwire.autograd.GradMode;
import org.gradwire.tensor.DType;
import org.gradwire.tensor.Tensor;
import org.jspecify.annotations.Nullable;

import java.util.Arrays;
import java.util.random.RandomGenerator;

/**
 * Allocates and initializes parameters and buffers within the limits of tensors and of {@link
 * ConstructionLimit}.
 */
public final class ParameterTensors {

    private ParameterTensors() {}

    /**
     * Return a tensor of NaN for a parameter whose values will be loaded. NaN, unlike zero, makes
     * missing values visible.
     */
    public static Tensor unset(int... shape) {
        return filled(Float.NaN, shape);
    }

    /**
     * Return a filled tensor for a parameter or a buffer.
     *
     * @throws IllegalArgumentException when it has more elements than a tensor may have, or exceeds
     *     the {@link ConstructionLimit}
     */
    public static Tensor filled(double value, int... shape) {
        ConstructionLimit.requireFree((long) requireElements(shape) * DType.FLOAT32.bytes());
        return Tensor.full((float) value, shape);
    }

    /**
     * Fill a layer's weight and bias with PyTorch's defaults: uniform within plus and minus {@code
     * 1 / sqrt(fanIn)}.
     *
     * @param weight of two dimensions or more; all but the first count for the fan-in
     */
    public static void initialize(Tensor weight, @Nullable Tensor bias, RandomGenerator random) {
        int fanIn = weight.numel() / Math.max(weight.size(0), 1);
        double bound = 1 / Math.sqrt(fanIn);
        GradMode.noGrad(() -> weight.uniform_(random, -bound, bound));
        if (bias != null) {
            GradMode.noGrad(() -> bias.uniform_(random, -bound, bound));
        }
    }

    /** {@return the size of a tensor's elements in bytes} */
    public static long bytes(Tensor tensor) {
        return (long) tensor.numel() * tensor.dtype().bytes();
    }

    /**
     * Return the number of elements of a shape, without allocating.
     *
     * @throws IllegalArgumentException when a tensor may not have as many
     */
    public static int count(long... shape) {
        long count = 1;
        for (long size : shape) {
            if (size > Integer.MAX_VALUE || count * size > Integer.MAX_VALUE) {
                throw new IllegalArgumentException(
                        "a tensor of shape %s has more than %d elements, the most that one may have"
                                .formatted(Arrays.toString(shape), Integer.MAX_VALUE));
            }
            count *= size;
        }
        return (int) count;
    }

    /**
     * Require a shape with no more elements than a tensor may have.
     *
     * @return the number of elements
     */
    public static int requireElements(int... shape) {
        return count(Arrays.stream(shape).asLongStream().toArray());
    }

    /**
     * Require that a result is within a tensor's limit, whose last dimensions have the given sizes
     * and whose others are the input's.
     *
     * @throws IllegalArgumentException when a tensor may not have as many elements
     */
    public static void requireResult(Tensor input, int... size) {
        long[] shape = Arrays.stream(input.shape()).asLongStream().toArray();
        for (int d = 1; d <= Math.min(size.length, shape.length); d++) {
            shape[shape.length - d] = size[size.length - d];
        }
        var _ = count(shape);
    }

    /**
     * Return the number of rows of several matrices stacked into one.
     *
     * @throws IllegalArgumentException when it exceeds the range of an int
     */
    public static int rows(int matrices, int rows) {
        return count((long) matrices * rows);
    }
}
