package org.gradwire.bench;

import java.util.Arrays;
import java.util.List;
import java.util.function.ToLongFunction;

/**
 * The time of one unit of work.
 *
 * @param medianNanos the median of a round; for rates the time of the round divided by its units
 * @param tailNanos the 99th percentile, or the metric's own tail
 */
record Timing(long medianNanos, long tailNanos) {

    static final double PER_CENT = 0.99;
    static final double PER_MILLE = 0.999;

    static Timing even(long nanos) {
        return new Timing(nanos, nanos);
    }

    /** {@return the median of several rounds, for each number separately} */
    static Timing median(List<Timing> rounds) {
        return new Timing(median(rounds, Timing::medianNanos), median(rounds, Timing::tailNanos));
    }

    /** {@return the minimum of several rounds, for each number separately} */
    static Timing best(List<Timing> rounds) {
        return new Timing(
                rounds.stream().mapToLong(Timing::medianNanos).min().orElseThrow(),
                rounds.stream().mapToLong(Timing::tailNanos).min().orElseThrow());
    }

    private static long median(List<Timing> rounds, ToLongFunction<Timing> part) {
        long[] sorted = rounds.stream().mapToLong(part).sorted().toArray();
        return sorted[sorted.length / 2];
    }

    /** {@return the median and the 99th percentile of times} */
    static Timing of(long[] nanos) {
        return of(nanos, nanos.length, PER_CENT);
    }

    static Timing of(long[] nanos, int count, double tail) {
        long[] sorted = Arrays.copyOf(nanos, count);
        Arrays.sort(sorted);
        return new Timing(sorted[count / 2], sorted[(int) (count * tail)]);
    }
}
