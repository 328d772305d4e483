package org.gradwire.tensor.kernel;

import java.util.Locale;

/** Classes of floating-point numbers, tested elementwise. */
public enum FloatClassification {
    /** Neither infinite nor NaN. */
    FINITE,
    INFINITE,
    NAN;

    private final String kernel = name().toLowerCase(Locale.ROOT);

    /** {@return the name of a device's kernel for this function} */
    public String kernel() {
        return kernel;
    }
}
