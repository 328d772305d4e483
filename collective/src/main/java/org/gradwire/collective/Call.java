package org.gradwire.collective;

import org.jspecify.annotations.Nullable;

import java.util.function.Function;

/**
 * The call of an operation with its arguments, which are checked.
 *
 * @param signature the arguments that must be the same on all members
 * @param steps runs the operation in its round
 */
record Call<T extends @Nullable Object>(Signature signature, Function<Round, T> steps) {}
