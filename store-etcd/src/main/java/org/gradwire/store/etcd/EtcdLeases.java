package org.gradwire.store.etcd;

import org.gradwire.rpc.RpcException;

import java.time.Duration;
import java.util.Map;

/** Grants, renews and revokes leases of etcd. */
record EtcdLeases(EtcdClient client) {

    /** A lease that etcd has granted. */
    record Granted(long id, Duration timeToLive) {}

    /**
     * Grant a lease.
     *
     * @param timeToLive rounded up to whole seconds; etcd may make it longer
     */
    Granted grant(Duration timeToLive, Duration timeout) {
        long seconds = timeToLive.plusSeconds(1).minusNanos(1).toSeconds();
        Json reply = client.post("lease/grant", Map.of("TTL", Long.toString(seconds)), timeout);
        long granted = reply.get("TTL").number();
        long id = reply.get("ID").number();
        if (id == 0 || granted < seconds) {
            throw new RpcException("etcd granted no lease of %d s".formatted(seconds));
        }
        return new Granted(id, Duration.ofSeconds(granted));
    }

    /** Renew a lease; {@return false if it has expired} */
    boolean renew(long id, Duration timeout) {
        Json reply = client.post("lease/keepalive", named(id), timeout);
        return reply.get("result").get("TTL").number() > 0;
    }

    /**
     * The time that a lease has left, in whole seconds.
     *
     * @param seconds negative if it has expired
     * @param granted when it is renewed
     */
    record Left(long seconds, long granted) {}

    Left left(long id, Duration timeout) {
        Json reply = client.post("lease/timetolive", named(id), timeout);
        return new Left(reply.get("TTL").number(), reply.get("grantedTTL").number());
    }

    /** End a lease and delete its keys, if it has not expired. */
    void revoke(long id, Duration timeout) {
        try {
            var _ = client.post("lease/revoke", named(id), timeout);
        } catch (LeaseNotFoundException _) {
            // it has expired
        }
    }

    private static Map<String, ?> named(long id) {
        return Map.of("ID", Long.toString(id));
    }
}
