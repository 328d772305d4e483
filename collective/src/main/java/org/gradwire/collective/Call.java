package org.gradwire.collective;

import org.jspecify.annotations.Nullable;

import java.util.function.Function;

/**
 * The call of an operation with its arguments, which are checked.
 *
 * @param sequence in which the call is counted
 * @param signature the arguments that must be the same on all members
 * @param steps runs the operation in its round
 */
record Call<T extends @Nullable Object>(
        Sequence sequence, Signature signature, Function<Round, T> steps) {

    /** {@return the call with another form of its result} */
    <R extends @Nullable Object> Call<R> map(Function<T, R> form) {
        return new Call<>(sequence, signature, steps.andThen(form));
    }
}
