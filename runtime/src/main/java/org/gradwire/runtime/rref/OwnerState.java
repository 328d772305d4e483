package org.gradwire.runtime.rref;

import org.gradwire.runtime.future.CallFuture;
import org.jspecify.annotations.Nullable;

import java.util.HashMap;
import java.util.Map;

/** A value that this worker owns, and who refers to it. */
final class OwnerState {
    final GloballyUniqueId id;
    final RRefType type;
    final CallFuture<@Nullable Object> value;

    /** Forks that are alive, and the workers that hold them. Guarded by the context. */
    final Map<GloballyUniqueId, Integer> forks = new HashMap<>(2);

    /** Why the request to make the value here failed. Guarded by the context. */
    @Nullable RuntimeException creationFailure;

    OwnerState(GloballyUniqueId id, RRefType type, CallFuture<@Nullable Object> value) {
        this.id = id;
        this.type = type;
        this.value = value;
    }
}
