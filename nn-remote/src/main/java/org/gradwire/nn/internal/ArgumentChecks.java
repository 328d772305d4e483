package org.gradwire.nn.internal;

import org.gradwire.tensor.Tensor;
import org.jspecify.annotations.Nullable;

import java.util.Arrays;
import java.util.List;

/** Validates the arguments of layers, with PyTorch's messages and Java's names. */
public final class ArgumentChecks {
    /** The maximum number of layers that a peer may request: far above any model's. */
    private static final int MAX_LAYERS = 4096;

    private ArgumentChecks() {}

    public static Tensor required(@Nullable Tensor parameter, String name, Object module) {
        if (parameter == null) {
            throw new IllegalStateException("%s has no %s".formatted(module, name));
        }
        return parameter;
    }

    /** Require a reduction that losses know. */
    public static void requireReduction(String reduction) {
        if (!List.of("none", "mean", "sum").contains(reduction)) {
            throw new IllegalArgumentException(
                    reduction + " is not a valid value for reduction; expected none, mean or sum");
        }
    }

    public static void requirePositive(int value, String name) {
        if (value < 1) {
            throw new IllegalArgumentException(
                    "%s should be at least 1, got %d".formatted(name, value));
        }
    }

    /** Require a positive number of layers, at most {@link #MAX_LAYERS}. */
    public static void requireLayers(int numLayers) {
        requirePositive(numLayers, "numLayers");
        if (numLayers > MAX_LAYERS) {
            throw new IllegalArgumentException(
                    "numLayers should be at most %d, got %d".formatted(MAX_LAYERS, numLayers));
        }
    }

    /** Require padding of at most half the window, so that no window is entirely in the padding. */
    public static void requireMargin(int padding, int kernelSize) {
        requireNotNegative(padding, "padding");
        if (padding > kernelSize / 2) {
            throw new IllegalArgumentException(
                    "pad should be at most half of kernel size, but got pad=%d and kernelSize=%d"
                            .formatted(padding, kernelSize));
        }
    }

    public static void requireNotNegative(int value, String name) {
        if (value < 0) {
            throw new IllegalArgumentException(
                    "%s should be at least 0, got %d".formatted(name, value));
        }
    }

    /** Require sizes of at least a minimum in each of several dimensions. */
    public static void requireAtLeast(int least, String name, int... sizes) {
        if (Arrays.stream(sizes).anyMatch(size -> size < least)) {
            throw new IllegalArgumentException(
                    "%s should be at least %d, got %s".formatted(name, least, Repr.tuple(sizes)));
        }
    }

    /** Require channels that are multiples of the number of groups. */
    public static void requireChannels(int inChannels, int outChannels, int groups) {
        requirePositive(inChannels, "inChannels");
        requirePositive(outChannels, "outChannels");
        requirePositive(groups, "groups");
        requireDivisible(inChannels, "inChannels", groups);
        requireDivisible(outChannels, "outChannels", groups);
    }

    private static void requireDivisible(int channels, String name, int groups) {
        if (channels % groups != 0) {
            throw new IllegalArgumentException(
                    "%s must be divisible by groups: %d and %d".formatted(name, channels, groups));
        }
    }

    public static void requireProbability(double p) {
        if (!(p >= 0 && p <= 1)) {
            throw new IllegalArgumentException(
                    "dropout probability has to be between 0 and 1, but got " + p);
        }
    }
}
