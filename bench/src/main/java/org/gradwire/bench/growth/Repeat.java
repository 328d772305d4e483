package org.gradwire.bench.growth;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Does work again and again, and says how long it took. */
final class Repeat {
    private static final Duration LEAST_TIME = Duration.ofSeconds(1);
    private static final int LEAST_TIMES = 3;
    private static final int ROUNDS = 3;

    private Repeat() {}

    /** Work that takes its own time, so that what prepares it does not count. */
    @FunctionalInterface
    interface Timed {
        long nanos() throws Exception;
    }

    /** Work of some size that takes its own time. */
    @FunctionalInterface
    interface Sized {
        long nanos(int size) throws Exception;
    }

    /** Work without a result. */
    @FunctionalInterface
    interface Work {
        void run() throws Exception;
    }

    /** {@return how long work takes} */
    static long nanos(Work work) throws Exception {
        long begin = System.nanoTime();
        work.run();
        return System.nanoTime() - begin;
    }

    /**
     * {@return the least time at each size, in microseconds} All sizes have their turn in each
     * round, so that work is warm at all of them and what else the machine does hits all alike.
     */
    static List<Point> leastMicros(int[] sizes, Sized work) throws Exception {
        double[] least = new double[sizes.length];
        Arrays.fill(least, Double.MAX_VALUE);
        for (int round = 0; round < ROUNDS; round++) {
            for (int i = 0; i < sizes.length; i++) {
                int size = sizes[i];
                least[i] = Math.min(least[i], leastMicros(() -> work.nanos(size)));
            }
        }
        List<Point> points = new ArrayList<>();
        for (int i = 0; i < sizes.length; i++) {
            points.add(new Point(sizes[i], least[i]));
        }
        return points;
    }

    /** {@return the least time of repetitions, which other work on the machine disturbs least} */
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
