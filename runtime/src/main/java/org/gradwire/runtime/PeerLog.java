package org.gradwire.runtime;

import org.gradwire.spi.RateLimitedLog;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/** Warnings of one kind that peers can cause: for each peer one line in ten seconds. */
final class PeerLog {
    private static final Duration INTERVAL = Duration.ofSeconds(10);

    private final System.Logger logger;
    private final Map<Integer, RateLimitedLog> byPeer = new ConcurrentHashMap<>();

    PeerLog(System.Logger logger) {
        this.logger = logger;
    }

    void warn(int peer, Supplier<String> text) {
        byPeer.computeIfAbsent(peer, _ -> new RateLimitedLog(logger, INTERVAL))
                .log(System.Logger.Level.WARNING, text);
    }
}
