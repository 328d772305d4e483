package org.gradwire.bench.cold;

import java.util.Arrays;

/**
 * The times of one fresh pair of processes.
 *
 * @param startNanos from the start of the processes to the first answered call
 * @param calls the nanoseconds of each call
 * @param passes the nanoseconds of each distributed backward pass; empty for a system without
 */
public record ColdRun(long startNanos, long[] calls, long[] passes) {
    private static final int LAST = 200;
    private static final int WINDOW = 10;

    /** {@return the median of some calls, from one number to another, the first call is 1} */
    double callNanos(int from, int to) {
        return median(calls, from, to);
    }

    /** {@return the median of some passes, from one number to another, the first pass is 1} */
    double passNanos(int from, int to) {
        return median(passes, from, to);
    }

    /** {@return the median of the last {@value #LAST} calls} */
    double settledNanos() {
        return median(calls, calls.length - LAST + 1, calls.length);
    }

    /**
     * {@return the number of the call that begins the first {@value #WINDOW} in sequence whose
     * median is at most twice that of the last calls}
     */
    int callsUntilSettled() {
        double most = 2 * settledNanos();
        int call = 1;
        while (median(calls, call, call + WINDOW - 1) > most) {
            call++; // ends among the last calls
        }
        return call;
    }

    private static double median(long[] nanos, int from, int to) {
        long[] sorted = Arrays.copyOfRange(nanos, from - 1, to);
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }
}
