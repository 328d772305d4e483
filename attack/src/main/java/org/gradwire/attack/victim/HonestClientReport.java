package org.gradwire.attack.victim;

import java.util.Locale;

/**
 * The outcomes of an honest client's calls.
 *
 * @param calls ended calls
 * @param failures failed calls among them
 * @param worstMillis latency of the slowest successful call
 * @param p99Millis 99th percentile of latencies
 * @param firstFailure message of the first failure; empty without one
 */
public record HonestClientReport(
        int calls, int failures, double worstMillis, double p99Millis, String firstFailure) {

    /** Parse the result of {@link #toString}. */
    public static HonestClientReport parse(String line) {
        String[] parts = line.split(" ", 5);
        return new HonestClientReport(
                Integer.parseInt(parts[0]),
                Integer.parseInt(parts[1]),
                Double.parseDouble(parts[2]),
                Double.parseDouble(parts[3]),
                parts[4]);
    }

    @Override
    public String toString() {
        return String.format(
                Locale.ROOT,
                "%d %d %.3f %.3f %s",
                calls,
                failures,
                worstMillis,
                p99Millis,
                firstFailure.replaceAll("\\R", " "));
    }
}
