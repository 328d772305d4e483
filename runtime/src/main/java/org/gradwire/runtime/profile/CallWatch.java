package org.gradwire.runtime.profile;

import org.jspecify.annotations.Nullable;

/** Receives the events of one call. */
public interface CallWatch {
    /** Ignores all events. */
    CallWatch NONE = _ -> {};

    /**
     * Handle the end of the call on the thread that began to watch it: the request was encoded or
     * failed; for an inbound call, its function has returned.
     */
    default void left() {}

    /** Handle the cancellation by the caller; the call may end later. */
    default void cancelled() {}

    /** Handle the end of the call, on any thread, just before its future ends. */
    void ended(@Nullable Throwable failure);

    /**
     * {@return whether the reply may carry events, which must be recorded before its value is
     * visible}
     */
    default boolean expectsEvents() {
        return false;
    }

    /** Return a watch that forwards to two. */
    static CallWatch both(CallWatch first, CallWatch second) {
        if (second.equals(NONE)) {
            return first;
        }
        return new CallWatch() {
            @Override
            public void left() {
                first.left();
                second.left();
            }

            @Override
            public void cancelled() {
                first.cancelled();
                second.cancelled();
            }

            @Override
            public void ended(@Nullable Throwable failure) {
                first.ended(failure);
                second.ended(failure);
            }

            @Override
            public boolean expectsEvents() {
                return first.expectsEvents() || second.expectsEvents();
            }
        };
    }
}
