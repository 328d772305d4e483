package org.gradwire.spring;

import io.micrometer.core.instrument.Clock;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * A snapshot of a worker's metrics, refreshed after one second, so that a scrape of all gauges
 * collects the metrics once. Thread-safe.
 */
final class MetricsSnapshot {
    private static final long MOST_AGE_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final Supplier<Map<String, String>> source;
    private final Clock clock;
    private Map<String, String> metrics;
    private long takenAt;

    MetricsSnapshot(Supplier<Map<String, String>> source, Clock clock) {
        this.source = source;
        this.clock = clock;
        this.metrics = source.get();
        this.takenAt = clock.monotonicTime();
    }

    /** {@return the keys of numeric metrics} */
    synchronized List<String> numbers() {
        return metrics.keySet().stream()
                .filter(key -> !Double.isNaN(number(metrics.get(key))))
                .toList();
    }

    /** {@return the value of a metric; NaN if it is absent} */
    synchronized double value(String key) {
        long now = clock.monotonicTime();
        if (now - takenAt >= MOST_AGE_NANOS) {
            metrics = source.get();
            takenAt = now;
        }
        return number(metrics.get(key));
    }

    private static double number(@Nullable String text) {
        try {
            return text == null ? Double.NaN : Double.parseDouble(text);
        } catch (NumberFormatException _) {
            return Double.NaN; // a metric that is a text
        }
    }
}
