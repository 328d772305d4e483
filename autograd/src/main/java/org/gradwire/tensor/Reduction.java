package org.gradwire.tensor;

import java.util.Locale;

/** What a loss does with the losses of its single elements. */
enum Reduction {
    NONE,
    MEAN,
    SUM;

    /** Return the one that is called {@code none}, {@code mean} or {@code sum}. */
    static Reduction of(String name) {
        for (Reduction reduction : values()) {
            if (reduction.name().toLowerCase(Locale.ROOT).equals(name)) {
                return reduction;
            }
        }
        throw new IllegalArgumentException(
                name + " is not a valid value for reduction; expected none, mean or sum");
    }

    /** {@return what the sum of so many losses is multiplied by} */
    double scale(double count) {
        return this == MEAN ? 1 / count : 1;
    }
}
