package org.gradwire.bench;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Arrays;

/** The repeatable work of a metric on one system. */
@FunctionalInterface
interface Workload {
    /** The number of concurrent calls when measuring a rate. */
    int WINDOW = 64;

    /** Repeat the work for a time and return its timing. */
    Timing measure(Duration time) throws Exception;

    /** One unit of work. */
    @FunctionalInterface
    interface Call {
        void run() throws Exception;
    }

    /** Starts one unit of work and returns an action that waits for its end. */
    @FunctionalInterface
    interface Start {
        Call run() throws Exception;
    }

    /** Return a workload that times each call. */
    static Workload latency(Call call) {
        return latency(call, Timing.PER_CENT);
    }

    /** As {@link #latency(Call)}, with another percentile as the tail. */
    static Workload latency(Call call, double tail) {
        return time -> {
            long[] nanos = new long[1024];
            int count = 0;
            long begin = System.nanoTime();
            long now = begin;
            do {
                if (count == nanos.length) {
                    nanos = Arrays.copyOf(nanos, count * 2);
                }
                call.run();
                long end = System.nanoTime();
                nanos[count++] = end - now;
                now = end;
            } while (now - begin < time.toNanos() || count < 3);
            return Timing.of(nanos, count, tail);
        };
    }

    /** Return a workload that counts calls, with {@value #WINDOW} of them in flight. */
    static Workload rate(Start start) {
        return time -> {
            var pending = new ArrayDeque<Call>(WINDOW);
            long count = 0;
            long begin = System.nanoTime();
            do {
                pending.add(start.run());
                count++;
                if (pending.size() == WINDOW) {
                    pending.remove().run();
                }
            } while (System.nanoTime() - begin < time.toNanos());
            while (!pending.isEmpty()) {
                pending.remove().run();
            }
            return Timing.even((System.nanoTime() - begin) / count);
        };
    }
}
