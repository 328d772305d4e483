package org.gradwire.launcher.secure;

import java.net.InetAddress;
import java.util.HashMap;
import java.util.Map;

/** Limits the connections of a {@link JoinService}, in all and of each address. Thread-safe. */
final class JoinConnections {
    private static final int MAX = 64;
    private static final int MAX_OF_ADDRESS = 8;

    private final Map<InetAddress, Integer> counts = new HashMap<>();
    private int all;

    /** {@return whether a connection is within the limits; then it counts until {@link #leave}} */
    synchronized boolean enter(InetAddress from) {
        if (all == MAX || counts.getOrDefault(from, 0) == MAX_OF_ADDRESS) {
            return false;
        }
        all++;
        counts.merge(from, 1, Integer::sum);
        return true;
    }

    /** A connection has ended. */
    synchronized void leave(InetAddress from) {
        all--;
        counts.computeIfPresent(from, (_, count) -> count == 1 ? null : count - 1);
    }
}
