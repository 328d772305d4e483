package org.gradwire.spi;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * Logs events caused by peers, at most one line per peer in ten seconds. Thread-safe; never blocks.
 * Callers quote text of a peer with {@link UntrustedText}.
 */
public final class PeerLog {
    private static final Duration INTERVAL = Duration.ofSeconds(10);

    private final System.Logger logger;
    private final Map<Integer, RateLimitedLog> byPeer = new ConcurrentHashMap<>();

    /** Create an empty log. */
    public PeerLog(System.Logger logger) {
        this.logger = logger;
    }

    /**
     * Log an event, or count it if the limit is reached.
     *
     * @param peer id of the worker that caused the event
     * @param text called only when the line is written
     */
    public void log(System.Logger.Level level, int peer, Supplier<String> text) {
        byPeer.computeIfAbsent(peer, _ -> new RateLimitedLog(logger, INTERVAL)).log(level, text);
    }
}
