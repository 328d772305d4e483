package org.gradwire.runtime.profile;

import org.jspecify.annotations.Nullable;

/** Learns what becomes of one call. */
public interface CallWatch {
    /** Of no interest to anyone. */
    CallWatch NONE = _ -> {};

    /**
     * The thread that began to watch is done with the call: its request is encoded, or could not
     * be; its function has returned.
     */
    default void left() {}

    /** The caller has given the call up, which may end later. */
    default void cancelled() {}

    /** The call is over, on any thread; its future is told next. */
    void ended(@Nullable Throwable failure);

    /** {@return whether the reply may bring events, which must be there when its value is} */
    default boolean expectsEvents() {
        return false;
    }

    /** Return a watch that tells two. */
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
