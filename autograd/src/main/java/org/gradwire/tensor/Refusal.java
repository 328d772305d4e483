package org.gradwire.tensor;

import org.jspecify.annotations.Nullable;

import java.util.List;

/**
 * An error sample: arguments that an operator refuses.
 *
 * @param error what it throws
 * @param text what the error says, or a part of that
 */
record Refusal(Class<? extends RuntimeException> error, String text, @Nullable Object[] args) {

    /** Gives arguments that an operator refuses. */
    @FunctionalInterface
    interface Samples {
        /** Return at least one; the operator changes none of the arguments. */
        List<Refusal> of(Sampler sampler);
    }

    /** {@return one for arguments that an operator cannot take} */
    static Refusal refusal(String text, @Nullable Object... args) {
        return new Refusal(IllegalArgumentException.class, text, args);
    }

    /** {@return one for a dimension or an index that is not there} */
    static Refusal outside(String text, @Nullable Object... args) {
        return new Refusal(IndexOutOfBoundsException.class, text, args);
    }

    /** {@return one for tensors that something has to be done with before} */
    static Refusal unready(String text, @Nullable Object... args) {
        return new Refusal(IllegalStateException.class, text, args);
    }
}
