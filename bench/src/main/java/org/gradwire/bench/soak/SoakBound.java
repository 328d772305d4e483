package org.gradwire.bench.soak;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/** Limit to the growth of a number from the second part of the time to the last. */
enum SoakBound {
    HEAP("heap after a collection, MiB", 1.1, 2, sample -> mib(sample.heapBytes())),
    MEMORY("memory, MiB", 1.1, 16, sample -> mib(sample.memoryBytes())),
    FILES("file handles", 1, 8, SoakSample::files),
    THREADS("threads", 1, 8, SoakSample::threads),
    SHARED("/dev/shm, MiB", 1, 4, sample -> mib(sample.sharedBytes())),
    TAIL("p99.9 of small calls, us", 1.5, 0, sample -> sample.tailNanos() / 1e3);

    private final String label;
    private final double factor;
    private final double more;
    private final ToDoubleFunction<SoakSample> number;

    /**
     * Define a bound.
     *
     * @param factor of the earlier number
     * @param more in addition
     */
    SoakBound(String label, double factor, double more, ToDoubleFunction<SoakSample> number) {
        this.label = label;
        this.factor = factor;
        this.more = more;
        this.number = number;
    }

    private static double mib(long bytes) {
        return bytes / (double) (1 << 20);
    }

    private boolean isKept(SoakSample before, SoakSample after) {
        return number.applyAsDouble(after) <= factor * number.applyAsDouble(before) + more;
    }

    private String line(SoakSample before, SoakSample after) {
        return String.format(
                Locale.ROOT,
                "%s: grew from %.1f to %.1f; at most %.1f times and %.0f more are allowed",
                label,
                number.applyAsDouble(before),
                number.applyAsDouble(after),
                factor,
                more);
    }

    /** {@return a line for each number that has grown by more than its bound} */
    static List<String> broken(SoakSample before, SoakSample after) {
        return Arrays.stream(values())
                .filter(bound -> !bound.isKept(before, after))
                .map(bound -> bound.line(before, after))
                .toList();
    }
}
