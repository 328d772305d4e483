package org.gradwire.tensor.kernel.element;

import java.util.Locale;

/** Functions of two numbers, applied to each pair of elements. */
public enum Binary {
    ADD,
    SUB,
    MUL,
    DIV,
    /** First, zero where the second is zero or less; NaN counts as neither. */
    RELU_GRADIENT,
    /** First times one minus the square of the second. */
    TANH_GRADIENT,
    /** First times the second times one minus the second. */
    SIGMOID_GRADIENT,
    /** The larger; NaN if either is NaN. */
    MAX,
    /** The smaller; NaN if either is NaN. */
    MIN,
    /** Derivative of {@link #MAX} by the first: 0 or 1, a half if both are equal. */
    MAX_SHARE,
    /** Derivative of {@link #MIN} by the first: 0 or 1, a half if both are equal. */
    MIN_SHARE,
    /** 1 where both are equal, else 0. */
    SAME,
    /** 1 where the first is at least the second, else 0. */
    AT_LEAST,
    /** First to the power of the second. */
    POW,
    /** {@code atan2}: angle of the point with ordinate first and abscissa second. */
    ATAN2,
    /** Remainder of a division, with the sign of the second. */
    REMAINDER,
    /** Remainder of a division, with the sign of the first. */
    FMOD,
    /** First where it is positive, else its product with the second. */
    LEAKY_RELU,
    /** Derivative of {@link #LEAKY_RELU} by the first. */
    LEAKY_SLOPE,
    /** First where it is positive, else its exponential minus one, times the second. */
    ELU,
    /** Derivative of {@link #ELU} by the first. */
    ELU_SLOPE,
    /** {@code log(1 + exp(first))}; the first itself where it exceeds the second. */
    SOFTPLUS,
    /** Derivative of {@link #SOFTPLUS} by the first. */
    SOFTPLUS_SLOPE;

    private final String kernel = name().toLowerCase(Locale.ROOT);

    /** {@return the name of a device's kernel for this function} */
    public String kernel() {
        return kernel;
    }
}
