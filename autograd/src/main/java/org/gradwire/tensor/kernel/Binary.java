package org.gradwire.tensor.kernel;

/** Functions of two numbers, applied to each pair of elements. */
public enum Binary {
    ADD,
    SUB,
    MUL,
    DIV,
    /** First where the second is positive, else zero. */
    RELU_GRADIENT,
    /** First times one minus the square of the second. */
    TANH_GRADIENT,
    /** First times the second times one minus the second. */
    SIGMOID_GRADIENT
}
