package org.gradwire.tensor.kernel;

/** Classes of floating-point numbers, tested elementwise. */
public enum FloatClassification {
    /** Neither infinite nor NaN. */
    FINITE,
    INFINITE,
    NAN
}
