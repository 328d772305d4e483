package org.gradwire.runtime.call;

import org.gradwire.runtime.future.CallFuture;
import org.gradwire.runtime.rref.GloballyUniqueId;
import org.jspecify.annotations.Nullable;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The profiled remote calls of this worker that are in flight. A fetch of the value may end before
 * the reply to the call that created it, but the events of the call must be recorded when the
 * program has the value.
 */
final class ProfiledCreations {
    private final Map<GloballyUniqueId, CallFuture<@Nullable Void>> underWay =
            new ConcurrentHashMap<>();

    void add(GloballyUniqueId rrefId, CallFuture<@Nullable Void> creation) {
        underWay.put(rrefId, creation);
        creation.whenEnded((_, _) -> underWay.remove(rrefId));
    }

    /**
     * Return a future for a fetched value, which completes the given one after the creation of the
     * value has ended, or fails it at once.
     */
    CallFuture<@Nullable Object> before(
            GloballyUniqueId rrefId, CallFuture<@Nullable Object> future) {
        CallFuture<@Nullable Void> creation = underWay.get(rrefId);
        if (creation == null) {
            return future;
        }
        CallFuture<@Nullable Object> fetched = future.sibling();
        fetched.whenEnded((value, failure) -> {
            if (failure == null) {
                creation.whenEnded((_, _) -> future.tryEnd(value, null));
            } else {
                future.tryFail(failure);
            }
        });
        return fetched;
    }
}
