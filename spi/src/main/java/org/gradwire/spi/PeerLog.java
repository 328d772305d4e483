package org.gradwire.spi;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * Logs events of one kind that peers can cause: for each peer one line in ten seconds. Thread-safe;
 * never blocks. Text of a peer goes through {@link UntrustedText}.
 */
public final class PeerLog {
    private static final Duration INTERVAL = Duration.ofSeconds(10);

    private final System.Logger logger;
    private final Map<Integer, RateLimitedLog> byPeer = new ConcurrentHashMap<>();

    /** Create a log in which no peer has caused anything yet. */
    public PeerLog(System.Logger logger) {
        this.logger = logger;
    }

    /**
     * Log an event, or only count it.
     *
     * @param peer id of the worker that caused it
     * @param text called only when the line is written
     */
    public void log(System.Logger.Level level, int peer, Supplier<String> text) {
        byPeer.computeIfAbsent(peer, _ -> new RateLimitedLog(logger, INTERVAL)).log(level, text);
    }
}
