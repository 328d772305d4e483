package org.gradwire.spi.store;

import org.gradwire.rpc.RpcException;
import org.gradwire.spi.Lease;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A lease that a virtual thread renews three times in its time to live, for stores to return.
 * Thread-safe.
 */
public final class LeaseKeeper implements Lease {
    private static final System.Logger LOGGER = System.getLogger("org.gradwire.store");
    private static final int RENEWALS = 3; // in a time to live
    private static final int RETRIES = 20;

    private final String key;
    private final long lifeNanos;
    private final Renewal renewal;
    private final Runnable removal;
    private final AtomicBoolean ended = new AtomicBoolean();
    private final Thread keeper;
    private volatile long endNanos; // of the certain existence

    /** Renews a lease in its store. */
    @FunctionalInterface
    public interface Renewal {
        /**
         * Renew the lease.
         *
         * @return false if the store no longer has it
         * @throws RpcException if the store cannot be reached; another attempt follows
         */
        boolean renew();
    }

    /**
     * Keep a lease that a store has granted.
     *
     * @param timeToLive as the store applies it
     * @param requestedNanos the time before the request to the store, by {@link System#nanoTime}
     * @param removal removes the key; called once at most
     */
    public LeaseKeeper(
            String key,
            Duration timeToLive,
            long requestedNanos,
            Renewal renewal,
            Runnable removal) {
        this.key = key;
        this.lifeNanos = timeToLive.toNanos();
        this.renewal = renewal;
        this.removal = removal;
        endNanos = requestedNanos + lifeNanos;
        keeper = Thread.ofVirtual().name("gradwire-lease").start(this::keep);
    }

    @Override
    public String key() {
        return key;
    }

    @Override
    public boolean isHeld() {
        return !ended.get() && System.nanoTime() - endNanos < 0;
    }

    private void keep() {
        long pause = lifeNanos / RENEWALS;
        try {
            while (isHeld()) {
                TimeUnit.NANOSECONDS.sleep(pause);
                pause = renewOnce() ? lifeNanos / RENEWALS : lifeNanos / RETRIES;
            }
        } catch (InterruptedException _) {
            return; // closed
        }
        if (ended.compareAndSet(false, true)) {
            LOGGER.log(System.Logger.Level.WARNING, "the lease of key {0} was lost", key);
        }
    }

    /** {@return whether it was renewed} */
    private boolean renewOnce() {
        long requested = System.nanoTime();
        try {
            if (!renewal.renew()) {
                endNanos = requested;
            } else if (isHeld()) { // a loss that a caller may have seen is final
                endNanos = requested + lifeNanos;
                return true;
            }
        } catch (RpcException e) {
            LOGGER.log(
                    System.Logger.Level.DEBUG,
                    "the lease of key {0} was not renewed: {1}",
                    key,
                    e.getMessage());
        }
        return false;
    }

    @Override
    public void abandon() {
        ended.set(true);
        keeper.interrupt();
    }

    @Override
    public void close() {
        if (!ended.compareAndSet(false, true)) {
            return;
        }
        keeper.interrupt();
        try {
            removal.run();
        } catch (RpcException e) {
            LOGGER.log(
                    System.Logger.Level.DEBUG,
                    "key {0} was not removed, and expires: {1}",
                    key,
                    e.getMessage());
        }
    }
}
