package org.gradwire.conformance.harness;

import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.RpcTimeoutException;
import org.gradwire.spi.Store;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/** An in-memory store for agents of one JVM. Thread-safe. */
public final class MemoryStore implements Store {
    private final Map<String, byte[]> values = new HashMap<>(); // guarded by this

    /** Create an empty store. */
    public MemoryStore() {}

    @Override
    public synchronized void set(String key, byte[] value) {
        values.put(key, value.clone());
        notifyAll();
    }

    @Override
    public synchronized byte[] get(String key, Duration timeout) {
        long deadline = System.nanoTime() + timeout.toNanos();
        while (!values.containsKey(key)) {
            long left = (deadline - System.nanoTime()) / 1_000_000;
            if (left <= 0) {
                throw new RpcTimeoutException(
                        "key '%s' did not appear in the store within %s".formatted(key, timeout));
            }
            try {
                wait(left);
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
                throw new RpcException("interrupted while waiting for key '" + key + "'");
            }
        }
        return values.getOrDefault(key, new byte[0]).clone();
    }

    @Override
    public synchronized long add(String key, long amount) {
        long sum =
                Long.parseLong(
                                new String(
                                        values.getOrDefault(key, new byte[] {'0'}),
                                        StandardCharsets.US_ASCII))
                        + amount;
        set(key, Long.toString(sum).getBytes(StandardCharsets.US_ASCII));
        return sum;
    }

    /** {@return the number of values} */
    public synchronized int size() {
        return values.size();
    }

    @Override
    public void close() {}
}
