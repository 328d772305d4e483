package org.gradwire.tensor.kernel;

import java.util.Locale;

/** Comparison relations of pairs of elements. */
public enum Comparison {
    EQ,
    NE,
    LT,
    LE,
    GT,
    GE;

    private final String kernel = name().toLowerCase(Locale.ROOT);

    /** {@return the name of a device's kernel for this function} */
    public String kernel() {
        return kernel;
    }
}
