package org.gradwire.runtime.rref;

import org.gradwire.runtime.future.CallFuture;
import org.jspecify.annotations.Nullable;

import java.util.HashMap;
import java.util.Map;

/** A value that this worker owns, and who refers to it. */
final class OwnerState {
    final GloballyUniqueId id;
    final CallFuture<@Nullable Object> value;

    // The rest is guarded by the owned values.

    /** In place of a worker that holds a fork: bytes that were saved and not loaded yet. */
    static final int IN_BYTES = -1;

    /** Forks that are alive, and the workers that hold them. */
    final Map<GloballyUniqueId, Integer> forks = new HashMap<>(2);

    /** As far as it is known before the request to make the value has arrived. */
    RRefType type;

    /** Whether the request to make the value has arrived, so that there will be one. */
    boolean requested;

    /** Whether that request is not expected any more. */
    boolean abandoned;

    /** Why the request to make the value here failed. */
    @Nullable RuntimeException creationFailure;

    /** Where the program of this worker made it, when that is kept. */
    @Nullable String site;

    OwnerState(GloballyUniqueId id, RRefType type, CallFuture<@Nullable Object> value) {
        this.id = id;
        this.type = type;
        this.value = value;
    }

    /** {@return whether nobody has it but bytes} */
    boolean isOnlyInBytes() {
        return !forks.isEmpty() && forks.values().stream().allMatch(holder -> holder == IN_BYTES);
    }

    /**
     * Without forks, but with a request that may still come, it stays: messages overtake each
     * other.
     */
    boolean mayBeDropped() {
        return forks.isEmpty() && (requested || abandoned);
    }
}
