package org.gradwire.tensor.kernel;

/** Relations of two numbers, tested for each pair of elements. */
public enum Comparison {
    EQ,
    NE,
    LT,
    LE,
    GT,
    GE
}
