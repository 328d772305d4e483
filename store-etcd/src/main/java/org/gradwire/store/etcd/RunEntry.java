package org.gradwire.store.etcd;

import org.gradwire.rpc.RpcConfigurationException;
import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.WorkerInfo;
import org.gradwire.spi.store.StoreContext;
import org.jspecify.annotations.Nullable;

import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Enters a worker into the current run of its job, or begins the next run.
 *
 * <p>A run has ended when no worker has an entry below {@link EtcdKeys#alive()}: each ended
 * normally, or its lease expired. So a job that crashed delays the next one with its name by the
 * time to live at most. The next run of a static group also begins when all ranks of the current
 * one were taken, and the worker that had this rank has ended. While a static group forms, a worker
 * enters only when each worker in the run has written its entry since it looked first.
 */
final class RunEntry {
    static final Duration REQUEST_TIME = Duration.ofSeconds(30);

    /** The life of the keys of a run after its last worker crashed. */
    private static final Duration RUN_LIFE = Duration.ofHours(1);

    private static final long PAUSE_MILLIS = 100;
    private static final int ID_BYTES = 8;

    private final EtcdClient client;
    private final EtcdLeases leases;
    private final EtcdSettings settings;
    private final String job;
    private final WorkerInfo self;
    private final int worldSize; // 0 in a dynamic group
    private final Duration timeout;
    private final Duration requestTime;
    private final String clientId = randomId();
    private final Map<Long, Sight> seen = new HashMap<>(); // of others' leases
    private long firstRevision; // of etcd when this worker looked first; 0 before that

    /** The result: the run, and the lease that shows that this worker runs. */
    record Entered(Run run, EtcdLeases.Granted presence, long grantedNanos, String clientId) {}

    /** A worker in a run, by the lease of its entry, which it wrote last at a revision. */
    private record Member(int id, String name, long lease, long revision) {}

    /** The first look at a lease: the time, and the seconds that it had left, at least. */
    private record Sight(long nanos, long secondsLeft) {}

    /** The current run, with the revision that named it. */
    private record Current(Run run, long revision, List<Member> members) {}

    /**
     * Prepare to enter.
     *
     * @param context the worker, its group and the time that it may wait
     */
    RunEntry(EtcdClient client, EtcdSettings settings, String job, StoreContext context) {
        this.client = client;
        this.leases = new EtcdLeases(client);
        this.settings = settings;
        this.job = job;
        this.self = context.self();
        this.worldSize = context.worldSize();
        this.timeout = context.timeout();
        requestTime = timeout.compareTo(REQUEST_TIME) < 0 ? timeout : REQUEST_TIME;
    }

    private static String randomId() {
        byte[] id = new byte[ID_BYTES];
        new SecureRandom().nextBytes(id);
        return HexFormat.of().formatHex(id);
    }

    /**
     * Enter.
     *
     * @throws RpcConfigurationException if a run that this worker cannot enter does not end in time
     */
    Entered enter() {
        long start = System.nanoTime();
        while (true) {
            Current current = current();
            Entered entered = current == null ? begin(null, false) : enter(current);
            if (entered != null) {
                return entered;
            }
            if (System.nanoTime() - start > TimeUnit.NANOSECONDS.convert(timeout)) {
                throw occupied(current);
            }
            pause();
        }
    }

    private RpcConfigurationException occupied(@Nullable Current current) {
        List<String> names =
                current == null
                        ? List.of()
                        : current.members().stream().map(Member::name).sorted().toList();
        return new RpcConfigurationException(
                "job %s in etcd has a run that %s cannot enter and that did not end within %d ms; its workers are %s: end them, or choose another job in gradwire.rendezvous"
                        .formatted(job, self, timeout.toMillis(), names));
    }

    private static void pause() {
        try {
            Thread.sleep(PAUSE_MILLIS);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            throw new RpcException("interrupted while waiting for etcd");
        }
    }

    private @Nullable Current current() {
        List<Json> found =
                client.post("kv/range", Txn.range(EtcdKeys.current(job)), requestTime)
                        .get("kvs")
                        .elements();
        if (found.isEmpty()) {
            return null;
        }
        Run run = Run.decode(job, found.getFirst().get("value").bytes());
        if (run == null) {
            throw new RpcConfigurationException(
                    "the key %s/run in etcd is not of a Gradwire job; choose another job in gradwire.rendezvous"
                            .formatted(job));
        }
        return new Current(run, found.getFirst().get("mod_revision").number(), members(run));
    }

    private List<Member> members(Run run) {
        List<Member> members = new ArrayList<>();
        Json reply = client.post("kv/range", Txn.rangeBelow(run.keys().alive()), requestTime);
        for (Json entry : reply.get("kvs").elements()) {
            int id = run.keys().idOf(entry.get("key").bytes());
            String name = new String(entry.get("value").bytes(), StandardCharsets.UTF_8);
            members.add(
                    new Member(
                            id,
                            name.split(" ", 2)[0],
                            entry.get("lease").number(),
                            entry.get("mod_revision").number()));
        }
        if (firstRevision == 0) {
            firstRevision = reply.get("header").get("revision").number();
        }
        return members;
    }

    /** {@return null if this worker has to wait} */
    private @Nullable Entered enter(Current current) {
        if (current.members().isEmpty()) {
            return begin(current, true);
        }
        List<Member> sameId =
                current.members().stream().filter(member -> member.id() == self.id()).toList();
        if (worldSize == 0) {
            // A predecessor may have crashed alone, or with all others.
            return sameId.isEmpty() || isOneRenewed(current.members()) ? join(current) : null;
        }
        int taken = ranksTaken(current.run());
        if (taken < 0) {
            // A run of which a worker has crashed cannot form.
            return current.members().stream().allMatch(this::hasWritten) ? join(current) : null;
        }
        if (!sameId.isEmpty()) {
            return isOneRenewed(sameId) ? join(current) : null; // the group reports the twin
        }
        return taken == worldSize ? begin(current, false) : null;
    }

    /** {@return whether a worker has written its entry since this one looked first} */
    private boolean hasWritten(Member member) {
        return member.revision() > firstRevision;
    }

    /** {@return the number of ranks that were taken; -1 if that of this worker is not} */
    private int ranksTaken(Run run) {
        Json reply = client.post("kv/range", Txn.rangeBelow(run.keys().ranks()), requestTime);
        List<Json> ranks = reply.get("kvs").elements();
        String own = Json.base64(run.keys().rank(self.id()));
        boolean isTaken = ranks.stream().anyMatch(rank -> rank.get("key").text().equals(own));
        return isTaken ? ranks.size() : -1;
    }

    /** {@return whether one of some workers has certainly run since this one looked first} */
    private boolean isOneRenewed(List<Member> members) {
        boolean renewed = false;
        for (Member member : members) {
            renewed |= hasWritten(member) || isRenewed(member);
        }
        return renewed;
    }

    private boolean isRenewed(Member member) {
        EtcdLeases.Left left = leases.left(member.lease(), requestTime);
        long now = System.nanoTime();
        Sight first =
                seen.merge(
                        member.lease(),
                        new Sight(now, left.seconds()),
                        (old, _) ->
                                new Sight(
                                        old.nanos(), Math.min(old.secondsLeft(), left.seconds())));
        // etcd reports whole seconds, so the renewal of a short lease cannot be seen.
        boolean isOlder = now - first.nanos() > TimeUnit.SECONDS.toNanos(left.granted() + 1);
        return left.seconds() > first.secondsLeft() || (isOlder && left.seconds() >= 0);
    }

    /**
     * Begin a run, with this worker in it, unless another worker begins one.
     *
     * @param old the current run; null if there is none
     * @param ended whether its keys are deleted
     */
    private @Nullable Entered begin(@Nullable Current old, boolean ended) {
        var run = new Run(new EtcdKeys(job, randomId()), leases.grant(RUN_LIFE, requestTime).id());
        var txn = new Txn().ifRevision(EtcdKeys.current(job), old == null ? 0 : old.revision());
        if (old != null && ended) {
            txn.ifNoneBelow(old.run().keys().alive()).deleteBelow(old.run().keys().all());
        }
        txn.put(EtcdKeys.current(job), run.encode(), run.lease())
                .put(run.keys().open(), new byte[0], run.lease());
        Entered entered = enter(run, txn);
        if (entered == null) {
            leases.revoke(run.lease(), requestTime);
        }
        return entered;
    }

    private @Nullable Entered join(Current current) {
        return enter(
                current.run(), new Txn().ifRevision(EtcdKeys.current(job), current.revision()));
    }

    private @Nullable Entered enter(Run run, Txn txn) {
        long granted = System.nanoTime();
        EtcdLeases.Granted presence = leases.grant(settings.timeToLive(), requestTime);
        byte[] own = run.keys().alive(self.id(), clientId);
        txn.put(own, entry(self, 0), presence.id());
        if (worldSize > 0) {
            txn.putOrUpdate(run.keys().rank(self.id()), new byte[0], run.lease());
        }
        Json reply = client.post("kv/txn", txn.elseRead(own).body(), requestTime);
        if (reply.get("succeeded").isTrue() || wasApplied(reply, presence)) {
            return new Entered(run, presence, granted, clientId);
        }
        leases.revoke(presence.id(), requestTime);
        return null;
    }

    /** {@return the value of the entry of a worker when it has written it a number of times} */
    static byte[] entry(WorkerInfo worker, long times) {
        return (worker.name() + " " + times).getBytes(StandardCharsets.UTF_8);
    }

    /** {@return whether an attempt whose reply was lost has entered this worker} */
    private static boolean wasApplied(Json reply, EtcdLeases.Granted presence) {
        return read(reply, 0).get("lease").number() == presence.id();
    }

    /** {@return a key that a transaction read; empty if it does not exist} */
    static Json read(Json reply, int index) {
        List<Json> responses = reply.get("responses").elements();
        if (index >= responses.size()) {
            return new Json(null);
        }
        List<Json> found = responses.get(index).get("response_range").get("kvs").elements();
        return found.isEmpty() ? new Json(null) : found.getFirst();
    }
}
