package org.gradwire.runtime.store;

import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.RpcTimeoutException;
import org.jspecify.annotations.Nullable;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Names to bytes in this JVM, with waiting. */
final class WaitingMap {
    private final Map<String, byte[]> values = new HashMap<>(); // guarded by this

    synchronized void set(String key, byte[] value) {
        StoreLimits.check(key, value);
        values.put(key, value.clone());
        notifyAll();
    }

    synchronized long add(String key, long amount) {
        long sum = decimal(key, values.get(key)) + amount;
        set(key, Long.toString(sum).getBytes(StandardCharsets.US_ASCII));
        return sum;
    }

    synchronized byte[] get(String key, Duration timeout) {
        StoreLimits.check(key);
        long start = System.nanoTime();
        long patience = TimeUnit.NANOSECONDS.convert(timeout);
        byte[] value;
        while ((value = values.get(key)) == null) {
            long left = patience - (System.nanoTime() - start);
            if (left <= 0) {
                throw absent(key, timeout);
            }
            try {
                TimeUnit.NANOSECONDS.timedWait(this, left);
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
                throw new RpcException(
                        "interrupted while waiting for key '" + key + "' of the store");
            }
        }
        return value.clone();
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
                            .formatted(key, text));
        }
    }

    static RpcTimeoutException absent(String key, Duration timeout) {
        return new RpcTimeoutException(
                "key '%s' did not appear in the store within %d ms"
                        .formatted(key, TimeUnit.MILLISECONDS.convert(timeout)));
    }
}
