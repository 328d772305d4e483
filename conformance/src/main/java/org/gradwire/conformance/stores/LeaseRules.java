package org.gradwire.conformance.stores;

import static org.gradwire.conformance.stores.StoreWorld.check;

import org.gradwire.rpc.RpcTimeoutException;
import org.gradwire.spi.Lease;
import org.gradwire.spi.Store;
import org.gradwire.spi.StoreCapability;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** Rules about leases. */
final class LeaseRules {
    private static final String KEY = "leader";
    private static final byte[] A = {'a'};
    private static final byte[] B = {'b'};
    private static final Duration LIFE = Store.MIN_LEASE;

    static final List<StoreRule> ALL =
            List.of(
                    new StoreRule(
                            "STORE-6",
                            "MUST keep a key with a lease until the lease is closed, also after a set of the key, and give it to one client only.",
                            LeaseRules::keeps,
                            StoreCapability.LEASE,
                            StoreCapability.WATCH),
                    new StoreRule(
                            "STORE-7",
                            "MUST remove a key whose lease is no longer renewed, not before its time to live.",
                            LeaseRules::expires,
                            StoreCapability.LEASE,
                            StoreCapability.WATCH),
                    new StoreRule(
                            "STORE-8",
                            "MUST remove a key at once when its lease is closed, and leave a key that another client has acquired since.",
                            LeaseRules::releases,
                            StoreCapability.LEASE,
                            StoreCapability.WATCH));

    private LeaseRules() {}

    private static Lease acquire(Store store, byte[] value) {
        return store.acquire(KEY, value, LIFE)
                .orElseThrow(() -> new AssertionError("a free key could not be acquired"));
    }

    private static void keeps(StoreWorld world) {
        Store second = world.another();
        Lease lease = acquire(world.first(), A);
        check(
                second.acquire(KEY, B, LIFE).isEmpty(),
                "two clients acquired the same key at the same time");
        second.set(KEY, B);
        try {
            byte[] changed = second.watch(KEY, B, LIFE.multipliedBy(3));
            throw new AssertionError(
                    "a key whose lease is kept became " + Arrays.toString(changed));
        } catch (RpcTimeoutException _) {
            check(lease.isHeld(), "a lease that its store keeps is not held");
        }
        lease.close();
        check(!lease.isHeld(), "a closed lease is held");
        check(second.watch(KEY, B, world.patience()) == null, "a set took the key from its lease");
    }

    private static void expires(StoreWorld world) {
        Store second = world.another();
        long start = System.nanoTime();
        Lease lease = acquire(world.first(), A);
        lease.abandon();
        check(!lease.isHeld(), "an abandoned lease is held");
        check(
                second.watch(KEY, A, world.patience()) == null,
                "the key of an abandoned lease has another value");
        check(
                System.nanoTime() - start >= LIFE.toNanos(),
                "the key of a lease vanished before its time to live");
        acquire(second, B).close();
    }

    private static void releases(StoreWorld world) {
        Store second = world.another();
        Optional<Lease> lease = world.first().acquire(KEY, A, Store.MAX_LEASE);
        check(lease.isPresent(), "a free key could not be acquired");
        lease.orElseThrow().close();
        Lease successor =
                second.acquire(KEY, B, LIFE)
                        .orElseThrow(() -> new AssertionError("a closed lease kept its key"));
        lease.orElseThrow().close();
        check(
                Arrays.equals(B, second.get(KEY, Duration.ZERO)) && successor.isHeld(),
                "an old lease removed the key of its successor");
        Lease abandoned = successor;
        abandoned.abandon();
        check(second.watch(KEY, B, world.patience()) == null, "the key has another value");
        acquire(world.first(), A);
        abandoned.close();
        check(
                Arrays.equals(A, second.get(KEY, Duration.ZERO)),
                "a lease that had expired removed the key of its successor");
    }
}
