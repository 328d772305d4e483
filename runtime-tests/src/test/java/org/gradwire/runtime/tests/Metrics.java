package org.gradwire.runtime.tests;

import static java.util.Objects.requireNonNull;

import org.gradwire.rpc.Rpc;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** Waits for metrics of workers, such as the numbers of open resources. */
final class Metrics {
    private static final long LIMIT_NANOS = TimeUnit.SECONDS.toNanos(30);
    private static final long PAUSE_NANOS = TimeUnit.MICROSECONDS.toNanos(200);

    private Metrics() {}

    static int of(Rpc rpc, String key) {
        return Integer.parseInt(requireNonNull(rpc.debugInfo().get(key), key));
    }

    /** Wait until a metric of a worker has a value. */
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

    /** Poll a value until it fulfills a condition; {@return the value} */
    static <T> T await(Supplier<T> source, Predicate<? super T> isWanted) {
        long start = System.nanoTime();
        T value = source.get();
        while (!isWanted.test(value)) {
            if (System.nanoTime() - start > LIMIT_NANOS) {
                throw new AssertionError("after 30 seconds the value is still " + value);
            }
            LockSupport.parkNanos(PAUSE_NANOS);
            value = source.get();
        }
        return value;
    }

    /** Wait until there is no reference to a worker's values. */
    static void awaitNothingOwned(Rpc rpc) {
        await(rpc, "num_owner_rrefs", 0);
        await(rpc, "num_forks", 0);
    }

    /** Wait until a worker has closed all its references to values of others. */
    static void awaitNothingUsed(Rpc rpc) {
        await(() -> rpc.debugInfo().getOrDefault("open_references", ""), String::isEmpty);
    }
}
