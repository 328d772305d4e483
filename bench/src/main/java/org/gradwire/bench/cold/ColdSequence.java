package org.gradwire.bench.cold;

import java.io.PrintStream;
import java.util.Arrays;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;

/**
 * Times the same work in sequence in a measuring process, and prints two lines: the nanoseconds of
 * the first execution as soon as it has ended, and those of all others at the end.
 */
public final class ColdSequence {
    /** The number of calls of a measuring process. */
    public static final int CALLS = 3000;

    /** The number of distributed backward passes of a measuring process. */
    public static final int PASSES = 100;

    private ColdSequence() {}

    /** Do the work a number of times. */
    public static void print(PrintStream out, int times, Callable<?> work) throws Exception {
        long first = nanos(work);
        out.println(first);
        out.flush();
        long[] others = new long[times - 1];
        for (int i = 0; i < others.length; i++) {
            others[i] = nanos(work);
        }
        out.println(
                Arrays.stream(others).mapToObj(Long::toString).collect(Collectors.joining(" ")));
        out.flush();
    }

    private static long nanos(Callable<?> work) throws Exception {
        long begin = System.nanoTime();
        work.call();
        return System.nanoTime() - begin;
    }
}
