package org.gradwire.runtime.rref;

import org.gradwire.runtime.future.CallFuture;
import org.jspecify.annotations.Nullable;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A value that this worker owns, and who refers to it. */
final class OwnerState {
    final GloballyUniqueId id;
    final CallFuture<@Nullable Object> value;

    // The rest is guarded by the owned values.

    /** Forks that are alive, and where they are. */
    final Map<GloballyUniqueId, Holder> forks = new HashMap<>(2);

    /** Workers that wait for the value although the request to make it has not arrived. */
    private Set<Integer> askers = Set.of();

    /** The worker that was the first to name the value before that request; or -1. */
    int introducer = -1;

    /** As far as it is known before the request to make the value has arrived. */
    RRefType type;

    /** Whether the request to make the value has arrived, so that there will be one. */
    boolean requested;

    /** Whether that request is not expected any more. */
    boolean abandoned;

    /** Why the request to make the value here failed. */
    @Nullable RuntimeException creationFailure;

    /** Ends with the request of this worker to make the value; null when it made none. */
    @Nullable CallFuture<@Nullable Void> confirmed;

    /** Handles on this worker that are open. */
    int handles;

    /** References that the value keeps, to be given up when it is gone. */
    private List<AbstractRRef<?>> kept = List.of();

    /** Where the program of this worker made it, when that is kept. */
    @Nullable String site;

    OwnerState(GloballyUniqueId id, RRefType type, CallFuture<@Nullable Object> value) {
        this.id = id;
        this.type = type;
        this.value = value;
    }

    void keep(List<AbstractRRef<?>> references) {
        kept = references;
    }

    /** {@return the references that the value has kept until now} */
    List<AbstractRRef<?>> takeKept() {
        List<AbstractRRef<?>> taken = kept;
        kept = List.of();
        return taken;
    }

    /** {@return whether nobody has it but bytes} */
    boolean isOnlyInBytes() {
        return !forks.isEmpty() && forks.values().stream().allMatch(Holder::inBytes);
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

    /** {@return whether nobody refers to it, and its time is over} */
    boolean mayBeDropped() {
        return forks.isEmpty() && (requested || abandoned);
    }

    /**
     * {@return whether nobody refers to it or waits for it, but its making may still be asked for}
     */
    boolean mayBeForgotten() {
        return forks.isEmpty() && askers.isEmpty() && !requested && !abandoned;
    }
}
