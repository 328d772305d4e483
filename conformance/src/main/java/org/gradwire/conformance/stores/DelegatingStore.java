package org.gradwire.conformance.stores;

import org.gradwire.spi.Lease;
import org.gradwire.spi.Store;
import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.Optional;

/** A store that delegates to a correct one, except for the methods that a mutant overrides. */
abstract class DelegatingStore implements Store {
    final Store correct;

    DelegatingStore(Store correct) {
        this.correct = correct;
    }

    @Override
    public void set(String key, byte[] value) {
        correct.set(key, value);
    }

    @Override
    public byte[] get(String key, Duration timeout) {
        return correct.get(key, timeout);
    }

    @Override
    public long add(String key, long amount) {
        return correct.add(key, amount);
    }

    @Override
    public boolean compareAndSet(String key, byte @Nullable [] expected, byte[] value) {
        return correct.compareAndSet(key, expected, value);
    }

    @Override
    public byte @Nullable [] watch(String key, byte @Nullable [] seen, Duration timeout) {
        return correct.watch(key, seen, timeout);
    }

    @Override
    public Optional<Lease> acquire(String key, byte[] value, Duration timeToLive) {
        return correct.acquire(key, value, timeToLive);
    }

    @Override
    public void close() {
        correct.close();
    }
}
