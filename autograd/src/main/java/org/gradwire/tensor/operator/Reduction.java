package org.gradwire.tensor.operator;

import java.util.Locale;

/** Reduction of elementwise losses. */
public enum Reduction {
    NONE,
    MEAN,
    SUM;

    /** Return the reduction named {@code none}, {@code mean} or {@code sum}. */
    public static Reduction of(String name) {
        for (Reduction reduction : values()) {
            if (reduction.name().toLowerCase(Locale.ROOT).equals(name)) {
                return reduction;
            }
        }
        throw new IllegalArgumentException(
                name + " is not a valid value for reduction; expected none, mean or sum");
    }

    /** {@return the factor of the sum of the given number of losses} */
    public double scale(double count) {
        return this == MEAN ? 1 / count : 1;
    }
}
