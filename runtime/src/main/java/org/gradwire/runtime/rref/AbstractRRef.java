package org.gradwire.runtime.rref;

import org.gradwire.rpc.RRef;
import org.jspecify.annotations.Nullable;

/** A handle of either side. */
abstract sealed class AbstractRRef<T extends @Nullable Object> implements RRef<T>
        permits OwnerRRef, UserRRef {

    /** Enter a fork of this reference for a worker that it is about to be sent to. */
    abstract ForkData fork(int destination);
}
