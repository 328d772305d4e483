package org.gradwire.runtime.stream;

import org.jspecify.annotations.Nullable;

/** Receives the values of a producer, one at a time. */
interface ValueSink {

    /** Take a value, for one credit. */
    void offer(Object value);

    /**
     * Take the end.
     *
     * @param failure null after the last value
     */
    void end(@Nullable Throwable failure);
}
