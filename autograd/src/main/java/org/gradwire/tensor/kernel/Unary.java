package org.gradwire.tensor.kernel;

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
    SIGMOID
}
