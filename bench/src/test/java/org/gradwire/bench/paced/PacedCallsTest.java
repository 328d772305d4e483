package org.gradwire.bench.paced;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;

/** Calls at a fixed rate. */
class PacedCallsTest {
    private static final Duration TIME = Duration.ofMillis(20);
    private final AtomicInteger calls = new AtomicInteger();

    @Test
    void oneThreadMakesTheCallsOfTheTime() throws Exception {
        long begin = System.nanoTime();
        long[] nanos =
                PacedCalls.ofOneThread(
                        TIME,
                        done -> {
                            calls.incrementAndGet();
                            done.run();
                        });
        long lastIsDue = TIME.toNanos() * (nanos.length - 1) / nanos.length;
        assertEquals(200, nanos.length);
        assertEquals(200, calls.get());
        assertTrue(Arrays.stream(nanos).allMatch(each -> each > 0), "each call was timed");
        assertTrue(System.nanoTime() - begin >= lastIsDue, "no call begins before its time");
    }

    @Test
    void repliesComeFromAnotherThread() throws Exception {
        var threads = ConcurrentHashMap.newKeySet();
        long[] nanos =
                PacedCalls.ofOneThread(
                        TIME,
                        done ->
                                Thread.startVirtualThread(() -> {
                                    threads.add(Thread.currentThread());
                                    done.run();
                                }));
        assertEquals(200, nanos.length);
        assertEquals(200, threads.size());
        assertTrue(Arrays.stream(nanos).allMatch(each -> each > 0), "the last reply was awaited");
    }

    @Test
    void fourThreadsShareTheCalls() throws Exception {
        Set<Thread> threads = ConcurrentHashMap.newKeySet();
        var all = new CountDownLatch(PacedCalls.THREADS);
        long[] nanos =
                PacedCalls.ofThreads(
                        TIME,
                        () -> {
                            if (threads.add(Thread.currentThread())) {
                                all.countDown();
                            }
                            all.await();
                            return calls.incrementAndGet();
                        });
        assertEquals(200, nanos.length);
        assertEquals(200, calls.get());
        assertEquals(PacedCalls.THREADS, threads.size());
    }

    @Test
    void failureOfACallEndsTheTurn() {
        var failure =
                assertThrows(
                        ExecutionException.class,
                        () ->
                                PacedCalls.ofThreads(
                                        TIME,
                                        () -> {
                                            throw new IOException("no peer");
                                        }));
        assertEquals("java.io.IOException: no peer", String.valueOf(failure.getCause()));
    }
}
