package org.gradwire.conformance.mutants;

import org.gradwire.spi.Store;

import java.time.Duration;

/** A store that delegates to another one, except for what a mutant overrides. */
abstract class ForwardingStore implements Store {
    private final Store store;

    ForwardingStore(Store store) {
        this.store = store;
    }

    @Override
    public void set(String key, byte[] value) {
        store.set(key, value);
    }

    @Override
    public byte[] get(String key, Duration timeout) {
        return store.get(key, timeout);
    }

    @Override
    public long add(String key, long amount) {
        return store.add(key, amount);
    }

    @Override
    public void close() {
        store.close();
    }
}
