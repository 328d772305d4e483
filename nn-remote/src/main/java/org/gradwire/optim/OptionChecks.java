package org.gradwire.optim;

/** Validates single options, with PyTorch's messages and Java's names. */
final class OptionChecks {

    private OptionChecks() {}

    /** Require a non-negative value. */
    static void atLeastZero(String what, double value) {
        if (!(value >= 0)) {
            throw new IllegalArgumentException(
                    "Invalid %s: %s; it must be at least 0".formatted(what, value));
        }
    }

    /** Require a positive value. */
    static void positive(String what, double value) {
        if (!(value > 0)) {
            throw new IllegalArgumentException(
                    "Invalid %s: %s; it must be greater than 0".formatted(what, value));
        }
    }

    /** Require a value in a closed interval. */
    static void between(String what, double value, double low, double high) {
        if (!(low <= value && value <= high)) {
            throw new IllegalArgumentException(
                    "Invalid %s: %s; it must be at least %s and at most %s"
                            .formatted(what, value, low, high));
        }
    }

    /** Require betas in [0, 1). */
    static void betas(double... betas) {
        for (int i = 0; i < betas.length; i++) {
            if (!(betas[i] >= 0 && betas[i] < 1)) {
                throw new IllegalArgumentException(
                        "Invalid beta parameter at index %d: %s; it must be at least 0 and less than 1"
                                .formatted(i, betas[i]));
            }
        }
    }
}
