package org.gradwire.runtime.store;

import org.gradwire.rpc.RpcErrorKind;
import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.RpcTimeoutException;
import org.gradwire.spi.UntrustedText;
import org.jspecify.annotations.Nullable;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;

/**
 * A map from keys to bytes with blocking reads, and keys that vanish when their lease ends. Each
 * key has its own waiters, since the workers of a large group wait for different keys. Thread-safe.
 */
final class WaitingMap {
    private final ReentrantLock lock = new ReentrantLock();
    private final BoundedTable values = new BoundedTable(); // guarded by the lock
    private final LeaseTable leases = new LeaseTable(); // likewise
    private final Map<String, Condition> changes = new HashMap<>(); // of keys waited for; likewise

    void set(String key, byte[] value) {
        lock.lock();
        try {
            var _ = current(key); // so that a lease which has ended does not remove the new value
            values.put(key, value.clone());
            signal(key);
        } finally {
            lock.unlock();
        }
    }

    private void signal(String key) {
        Condition change = changes.get(key);
        if (change != null) {
            change.signalAll();
        }
    }

    long add(String key, long amount) {
        lock.lock();
        try {
            long sum = decimal(key, current(key)) + amount;
            set(key, Long.toString(sum).getBytes(StandardCharsets.US_ASCII));
            return sum;
        } finally {
            lock.unlock();
        }
    }

    boolean compareAndSet(String key, byte @Nullable [] expected, byte[] value) {
        StoreLimits.check(key, value);
        lock.lock();
        try {
            boolean matches = Arrays.equals(current(key), expected);
            if (matches) {
                set(key, value);
            }
            return matches;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Create a key with a lease.
     *
     * @param admission counts the lease; false if there are too many
     * @param onEnd called when the lease has ended, if it was counted
     * @return the id of the lease; {@link LeaseTable#NONE} if the key exists
     */
    long acquire(
            String key, byte[] value, Duration life, BooleanSupplier admission, Runnable onEnd) {
        StoreLimits.check(life);
        lock.lock();
        try {
            leases.ended().forEach(this::current);
            if (current(key) != null) {
                return LeaseTable.NONE;
            }
            values.check(key, value);
            if (!admission.getAsBoolean()) {
                throw StoreLimits.tooManyLeases();
            }
            long id = leases.grant(key, life.toNanos(), onEnd);
            set(key, value);
            return id;
        } finally {
            lock.unlock();
        }
    }

    /** Renew a lease; {@return false if it has ended} */
    boolean renew(String key, long id) {
        lock.lock();
        try {
            return current(key) != null && leases.renew(key, id);
        } finally {
            lock.unlock();
        }
    }

    /** Remove a key, if it has this lease; {@return whether it had} */
    boolean release(String key, long id) {
        lock.lock();
        try {
            boolean removed = leases.remove(key, id);
            if (removed) {
                values.remove(key);
                signal(key);
            }
            return removed;
        } finally {
            lock.unlock();
        }
    }

    /** {@return the value itself; null if the key does not exist, or its lease has ended} */
    private byte @Nullable [] current(String key) {
        if (leases.removeIfEnded(key)) {
            values.remove(key);
            signal(key);
        }
        return values.get(key);
    }

    /** {@return the value of a key, if it exists already} */
    byte @Nullable [] find(String key) {
        lock.lock();
        try {
            byte[] value = current(key);
            return value == null ? null : value.clone();
        } finally {
            lock.unlock();
        }
    }

    byte[] get(String key, Duration timeout) {
        return get(key, timeout, () -> false);
    }

    /**
     * Read a value, waiting until it exists.
     *
     * @param closed ends the wait; checked after {@link #wakeAll}
     */
    byte[] get(String key, Duration timeout, BooleanSupplier closed) {
        Wait found = await(key, timeout, Objects::nonNull, closed);
        if (found.value == null) {
            throw absent(key, timeout);
        }
        return found.value;
    }

    /**
     * Wait until a value differs from one that was seen.
     *
     * @param closed ends the wait; checked after {@link #wakeAll}
     */
    byte @Nullable [] watch(
            String key, byte @Nullable [] seen, Duration timeout, BooleanSupplier closed) {
        Wait found = await(key, timeout, value -> !Arrays.equals(value, seen), closed);
        if (!found.met) {
            throw unchanged(key, timeout);
        }
        return found.value;
    }

    /** The end of a wait: whether the value is one that was waited for, and a copy of it. */
    private record Wait(boolean met, byte @Nullable [] value) {}

    private Wait await(
            String key,
            Duration timeout,
            Predicate<byte @Nullable []> wanted,
            BooleanSupplier closed) {
        StoreLimits.check(key);
        lock.lock();
        try {
            Wait end = await(key, TimeUnit.NANOSECONDS.convert(timeout), wanted, closed);
            return new Wait(end.met, end.value == null ? null : end.value.clone());
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            throw new RpcException("interrupted while waiting for key '" + key + "' of the store");
        } finally {
            lock.unlock();
        }
    }

    private Wait await(
            String key, long nanos, Predicate<byte @Nullable []> wanted, BooleanSupplier closed)
            throws InterruptedException {
        long left = nanos;
        try {
            while (true) {
                byte[] value = current(key);
                boolean met = wanted.test(value);
                if (closed.getAsBoolean()) {
                    throw closed();
                }
                if (met || left <= 0) {
                    return new Wait(met, value);
                }
                Long leased = leases.nanosLeft(key);
                long slice = leased == null ? left : Math.min(left, Math.max(leased, 1));
                left -= slice - change(key).awaitNanos(slice);
            }
        } finally {
            Condition change = changes.get(key);
            if (change != null && !lock.hasWaiters(change)) {
                changes.remove(key); // no further read waits for it
            }
        }
    }

    /** Make all waits look at their keys, and whether their store was closed. */
    void wakeAll() {
        lock.lock();
        try {
            changes.values().forEach(Condition::signalAll);
        } finally {
            lock.unlock();
        }
    }

    private Condition change(String key) {
        return changes.computeIfAbsent(key, _ -> lock.newCondition());
    }

    /** {@return whether a read waits for a key} */
    boolean isAwaited(String key) {
        lock.lock();
        try {
            Condition change = changes.get(key);
            return change != null && lock.hasWaiters(change);
        } finally {
            lock.unlock();
        }
    }

    static RpcException closed() {
        return new RpcException(RpcErrorKind.SHUTDOWN, "the store was closed by this worker");
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

    static RpcTimeoutException unchanged(String key, Duration timeout) {
        return new RpcTimeoutException(
                "key '%s' did not change in the store within %d ms"
                        .formatted(key, TimeUnit.MILLISECONDS.convert(timeout)));
    }
}
