package org.gradwire.tensor.kernel;

/** Kinds of numbers with fractions, tested for each element. */
public enum Magnitude {
    /** Neither infinite nor NaN. */
    FINITE,
    INFINITE,
    NAN
}
