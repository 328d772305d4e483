package org.gradwire.backend.tensorpipe;

import org.gradwire.rpc.RpcTimeoutException;
import org.gradwire.spi.Store;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A store within this JVM. */
public class MapStore implements Store {
    private final Map<String, byte[]> values = new HashMap<>();

    @Override
    public synchronized void set(String key, byte[] value) {
        values.put(key, value);
        notifyAll();
    }

    @Override
    public synchronized byte[] get(String key, Duration timeout) {
        long deadline = System.nanoTime() + timeout.toNanos();
        byte[] value = values.get(key);
        while (value == null) {
            long millis = (deadline - System.nanoTime()) / 1_000_000;
            if (millis <= 0) {
                throw new RpcTimeoutException("no value of " + key + " in " + timeout);
            }
            try {
                wait(millis);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            value = values.get(key);
        }
        return value;
    }

    @Override
    public synchronized long add(String key, long amount) {
        byte[] before = values.getOrDefault(key, new byte[] {'0'});
        long sum = Long.parseLong(new String(before, StandardCharsets.US_ASCII)) + amount;
        set(key, Long.toString(sum).getBytes(StandardCharsets.US_ASCII));
        return sum;
    }

    /** {@return all keys that have a value} */
    synchronized List<String> keys() {
        return List.copyOf(values.keySet());
    }

    @Override
    public void close() {}
}
