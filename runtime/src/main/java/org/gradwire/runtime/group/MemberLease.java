package org.gradwire.runtime.group;

import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.RpcTimeoutException;
import org.gradwire.rpc.WorkerInfo;
import org.gradwire.runtime.config.RuntimeSettings;
import org.gradwire.spi.Lease;
import org.gradwire.spi.Store;
import org.jspecify.annotations.Nullable;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Stops a worker that does not reach the store, before the others continue without it. Thread-safe.
 *
 * <p>Each member keeps a lease in the store, and is reported as lost only when that has vanished. A
 * worker stops by its own clock when its lease may have vanished. So of a group whose network is
 * cut, only the members that reach the store continue.
 */
final class MemberLease implements AutoCloseable {
    private static final System.Logger LOGGER = System.getLogger("org.gradwire.groups");
    static final int LOOKS = 50; // at the lease of this worker in its time to live
    private static final int STOPPING_LOOKS = 2; // after which an owner has seen a loss and stops
    private static final int MOST_LIVES = 3; // of a peer that is alive, but unreachable

    private final Store store;
    private final Duration timeToLive;
    private volatile @Nullable Lease own;
    private volatile String reason = "";
    private volatile boolean closed;

    /**
     * Create the lease of a worker, which has none until {@link #acquire}.
     *
     * @param timeToLive zero: the members of the group have no leases
     */
    MemberLease(Store store, Duration timeToLive) {
        this.store = store;
        this.timeToLive = timeToLive;
    }

    /**
     * Acquire the lease of this worker, and watch it.
     *
     * @param place where it joined
     * @param onLost receives the reason if the lease is lost, on another thread
     * @throws RpcException if the store cannot be reached or has no leases
     */
    void acquire(WorkerInfo self, long place, Consumer<String> onLost) {
        if (timeToLive.isZero()) {
            return;
        }
        Lease lease =
                store.acquire(key(self, place), value(self), timeToLive)
                        .orElseThrow(() ->
                                new RpcException(
                                        "the lease of %s, which joined at place %d, exists already"
                                                .formatted(self, place)));
        reason = reason(self);
        own = lease;
        Thread.ofVirtual()
                .name("gradwire-" + self.name() + "-lease")
                .start(() -> {
                    awaitLoss(lease);
                    if (!closed) {
                        onLost.accept(reason);
                    }
                });
    }

    private void awaitLoss(Lease lease) {
        while (lease.isHeld()) {
            pause(1);
        }
    }

    private void pause(int looks) {
        try {
            TimeUnit.NANOSECONDS.sleep(looks * timeToLive.toNanos() / LOOKS);
        } catch (InterruptedException e) {
            throw new IllegalStateException("nothing interrupts this thread", e);
        }
    }

    private String reason(WorkerInfo self) {
        return "%s has stopped: it could not renew its lease at the rendezvous for %d ms (%s), so the other members may have continued without it; start it again when it can reach the rendezvous"
                .formatted(self, timeToLive.toMillis(), RuntimeSettings.MEMBER_LEASE);
    }

    /**
     * {@return the reason why this worker may no longer be a member; null if it certainly is one,
     * has no lease, or has left}
     */
    @Nullable String lapse() {
        Lease lease = own;
        return lease == null || closed || lease.isHeld() ? null : reason;
    }

    /**
     * Wait until the lease of another member has vanished, and for the time that it may take to
     * notice that and stop.
     *
     * <p>Ends after some times to live also if the member renews its lease: the two cannot reach
     * each other, though both reach the store, and one of them has to stop.
     *
     * @param place where it joined
     * @throws RpcException if the store cannot be reached
     */
    void awaitVanished(WorkerInfo peer, long place) {
        if (timeToLive.isZero()) {
            return;
        }
        byte[] seen = value(peer);
        try {
            while (seen != null) {
                seen = store.watch(key(peer, place), seen, timeToLive.multipliedBy(MOST_LIVES));
            }
            pause(STOPPING_LOOKS);
        } catch (RpcTimeoutException _) {
            LOGGER.log(
                    System.Logger.Level.WARNING,
                    "{0} cannot be reached, but renews its lease at the rendezvous",
                    peer);
        }
    }

    private static String key(WorkerInfo worker, long place) {
        return Store.keyOf(worker.name(), "member/" + place);
    }

    private static byte[] value(WorkerInfo worker) {
        return worker.name().getBytes(StandardCharsets.UTF_8);
    }

    /** Remove the lease, since this worker has left or stopped. Does not throw. */
    @Override
    public void close() {
        closed = true;
        Lease lease = own;
        if (lease != null) {
            lease.close();
        }
    }
}
