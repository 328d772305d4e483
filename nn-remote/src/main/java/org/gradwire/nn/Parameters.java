package org.gradwire.nn;

import org.gradwire.tensor.Tensor;
import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.random.RandomGenerator;

/** What layers begin with. */
final class Parameters {
    private static final long GOLDEN_GAMMA = 0x9E3779B97F4A7C15L;

    private Parameters() {}

    /**
     * Return memory for values that will be given: not zeros, with which a model that nobody gave
     * any would seem to work.
     */
    static Tensor unset(int... shape) {
        return Tensor.full(Float.NaN, shape);
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
