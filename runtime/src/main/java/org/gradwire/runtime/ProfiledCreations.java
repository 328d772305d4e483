package org.gradwire.runtime;

import org.gradwire.runtime.future.CallFuture;
import org.gradwire.runtime.rref.GloballyUniqueId;
import org.jspecify.annotations.Nullable;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The remote calls of this worker that are under way and profiled. A value may be fetched before
 * the reply to the call that made it has come; who has the value expects the events to be there.
 */
final class ProfiledCreations {
    private final Map<GloballyUniqueId, CallFuture<@Nullable Void>> underWay =
            new ConcurrentHashMap<>();

    void add(GloballyUniqueId rrefId, CallFuture<@Nullable Void> creation) {
        underWay.put(rrefId, creation);
        creation.whenEnded((_, _) -> underWay.remove(rrefId));
    }

    /**
     * Return a future to complete with a fetched value, which goes on to another one when the
     * creation of the value has ended. A failure goes on at once.
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
