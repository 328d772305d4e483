package org.gradwire.runtime.rref;

import org.gradwire.runtime.future.CallFuture;
import org.jspecify.annotations.Nullable;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A value that this worker owns, and its forks. */
final class OwnerState {
    final GloballyUniqueId id;
    final CallFuture<@Nullable Object> value;

    // The rest is guarded by the owned values.

    /** The forks and their holders. */
    final Map<GloballyUniqueId, ForkHolder> forks = new HashMap<>(2);

    /** The workers that wait for the value before it is requested. */
    private Set<Integer> askers = Set.of();

    /** The first worker to refer to the value before it was requested; or -1. */
    int introducer = -1;

    /** The type, provisional before the value is requested. */
    RRefType type;

    /** True if the value was requested, so that it will exist. */
    boolean requested;

    /** True if the request is no longer expected. */
    boolean abandoned;

    /** The failure of this worker's request for the value. */
    @Nullable RuntimeException creationFailure;

    /** Future of this worker's request for the value; null if there is none. */
    @Nullable CallFuture<@Nullable Void> confirmed;

    /** The number of open handles on this worker. */
    int handles;

    /** The references that the value keeps, closed when it is deleted. */
    private List<AbstractRRef<?>> kept = List.of();

    /** The line of this worker's program that created it; null when not recorded. */
    @Nullable String site;

    OwnerState(GloballyUniqueId id, RRefType type, CallFuture<@Nullable Object> value) {
        this.id = id;
        this.type = type;
        this.value = value;
    }

    void keep(List<AbstractRRef<?>> references) {
        kept = references;
    }

    /** Release the kept references; {@return them} */
    List<AbstractRRef<?>> takeKept() {
        List<AbstractRRef<?>> taken = kept;
        kept = List.of();
        return taken;
    }

    /** {@return whether only bytes refer to it} */
    boolean isOnlyInBytes() {
        return !forks.isEmpty() && forks.values().stream().allMatch(ForkHolder::inBytes);
    }

    void addAsker(int worker) {
        if (askers.isEmpty()) {
            askers = new HashSet<>(2);
        }
        askers.add(worker);
    }

    void removeAsker(int worker) {
        if (!askers.isEmpty()) {
            askers.remove(worker);
        }
    }

    /** {@return whether it has no references and will not be requested} */
    boolean mayBeDropped() {
        return forks.isEmpty() && (requested || abandoned);
    }

    /** {@return whether it has no references and no waiting fetches, but may still be requested} */
    boolean mayBeForgotten() {
        return forks.isEmpty() && askers.isEmpty() && !requested && !abandoned;
    }
}
