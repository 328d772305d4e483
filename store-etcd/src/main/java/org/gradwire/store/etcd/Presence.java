package org.gradwire.store.etcd;

import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.WorkerInfo;
import org.gradwire.spi.store.StoreContext;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * Shows that a worker runs: renews the leases of its entry in a run and of the run, and makes
 * another entry if its lease was lost, as after a long pause. Thread-safe.
 */
final class Presence implements AutoCloseable {
    private static final System.Logger LOGGER = System.getLogger("org.gradwire.store");
    private static final int RENEWALS = 3; // in a time to live
    private static final int WRITES = 10; // in a time to live, while a static group forms
    private static final long RUN_RENEWAL_NANOS = TimeUnit.MINUTES.toNanos(5);
    private static final Duration CLOSING_TIME = Duration.ofSeconds(3);

    private final EtcdClient client;
    private final EtcdLeases leases;
    private final WorkerInfo self;
    private final Run run;
    private final byte[] entry;
    private final int worldSize; // 0 in a dynamic group
    private final Duration timeToLive;
    private final Duration timeout; // of a renewal
    private final Thread keeper;
    private volatile long lease;
    private volatile boolean ended;
    private long runRenewedNanos = System.nanoTime(); // by the keeper, as the rest
    private long renewedNanos = System.nanoTime();
    private boolean forming;
    private long writes;

    Presence(EtcdClient client, StoreContext context, RunEntry.Entered entered) {
        this.client = client;
        this.leases = new EtcdLeases(client);
        this.self = context.self();
        worldSize = context.worldSize();
        forming = worldSize > 0;
        run = entered.run();
        entry = run.keys().alive(self.id(), entered.clientId());
        timeToLive = entered.presence().timeToLive();
        timeout = timeToLive.dividedBy(2);
        lease = entered.presence().id();
        keeper = Thread.ofVirtual().name("gradwire-etcd-presence").start(this::keep);
    }

    /** {@return whether the keys of the run are no longer in etcd} */
    boolean hasEnded() {
        return ended;
    }

    private void keep() {
        try {
            while (!ended) {
                renew();
                TimeUnit.NANOSECONDS.sleep(timeToLive.toNanos() / (forming ? WRITES : RENEWALS));
            }
        } catch (InterruptedException _) {
            // closed
        }
    }

    private void renew() {
        try {
            if (forming) {
                write();
            }
            long now = System.nanoTime();
            if (!forming || now - renewedNanos > timeToLive.toNanos() / RENEWALS) {
                if (!leases.renew(lease, timeout)) {
                    enterAgain();
                }
                renewedNanos = now;
            }
            if (now - runRenewedNanos > RUN_RENEWAL_NANOS) {
                ended |= !leases.renew(run.lease(), timeout);
                runRenewedNanos = now;
            }
        } catch (RpcException e) {
            LOGGER.log(
                    Level.DEBUG,
                    "{0} could not renew its lease in etcd: {1}",
                    self,
                    e.getMessage());
        }
    }

    /** Show the workers that are about to enter the run that this one has not crashed. */
    private void write() {
        Txn txn = new Txn().ifPresent(entry).update(entry, RunEntry.entry(self, ++writes));
        var _ = client.post("kv/txn", txn.body(), timeout);
        Json ranks = client.post("kv/range", Txn.rangeBelow(run.keys().ranks()), timeout);
        forming = ranks.get("count").number() < worldSize;
    }

    private void enterAgain() {
        long fresh = leases.grant(timeToLive, timeout).id();
        Txn txn =
                new Txn()
                        .ifPresent(run.keys().open())
                        .put(entry, RunEntry.entry(self, ++writes), fresh);
        if (client.post("kv/txn", txn.body(), timeout).get("succeeded").isTrue()) {
            lease = fresh;
            LOGGER.log(
                    Level.WARNING,
                    "{0} could not reach etcd for {1} ms or more, and has entered its group''s run again",
                    self,
                    timeToLive.toMillis());
        } else {
            ended = true;
            LOGGER.log(Level.WARNING, "{0}: {1}", self, client.ended().getMessage());
        }
    }

    /** Remove the entry; the last worker of the run removes its keys. Does not throw. */
    @Override
    public void close() {
        keeper.interrupt();
        try {
            leases.revoke(lease, CLOSING_TIME);
            var txn =
                    new Txn()
                            .ifNoneBelow(run.keys().alive())
                            .deleteBelow(run.keys().all())
                            .deleteIfValue(EtcdKeys.current(run.keys().job()), run.encode());
            Json reply = client.post("kv/txn", txn.body(), CLOSING_TIME);
            if (reply.get("succeeded").isTrue()) {
                leases.revoke(run.lease(), CLOSING_TIME);
            }
        } catch (RpcException e) {
            LOGGER.log(
                    Level.DEBUG,
                    "{0} left its keys in etcd, which expire: {1}",
                    self,
                    e.getMessage());
        }
    }
}
