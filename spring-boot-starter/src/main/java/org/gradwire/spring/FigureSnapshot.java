package org.gradwire.spring;

import io.micrometer.core.instrument.Clock;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Figures of a worker that are taken together, and again when they are a second old: who reads all
 * gauges, one after another, lets the worker collect its figures once. Thread-safe.
 */
final class FigureSnapshot {
    private static final long MOST_AGE_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final Supplier<Map<String, String>> source;
    private final Clock clock;
    private Map<String, String> figures;
    private long takenAt;

    FigureSnapshot(Supplier<Map<String, String>> source, Clock clock) {
        this.source = source;
        this.clock = clock;
        this.figures = source.get();
        this.takenAt = clock.monotonicTime();
    }

    /** {@return the keys of those that are numbers} */
    synchronized List<String> numbers() {
        return figures.keySet().stream()
                .filter(key -> !Double.isNaN(number(figures.get(key))))
                .toList();
    }

    /** {@return a figure; not a number when it is absent} */
    synchronized double value(String key) {
        long now = clock.monotonicTime();
        if (now - takenAt >= MOST_AGE_NANOS) {
            figures = source.get();
            takenAt = now;
        }
        return number(figures.get(key));
    }

    private static double number(@Nullable String text) {
        try {
            return text == null ? Double.NaN : Double.parseDouble(text);
        } catch (NumberFormatException _) {
            return Double.NaN; // a figure in words
        }
    }
}
