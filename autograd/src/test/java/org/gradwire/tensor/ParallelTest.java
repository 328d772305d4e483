package org.gradwire.tensor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

import java.lang.foreign.Arena;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.atomic.AtomicInteger;

/** Two computations at the same time. */
class ParallelTest {

    @Test
    void eachIsDoneOnceBeforeItReturns() {
        for (int i = 0; i < 10_000; i++) {
            var first = new AtomicInteger();
            var second = new AtomicInteger();
            Parallel.both(first::incrementAndGet, second::incrementAndGet);
            assertEquals(1, first.get());
            assertEquals(1, second.get());
        }
    }

    @Test
    void itEndsWhereNoOtherThreadIsFree() throws InterruptedException {
        int threads = ForkJoinPool.getCommonPoolParallelism();
        var busy = new CountDownLatch(threads);
        var release = new CountDownLatch(1);
        for (int i = 0; i < threads; i++) {
            ForkJoinPool.commonPool()
                    .execute(() -> {
                        busy.countDown();
                        awaitRelease(release);
                    });
        }
        busy.await();
        try {
            var done = new AtomicInteger();
            Parallel.both(done::incrementAndGet, done::incrementAndGet);
            assertEquals(2, done.get());
        } finally {
            release.countDown();
        }
    }

    private static void awaitRelease(CountDownLatch release) {
        try {
            release.await();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void afterAFailureOfOneTheOtherIsDoneToo() {
        var failure = new IllegalStateException("first");
        var done = new AtomicInteger();
        Runnable fails =
                () -> {
                    throw failure;
                };
        assertSame(
                failure,
                assertThrows(
                        IllegalStateException.class,
                        () -> Parallel.both(fails, done::incrementAndGet)));
        assertEquals(1, done.get());
        assertSame(
                failure,
                assertThrows(
                        IllegalStateException.class,
                        () -> Parallel.both(done::incrementAndGet, fails)));
        assertEquals(2, done.get());
    }

    @Test
    void memoryOfOneThreadIsNotForAnother() {
        assertTrue(Parallel.isForAnyThread(new float[1]));
        assertTrue(Parallel.isForAnyThread(Arena.ofAuto().allocate(8)));
        try (Arena own = Arena.ofConfined()) {
            assertFalse(Parallel.isForAnyThread(own.allocate(8)));
        }
    }
}
