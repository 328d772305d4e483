package org.gradwire.optim;

/** Checks of single options, in PyTorch's words. */
final class OptionChecks {

    private OptionChecks() {}

    /** Refuse a value that is negative or NaN. */
    static void atLeastZero(String what, double value) {
        if (!(value >= 0)) {
            throw new IllegalArgumentException(
                    "Invalid %s: %s; it must be at least 0".formatted(what, value));
        }
    }

    /** Refuse a value that is not above 0. */
    static void positive(String what, double value) {
        if (!(value > 0)) {
            throw new IllegalArgumentException(
                    "Invalid %s: %s; it must be greater than 0".formatted(what, value));
        }
    }

    /** Refuse a value outside of an interval that includes its ends. */
    static void between(String what, double value, double low, double high) {
        if (!(low <= value && value <= high)) {
            throw new IllegalArgumentException(
                    "Invalid %s: %s; it must be at least %s and at most %s"
                            .formatted(what, value, low, high));
        }
    }

    /** Refuse betas outside of [0, 1). */
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
