package org.gradwire.attack.victim;

import java.util.Arrays;

/** The outcomes of calls since the last report. Thread-safe. */
final class CallLog {
    private static final int FIRST_ROOM = 1024;

    private long[] nanos = new long[FIRST_ROOM];
    private int answered;
    private int failed;
    private String firstFailure = "";

    synchronized void answered(long time) {
        if (answered == nanos.length) {
            nanos = Arrays.copyOf(nanos, 2 * answered);
        }
        nanos[answered++] = time;
    }

    synchronized void failed(RuntimeException failure) {
        if (failed++ == 0) {
            firstFailure = failure.toString();
        }
    }

    /** {@return the report} The next one starts from zero. */
    synchronized HonestClientReport report() {
        Arrays.sort(nanos, 0, answered);
        var report =
                new HonestClientReport(
                        answered + failed,
                        failed,
                        millis(answered - 1),
                        millis(answered * 99 / 100),
                        firstFailure);
        answered = 0;
        failed = 0;
        firstFailure = "";
        return report;
    }

    private double millis(int index) {
        return index < 0 || index >= answered ? 0 : nanos[index] / 1e6;
    }
}
