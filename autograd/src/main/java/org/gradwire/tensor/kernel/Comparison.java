package org.gradwire.tensor.kernel;

/** Comparison relations of pairs of elements. */
public enum Comparison {
    EQ,
    NE,
    LT,
    LE,
    GT,
    GE
}
