package org.gradwire.runtime.store;

import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.RpcTimeoutException;
import org.gradwire.spi.UntrustedText;
import org.jspecify.annotations.Nullable;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A map from keys to bytes with blocking reads. Each key has its own waiters, since the workers of
 * a large group wait for different keys. Thread-safe.
 */
final class WaitingMap {
    private final ReentrantLock lock = new ReentrantLock();
    private final BoundedTable values = new BoundedTable(); // guarded by the lock
    private final Map<String, Condition> arrivals = new HashMap<>(); // of keys waited for; likewise

    void set(String key, byte[] value) {
        lock.lock();
        try {
            values.put(key, value.clone());
            Condition arrival = arrivals.remove(key);
            if (arrival != null) {
                arrival.signalAll();
            }
        } finally {
            lock.unlock();
        }
    }

    long add(String key, long amount) {
        lock.lock();
        try {
            long sum = decimal(key, values.get(key)) + amount;
            set(key, Long.toString(sum).getBytes(StandardCharsets.US_ASCII));
            return sum;
        } finally {
            lock.unlock();
        }
    }

    /** {@return the value of a key, if it exists already} */
    byte @Nullable [] find(String key) {
        lock.lock();
        try {
            byte[] value = values.get(key);
            return value == null ? null : value.clone();
        } finally {
            lock.unlock();
        }
    }

    byte[] get(String key, Duration timeout) {
        StoreLimits.check(key);
        lock.lock();
        try {
            byte[] value = await(key, TimeUnit.NANOSECONDS.convert(timeout));
            if (value == null) {
                throw absent(key, timeout);
            }
            return value.clone();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            throw new RpcException("interrupted while waiting for key '" + key + "' of the store");
        } finally {
            lock.unlock();
        }
    }

    private byte @Nullable [] await(String key, long nanos) throws InterruptedException {
        long left = nanos;
        try {
            byte[] value;
            while ((value = values.get(key)) == null && left > 0) {
                left = arrivals.computeIfAbsent(key, _ -> lock.newCondition()).awaitNanos(left);
            }
            return value;
        } finally {
            Condition arrival = arrivals.get(key);
            if (arrival != null && !lock.hasWaiters(arrival)) {
                arrivals.remove(key); // no further get waits for it
            }
        }
    }

    /** {@return whether a get waits for a key} */
    boolean isAwaited(String key) {
        lock.lock();
        try {
            return arrivals.containsKey(key);
        } finally {
            lock.unlock();
        }
    }

    static long decimal(String key, byte @Nullable [] value) {
        if (value == null) {
            return 0;
        }
        String text = new String(value, StandardCharsets.US_ASCII);
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException _) {
            throw new RpcException(
                    "cannot add to key '%s' of the store: its value '%s' is not a number"
                            .formatted(UntrustedText.quote(key), UntrustedText.quote(text)));
        }
    }

    static RpcTimeoutException absent(String key, Duration timeout) {
        return new RpcTimeoutException(
                "key '%s' did not appear in the store within %d ms"
                        .formatted(key, TimeUnit.MILLISECONDS.convert(timeout)));
    }
}
