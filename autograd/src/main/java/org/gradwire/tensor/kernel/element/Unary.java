package org.gradwire.tensor.kernel.element;

import java.util.Locale;

/** Functions of one number, applied to each element. */
public enum Unary {
    NEG,
    EXP,
    LOG,
    COS,
    SIN,
    SQRT,
    RELU,
    TANH,
    SIGMOID,
    ABS,
    /** -1, 0 or 1; 0 for NaN. */
    SIGN,
    SQUARE,
    RECIPROCAL,
    RSQRT,
    LOG1P,
    EXPM1,
    LOG2,
    LOG10,
    TAN,
    ASIN,
    ACOS,
    ATAN,
    SINH,
    COSH,
    ERF,
    /** 1 minus the error function, without cancellation. */
    ERFC,
    FLOOR,
    CEIL,
    /** Half goes to the even neighbour. */
    ROUND,
    TRUNC,
    /** {@code x * P(X <= x)} with X normally distributed. */
    GELU,
    /** Derivative of {@link #GELU}. */
    GELU_SLOPE,
    /** {@link #GELU} with the probability approximated by a hyperbolic tangent. */
    GELU_TANH,
    /** Derivative of {@link #GELU_TANH}. */
    GELU_TANH_SLOPE,
    /** The number times its {@link #SIGMOID}. */
    SILU,
    /** Derivative of {@link #SILU}. */
    SILU_SLOPE;

    private final String kernel = name().toLowerCase(Locale.ROOT);

    /** {@return the name of a device's kernel for this function} */
    public String kernel() {
        return kernel;
    }
}
