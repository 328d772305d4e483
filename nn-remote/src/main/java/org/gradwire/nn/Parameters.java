package org.gradwire.nn;

import org.gradwire.nn.limit.ConstructionLimit;
import org.gradwire.tensor.DType;
import org.gradwire.tensor.Tensor;
import org.jspecify.annotations.Nullable;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.random.RandomGenerator;

/** What layers begin with. */
final class Parameters {
    /** More layers than any model has, and few enough to be made at a peer's word. */
    private static final int MOST_LAYERS = 4096;

    private static final long GOLDEN_GAMMA = 0x9E3779B97F4A7C15L;

    private Parameters() {}

    /**
     * Return memory for values that will be given: not zeros, with which a model that nobody gave
     * any would seem to work.
     */
    static Tensor unset(int... shape) {
        return filled(Float.NaN, shape);
    }

    /**
     * Return a tensor for a parameter or a buffer.
     *
     * @throws IllegalArgumentException when it has more elements than a tensor may have, or passes
     *     the limit of the message that it is made for
     */
    static Tensor filled(double value, int... shape) {
        ConstructionLimit.requireFree((long) requireElements(shape) * DType.FLOAT32.bytes());
        return Tensor.full((float) value, shape);
    }

    /** {@return the bytes of the elements of a tensor} */
    static long bytes(Tensor tensor) {
        return (long) tensor.numel() * tensor.dtype().bytes();
    }

    /**
     * Return the number of elements of a shape, before anything is allocated for it.
     *
     * @throws IllegalArgumentException when a tensor may not have so many
     */
    static int count(long... shape) {
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
     * Refuse a shape of more elements than a tensor may have.
     *
     * @return how many it has
     */
    static int requireElements(int... shape) {
        return count(Arrays.stream(shape).asLongStream().toArray());
    }

    /**
     * Refuse an input whose last dimensions, with other sizes, would make too large a result.
     *
     * @throws IllegalArgumentException when a tensor may not have so many elements
     */
    static void requireResult(Tensor input, int... size) {
        long[] shape = Arrays.stream(input.shape()).asLongStream().toArray();
        for (int d = 1; d <= Math.min(size.length, shape.length); d++) {
            shape[shape.length - d] = size[size.length - d];
        }
        var _ = count(shape);
    }

    /**
     * Return how many rows a matrix has that is several in one.
     *
     * @throws IllegalArgumentException when an int does not hold the number
     */
    static int rows(int matrices, int rows) {
        return count((long) matrices * rows);
    }

    /** {@return a seed for a layer whose user gave none} */
    static long anySeed() {
        return RandomGenerator.getDefault().nextLong();
    }

    static Tensor required(@Nullable Tensor parameter, String name, Module module) {
        if (parameter == null) {
            throw new IllegalStateException("%s has no %s".formatted(module, name));
        }
        return parameter;
    }

    /** Refuse what is no reduction of a loss. */
    static void requireReduction(String reduction) {
        if (!List.of("none", "mean", "sum").contains(reduction)) {
            throw new IllegalArgumentException(
                    reduction + " is not a valid value for reduction; expected none, mean or sum");
        }
    }

    static void requirePositive(int value, String name) {
        if (value < 1) {
            throw new IllegalArgumentException(
                    "%s should be at least 1, got %d".formatted(name, value));
        }
    }

    /** Refuse a number of layers that is not positive, or larger than any model's. */
    static void requireLayers(int numLayers) {
        requirePositive(numLayers, "num_layers");
        if (numLayers > MOST_LAYERS) {
            throw new IllegalArgumentException(
                    "num_layers should be at most %d, got %d".formatted(MOST_LAYERS, numLayers));
        }
    }

    /** Refuse margins of windows within which a window could see nothing but them. */
    static void requireMargin(int padding, int kernelSize) {
        requireNotNegative(padding, "padding");
        if (padding > kernelSize / 2) {
            throw new IllegalArgumentException(
                    "pad should be at most half of kernel size, but got pad=%d and kernel_size=%d"
                            .formatted(padding, kernelSize));
        }
    }

    static void requireNotNegative(int value, String name) {
        if (value < 0) {
            throw new IllegalArgumentException(
                    "%s should be at least 0, got %d".formatted(name, value));
        }
    }

    /** Refuse channels that cannot be divided into groups. */
    static void requireChannels(int inChannels, int outChannels, int groups) {
        requirePositive(inChannels, "in_channels");
        requirePositive(outChannels, "out_channels");
        requirePositive(groups, "groups");
        requireDivisible(inChannels, "in_channels", groups);
        requireDivisible(outChannels, "out_channels", groups);
    }

    private static void requireDivisible(int channels, String name, int groups) {
        if (channels % groups != 0) {
            throw new IllegalArgumentException(
                    "%s must be divisible by groups: %d and %d".formatted(name, channels, groups));
        }
    }

    static void requireProbability(double p) {
        if (!(p >= 0 && p <= 1)) {
            throw new IllegalArgumentException(
                    "dropout probability has to be between 0 and 1, but got " + p);
        }
    }

    /**
     * Generators that follow from a seed, one for each time that something is drawn: threads may
     * draw at the same time.
     */
    static final class Generators {
        private final AtomicLong next;

        Generators(long seed) {
            next = new AtomicLong(seed);
        }

        /** Set elements to zero by chance, if it is training. */
        Tensor dropout(Tensor input, double p, boolean training) {
            return training && p > 0
                    ? input.dropout(p, true, new SplittableRandom(next.getAndAdd(GOLDEN_GAMMA)))
                    : input;
        }
    }
}
