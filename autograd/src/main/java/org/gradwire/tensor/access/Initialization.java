package org.gradwire.tensor.access;

import org.jspecify.annotations.Nullable;

import java.lang.invoke.MethodHandles;
import java.util.Objects;
import java.util.function.Supplier;

/** The members that a class installs when it is initialized. */
final class Initialization {
    private Initialization() {}

    /** Return the installed members, after the initialization of the class that installs them. */
    static <M> M members(Class<?> owner, Supplier<@Nullable M> installed) {
        try {
            MethodHandles.lookup().ensureInitialized(owner);
        } catch (IllegalAccessException e) {
            throw new AssertionError(e);
        }
        return Objects.requireNonNull(installed.get());
    }
}
