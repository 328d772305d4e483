package org.gradwire.bench;

import com.sun.management.ThreadMXBean;

import java.lang.management.ManagementFactory;
import java.util.function.LongSupplier;

/** Measures the heap bytes that calls allocate in this JVM and in the peer's. */
final class Allocation {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final int LEAST_CALLS = 10;

    private Allocation() {}

    static long bytesOfThisJvm() {
        return THREADS.getTotalThreadAllocatedBytes();
    }

    /**
     * Return a workload with the bytes of a call here as its median, and those at the peer as its
     * tail.
     */
    static Workload task(Workload.Call call, LongSupplier peerBytes) {
        return time -> {
            long there = peerBytes.getAsLong();
            long here = bytesOfThisJvm();
            long begin = System.nanoTime();
            long count = 0;
            do {
                call.run();
                count++;
            } while (System.nanoTime() - begin < time.toNanos() || count < LEAST_CALLS);
            here = bytesOfThisJvm() - here;
            there = peerBytes.getAsLong() - there;
            return new Timing(here / count, there / count);
        };
    }
}
