package org.gradwire.conformance.rules;

import org.gradwire.conformance.harness.MemoryStore;
import org.gradwire.spi.Store;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** A view of a group's store whose writes are invisible to others. */
final class PrivateStore implements Store {
    private final MemoryStore shared;
    private final Map<String, byte[]> own = new ConcurrentHashMap<>();

    PrivateStore(MemoryStore shared) {
        this.shared = shared;
    }

    @Override
    public void set(String key, byte[] value) {
        own.put(key, value.clone());
    }

    @Override
    public byte[] get(String key, Duration timeout) {
        byte[] value = own.get(key);
        return value == null ? shared.get(key, timeout) : value.clone();
    }

    @Override
    public long add(String key, long amount) {
        return shared.add(key, amount);
    }

    @Override
    public void close() {}
}
