package org.gradwire.profiler;

import org.gradwire.rpc.Rpc;
import org.jspecify.annotations.Nullable;

/**
 * The profiles of all requests that a worker serves, opened by {@link Profiler#startServed}. The
 * runtime queries them before each request.
 */
public final class ServedProfiles {
    private volatile @Nullable Open innermost;

    private record Open(ProfilerState state, @Nullable Open outer) {}

    private ServedProfiles() {}

    /** {@return the profiles of a worker} */
    public static ServedProfiles of(Rpc rpc) {
        return rpc.locals().get(ServedProfiles.class, ServedProfiles::new);
    }

    /** {@return the profile that records the next inbound request; null for none} */
    public @Nullable ProfilerState current() {
        Open open = innermost;
        return open == null ? null : open.state;
    }

    synchronized ProfilerState begin(ProfilerOptions options, int nodeId) {
        Open outer = innermost;
        ProfilerState state =
                ProfilerState.begin(options, nodeId, outer == null ? null : outer.state);
        innermost = new Open(state, outer);
        return state;
    }

    synchronized void end(ProfilerState state) {
        innermost = without(innermost, state);
    }

    private static @Nullable Open without(@Nullable Open open, ProfilerState state) {
        if (open == null || open.state == state) {
            return open == null ? null : open.outer;
        }
        return new Open(open.state, without(open.outer, state));
    }
}
