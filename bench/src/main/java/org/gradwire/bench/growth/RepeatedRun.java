package org.gradwire.bench.growth;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Times repeated runs. */
final class RepeatedRun {
    private static final Duration LEAST_TIME = Duration.ofSeconds(1);
    private static final int LEAST_TIMES = 3;
    private static final int ROUNDS = 3;

    private RepeatedRun() {}

    /** Work that times itself, to exclude preparation. */
    @FunctionalInterface
    interface Timed {
        long nanos() throws Exception;
    }

    /** Work of a given size that times itself. */
    @FunctionalInterface
    interface Sized {
        long nanos(int size) throws Exception;
    }

    /** Work without a result. */
    @FunctionalInterface
    interface Work {
        void run() throws Exception;
    }

    /** {@return the time of one run} */
    static long nanos(Work work) throws Exception {
        long begin = System.nanoTime();
        work.run();
        return System.nanoTime() - begin;
    }

    /**
     * {@return the minimum time at each size, in microseconds} Each round runs all sizes, so that
     * all are warm and noise affects all alike.
     */
    static List<CurvePoint> leastMicros(int[] sizes, Sized work) throws Exception {
        double[] least = new double[sizes.length];
        Arrays.fill(least, Double.MAX_VALUE);
        for (int round = 0; round < ROUNDS; round++) {
            for (int i = 0; i < sizes.length; i++) {
                int size = sizes[i];
                least[i] = Math.min(least[i], leastMicros(() -> work.nanos(size)));
            }
        }
        List<CurvePoint> points = new ArrayList<>();
        for (int i = 0; i < sizes.length; i++) {
            points.add(new CurvePoint(sizes[i], least[i]));
        }
        return points;
    }

    /** {@return the minimum time of repetitions, which is the least disturbed} */
    static double leastMicros(Timed work) throws Exception {
        long least = Long.MAX_VALUE;
        long begin = System.nanoTime();
        for (int count = 0;
                count < LEAST_TIMES || System.nanoTime() - begin < LEAST_TIME.toNanos();
                count++) {
            least = Math.min(least, work.nanos());
        }
        return least / 1e3;
    }
}
