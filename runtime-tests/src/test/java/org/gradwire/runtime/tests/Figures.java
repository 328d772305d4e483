package org.gradwire.runtime.tests;

import static java.util.Objects.requireNonNull;

import org.gradwire.rpc.Rpc;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** Waits for figures of workers, which say what is still open. */
final class Figures {
    private static final long LIMIT_NANOS = TimeUnit.SECONDS.toNanos(30);
    private static final long PAUSE_NANOS = TimeUnit.MICROSECONDS.toNanos(200);

    private Figures() {}

    static int of(Rpc rpc, String key) {
        return Integer.parseInt(requireNonNull(rpc.debugInfo().get(key), key));
    }

    /** Wait until a figure of a worker is a number. */
    static void await(Rpc rpc, String key, int wanted) {
        long start = System.nanoTime();
        while (of(rpc, key) != wanted) {
            if (System.nanoTime() - start > LIMIT_NANOS) {
                throw new AssertionError(
                        "%s of %s is not %d after 30 seconds: %s"
                                .formatted(key, rpc.self().name(), wanted, rpc.debugInfo()));
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }

    /** Ask until an answer is the wanted one; {@return that answer} */
    static <T> T await(Supplier<T> question, Predicate<? super T> isWanted) {
        long start = System.nanoTime();
        T answer = question.get();
        while (!isWanted.test(answer)) {
            if (System.nanoTime() - start > LIMIT_NANOS) {
                throw new AssertionError("after 30 seconds the answer is still " + answer);
            }
            LockSupport.parkNanos(PAUSE_NANOS);
            answer = question.get();
        }
        return answer;
    }

    /** Wait until nobody refers to values of a worker. */
    static void awaitNothingOwned(Rpc rpc) {
        await(rpc, "num_owner_rrefs", 0);
        await(rpc, "num_forks", 0);
    }
}
