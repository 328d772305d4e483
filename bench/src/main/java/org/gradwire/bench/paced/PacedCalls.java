package org.gradwire.bench.paced;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.LockSupport;

/**
 * Calls that begin at fixed times. A call whose time has passed begins at once, so the number of
 * calls is that of the plan, and a system that is too slow takes longer.
 */
public final class PacedCalls {
    /** The calls of all threads in a second. */
    public static final int PER_SECOND = 10_000;

    /** The threads of synchronous calls. */
    public static final int THREADS = 4;

    private static final int WINDOW = 64;

    /** Starts a call. */
    @FunctionalInterface
    public interface Start {
        /** Start a call, which runs an action when its reply has arrived. */
        void run(Runnable done) throws Exception;
    }

    private PacedCalls() {}

    /** {@return the number of calls in a time} */
    static int count(Duration time) {
        return Math.toIntExact(time.toMillis() * PER_SECOND / 1000);
    }

    /**
     * {@return the nanoseconds of calls that one thread starts without waiting, at most {@value
     * #WINDOW} at a time}
     */
    public static long[] ofOneThread(Duration time, Start start) throws Exception {
        long[] nanos = new long[count(time)];
        var free = new Semaphore(WINDOW);
        var pace = new Pace(PER_SECOND, 0);
        for (int i = 0; i < nanos.length; i++) {
            pace.await(i);
            free.acquire();
            int call = i;
            long begin = System.nanoTime();
            start.run(() -> {
                nanos[call] = System.nanoTime() - begin;
                free.release();
            });
        }
        free.acquire(WINDOW);
        return nanos;
    }

    /** {@return the nanoseconds of calls that {@value #THREADS} threads make and wait for} */
    public static long[] ofThreads(Duration time, Callable<?> call) throws Exception {
        int each = count(time) / THREADS;
        try (ExecutorService threads = Executors.newFixedThreadPool(THREADS)) {
            List<Future<long[]>> all = new ArrayList<>();
            for (int thread = 0; thread < THREADS; thread++) {
                var pace = new Pace(PER_SECOND / THREADS, thread * 1_000_000_000L / PER_SECOND);
                all.add(threads.submit(() -> inSequence(each, pace, call)));
            }
            return joined(all);
        }
    }

    private static long[] inSequence(int count, Pace pace, Callable<?> call) throws Exception {
        long[] nanos = new long[count];
        for (int i = 0; i < count; i++) {
            pace.await(i);
            long begin = System.nanoTime();
            call.call();
            nanos[i] = System.nanoTime() - begin;
        }
        return nanos;
    }

    private static long[] joined(List<Future<long[]>> parts)
            throws InterruptedException, ExecutionException {
        long[] all = new long[0];
        for (Future<long[]> part : parts) {
            long[] more = part.get();
            int before = all.length;
            all = Arrays.copyOf(all, before + more.length);
            System.arraycopy(more, 0, all, before, more.length);
        }
        return all;
    }

    /** The times at which the calls of a thread begin. */
    private record Pace(long beginNanos, long periodNanos) {
        Pace(int perSecond, long delayNanos) {
            this(System.nanoTime() + delayNanos, 1_000_000_000L / perSecond);
        }

        void await(int call) {
            long dueNanos = beginNanos + call * periodNanos;
            long remaining;
            while ((remaining = dueNanos - System.nanoTime()) > 0) {
                LockSupport.parkNanos(remaining);
            }
        }
    }
}
