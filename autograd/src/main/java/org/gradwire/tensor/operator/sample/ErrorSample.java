package org.gradwire.tensor.operator.sample;

import org.jspecify.annotations.Nullable;

import java.util.List;

/**
 * An error sample: arguments that an operator refuses.
 *
 * @param error type of the exception
 * @param text the error's message, or a part of it
 */
public record ErrorSample(
        Class<? extends RuntimeException> error, String text, @Nullable Object[] args) {

    /** Supplies arguments that an operator refuses. */
    @FunctionalInterface
    public interface Samples {
        /** Return at least one; the operator changes none of the arguments. */
        List<ErrorSample> of(Sampler sampler);
    }

    /** {@return one for arguments that an operator cannot take} */
    public static ErrorSample refusal(String text, @Nullable Object... args) {
        return new ErrorSample(IllegalArgumentException.class, text, args);
    }

    /** {@return one for a dimension or an index out of range} */
    public static ErrorSample outside(String text, @Nullable Object... args) {
        return new ErrorSample(IndexOutOfBoundsException.class, text, args);
    }

    /** {@return one for tensors in a state that the operator refuses} */
    public static ErrorSample unready(String text, @Nullable Object... args) {
        return new ErrorSample(IllegalStateException.class, text, args);
    }
}
