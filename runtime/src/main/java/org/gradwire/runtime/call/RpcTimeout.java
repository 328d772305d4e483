package org.gradwire.runtime.call;

import org.gradwire.runtime.function.CallOptions;
import org.jspecify.annotations.Nullable;

import java.time.Duration;

/** The default timeout of calls; {@link Duration#ZERO} means no timeout. Thread-safe. */
public final class RpcTimeout {
    private volatile Duration value;

    public RpcTimeout(Duration value) {
        this.value = value;
    }

    public Duration get() {
        return value;
    }

    /**
     * Set the timeout of later calls.
     *
     * @throws IllegalArgumentException when it is zero or negative
     */
    public void set(Duration newValue) {
        value = CallOptions.positive(newValue);
    }

    /** {@return the timeout of a call; {@code own} is set by the call, or null} */
    Duration orDefault(@Nullable Duration own) {
        return own == null ? value : CallOptions.nonNegative(own);
    }
}
