package org.gradwire.tensor;

import org.jspecify.annotations.Nullable;

import java.lang.foreign.MemorySegment;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.atomic.AtomicBoolean;

/** Computes two things at the same time where another core is free. */
final class Parallel {
    private static final boolean HAS_CORES = Runtime.getRuntime().availableProcessors() > 1;

    /** Looks before the thread sleeps: the other half mostly ends at the same time. */
    private static final int SPINS = 2000;

    private static final Thread STRANGER = Thread.ofVirtual().unstarted(() -> {});

    private Parallel() {}

    /** What the first who comes computes. */
    private static final class Half implements Runnable {
        private final Runnable work;
        private final AtomicBoolean isBegun = new AtomicBoolean();
        private final CompletableFuture<Boolean> isDone = new CompletableFuture<>();
        private @Nullable Throwable failure; // published by isDone

        Half(Runnable work) {
            this.work = work;
        }

        @Override
        public void run() {
            if (!isBegun.compareAndSet(false, true)) {
                return;
            }
            try {
                work.run();
            } catch (RuntimeException | Error e) {
                failure = e;
            } finally {
                isDone.complete(true);
            }
        }

        void await() {
            for (int i = 0; i < SPINS && !isDone.isDone(); i++) {
                Thread.onSpinWait();
            }
            isDone.join();
            switch (failure) {
                case null -> {}
                case RuntimeException e -> throw e;
                case Error e -> throw e;
                default -> throw new AssertionError(failure);
            }
        }
    }

    /** {@return whether an array, or a segment, can be used by each thread} */
    static boolean isForAnyThread(Object memory) {
        return !(memory instanceof MemorySegment segment) || segment.isAccessibleBy(STRANGER);
    }

    /**
     * Do both, and return when both are done. The second is done by another thread if one begins it
     * before this thread has done the first.
     *
     * @param first done by this thread
     * @param second pure computation, which looks at nothing that belongs to a thread
     */
    static void both(Runnable first, Runnable second) {
        if (!HAS_CORES) {
            first.run();
            second.run();
            return;
        }
        var half = new Half(second);
        ForkJoinPool.commonPool().execute(half);
        try {
            first.run();
        } finally {
            half.run();
            half.await();
        }
    }
}
