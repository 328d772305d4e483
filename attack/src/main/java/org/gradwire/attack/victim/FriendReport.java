package org.gradwire.attack.victim;

import java.util.Locale;

/**
 * How the calls of a friend have ended.
 *
 * @param calls that have ended
 * @param failures of those
 * @param worstMillis latency of the slowest call that was answered
 * @param p99Millis latency that one call in a hundred exceeds
 * @param firstFailure empty when none failed
 */
public record FriendReport(
        int calls, int failures, double worstMillis, double p99Millis, String firstFailure) {

    /** Read what {@link #toString} wrote. */
    public static FriendReport parse(String line) {
        String[] parts = line.split(" ", 5);
        return new FriendReport(
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
