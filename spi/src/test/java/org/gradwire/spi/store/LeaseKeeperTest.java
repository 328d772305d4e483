package org.gradwire.spi.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.rpc.RpcConfigurationException;
import org.gradwire.rpc.RpcException;
import org.gradwire.spi.Store;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

class LeaseKeeperTest {
    private static final Duration LIFE = Duration.ofMillis(200);
    private static final long PATIENCE_NANOS = Duration.ofSeconds(30).toNanos();
    private static final long PAUSE_NANOS = Duration.ofMillis(1).toNanos();

    private final AtomicInteger renewals = new AtomicInteger();
    private final AtomicInteger removals = new AtomicInteger();

    private LeaseKeeper lease(Duration life, LeaseKeeper.Renewal renewal) {
        return new LeaseKeeper("key", life, System.nanoTime(), renewal, removals::incrementAndGet);
    }

    private static void await(BooleanSupplier condition) {
        long start = System.nanoTime();
        while (!condition.getAsBoolean()) {
            assertTrue(System.nanoTime() - start < PATIENCE_NANOS, "it did not happen in time");
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }

    @Test
    void itIsHeldWhileItIsRenewed() {
        try (LeaseKeeper lease =
                lease(Duration.ofSeconds(3), () -> renewals.incrementAndGet() > 0)) {
            await(() -> renewals.get() >= 4); // more than a time to live
            assertTrue(lease.isHeld());
            assertEquals("key", lease.key());
        }
    }

    @Test
    void closeRemovesTheKeyOnce() {
        LeaseKeeper lease = lease(Duration.ofHours(1), () -> true);
        assertTrue(lease.isHeld());
        lease.close();
        lease.close();
        assertFalse(lease.isHeld());
        assertEquals(1, removals.get());
    }

    @Test
    void anAbandonedLeaseIsNotHeldAndNotRemoved() {
        LeaseKeeper lease = lease(Duration.ofHours(1), () -> true);
        lease.abandon();
        assertFalse(lease.isHeld());
        lease.close();
        assertEquals(0, removals.get());
    }

    @Test
    void aLeaseThatTheStoreLostIsNotHeldAgain() {
        LeaseKeeper lease = lease(LIFE, () -> renewals.incrementAndGet() > 1);
        await(() -> !lease.isHeld());
        assertTrue(renewals.get() <= 1, "it was renewed after its loss");
        assertFalse(lease.isHeld());
    }

    @Test
    void aStoreThatCannotBeReachedIsAskedAgain() {
        try (LeaseKeeper lease =
                lease(
                        Duration.ofSeconds(3),
                        () -> {
                            renewals.incrementAndGet();
                            throw new RpcException("the store cannot be reached");
                        })) {
            await(() -> renewals.get() >= 2);
            assertEquals("key", lease.key());
        }
    }

    @Test
    void aStoreWithoutAnOperationSaysSo() {
        var store = new SmallStore();
        assertEquals(
                "SmallStore does not offer compareAndSet; name another store in gradwire.rendezvous, such as tcp://host:port",
                refusal(() -> store.compareAndSet("key", null, new byte[0])));
        assertTrue(
                refusal(() -> store.watch("key", null, Duration.ZERO))
                        .startsWith("SmallStore does not offer watch"));
        assertTrue(
                refusal(() -> store.acquire("key", new byte[0], Store.MIN_LEASE))
                        .startsWith("SmallStore does not offer leases"));
    }

    private static String refusal(Runnable operation) {
        return assertThrows(RpcConfigurationException.class, operation::run).getMessage();
    }

    private static final class SmallStore implements Store {
        @Override
        public void set(String key, byte[] value) {}

        @Override
        public byte[] get(String key, Duration timeout) {
            return new byte[0];
        }

        @Override
        public long add(String key, long amount) {
            return amount;
        }

        @Override
        public void close() {}
    }
}
