package org.gradwire.store.etcd;

import org.gradwire.rpc.RpcErrorKind;
import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.RpcTimeoutException;
import org.gradwire.spi.Lease;
import org.gradwire.spi.Store;
import org.gradwire.spi.UntrustedText;
import org.gradwire.spi.store.LeaseKeeper;
import org.gradwire.spi.store.StoreContext;
import org.jspecify.annotations.Nullable;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiFunction;
import java.util.function.Predicate;

/** A store in an etcd cluster: the keys of one {@link Run}. Thread-safe. */
final class EtcdStore implements Store {
    private static final Duration CLOSING_TIME = Duration.ofSeconds(2);

    /** The time after which a wait reads the key again, although no stream has shown a change. */
    private static final long LOOK_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final EtcdClient client;
    private final EtcdLeases leases;
    private final Run run;
    private final Writers writers;
    private final Watches watches;
    private final Presence presence;
    private final Set<LeaseKeeper> kept = ConcurrentHashMap.newKeySet();
    private final AtomicBoolean closed = new AtomicBoolean();

    private EtcdStore(EtcdClient client, StoreContext context, RunEntry.Entered entered) {
        this.client = client;
        leases = new EtcdLeases(client);
        run = entered.run();
        writers = new Writers(client, run, entered.clientId());
        watches = new Watches(client);
        presence = new Presence(client, context, entered);
    }

    /** Enter the current run of a job, or begin one. */
    static EtcdStore open(
            EtcdClient client, EtcdAddress address, EtcdSettings settings, StoreContext context) {
        var entry = new RunEntry(client, settings, address.job(), context);
        return new EtcdStore(client, context, entry.enter());
    }

    /** A value as etcd had it at a revision. */
    private record Seen(byte @Nullable [] value, long keyRevision, long revision) {}

    private Seen read(String key) {
        requireOpen();
        Json reply =
                client.post("kv/range", Txn.range(run.keys().entry(key)), RunEntry.REQUEST_TIME);
        long revision = reply.get("header").get("revision").number();
        List<Json> found = reply.get("kvs").elements();
        return found.isEmpty() ? new Seen(null, 0, revision) : seen(found.getFirst(), revision);
    }

    private static Seen seen(Json entry, long revision) {
        return entry.isAbsent()
                ? new Seen(null, 0, revision)
                : new Seen(
                        entry.get("value").bytes(), entry.get("mod_revision").number(), revision);
    }

    @Override
    public void set(String key, byte[] value) {
        check(key, value);
        byte[] entry = run.keys().entry(key);
        var _ = change(entry, new Txn().putOrUpdate(entry, value, run.lease()));
    }

    private Writers.Outcome change(byte[] entry, Txn txn) {
        requireOpen();
        return writers.change(entry, txn);
    }

    @Override
    public byte[] get(String key, Duration timeout) {
        check(key, new byte[0]);
        return Objects.requireNonNull(await(key, timeout, Objects::nonNull, EtcdStore::absent));
    }

    @Override
    public byte @Nullable [] watch(String key, byte @Nullable [] seen, Duration timeout) {
        check(key, seen == null ? new byte[0] : seen);
        return await(key, timeout, value -> !Arrays.equals(value, seen), EtcdStore::unchanged);
    }

    private byte @Nullable [] await(
            String key,
            Duration timeout,
            Predicate<byte @Nullable []> wanted,
            BiFunction<String, Duration, RpcException> failure) {
        long start = System.nanoTime();
        long patience = TimeUnit.NANOSECONDS.convert(timeout);
        while (true) {
            long changes = watches.changes(key);
            Seen seen = read(key);
            if (wanted.test(seen.value)) {
                return seen.value;
            }
            long left = patience - (System.nanoTime() - start);
            if (left <= 0) {
                throw failure.apply(key, timeout);
            }
            awaitChange(key, seen.revision, changes, Math.min(left, LOOK_NANOS));
        }
    }

    private void awaitChange(String key, long revision, long changes, long nanos) {
        try {
            watches.await(key, run.keys().entry(key), revision, changes, nanos);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            throw new RpcException("interrupted while waiting for key '" + key + "' of the store");
        }
    }

    @Override
    public long add(String key, long amount) {
        check(key, new byte[0]);
        byte[] entry = run.keys().entry(key);
        Seen seen = read(key);
        while (true) {
            long sum = decimal(key, seen.value) + amount;
            byte[] value = Long.toString(sum).getBytes(StandardCharsets.US_ASCII);
            Writers.Outcome outcome = change(entry, replacing(entry, seen.keyRevision, value));
            if (outcome.isMade()) {
                return sum;
            }
            seen = seen(outcome.entry(), 0);
        }
    }

    /** {@return a change of a key that was not changed since a revision} */
    private Txn replacing(byte[] entry, long keyRevision, byte[] value) {
        Txn txn = new Txn().ifRevision(entry, keyRevision);
        return keyRevision == 0 ? txn.put(entry, value, run.lease()) : txn.update(entry, value);
    }

    @Override
    public boolean compareAndSet(String key, byte @Nullable [] expected, byte[] value) {
        check(key, value);
        check(key, expected == null ? new byte[0] : expected);
        byte[] entry = run.keys().entry(key);
        Txn txn =
                expected == null
                        ? replacing(entry, 0, value)
                        : new Txn().ifValue(entry, expected).update(entry, value);
        return change(entry, txn).isMade();
    }

    @Override
    public Optional<Lease> acquire(String key, byte[] value, Duration timeToLive) {
        check(key, value);
        check(timeToLive);
        requireOpen();
        byte[] entry = run.keys().entry(key);
        long requested = System.nanoTime();
        EtcdLeases.Granted granted = leases.grant(timeToLive, RunEntry.REQUEST_TIME);
        if (!change(entry, new Txn().ifAbsent(entry).put(entry, value, granted.id())).isMade()) {
            leases.revoke(granted.id(), RunEntry.REQUEST_TIME);
            return Optional.empty();
        }
        Duration renewal = granted.timeToLive().dividedBy(2);
        var lease =
                new LeaseKeeper(
                        key,
                        granted.timeToLive(),
                        requested,
                        () -> leases.renew(granted.id(), renewal),
                        () -> leases.revoke(granted.id(), CLOSING_TIME));
        kept.removeIf(other -> !other.isHeld());
        kept.add(lease);
        if (closed.get()) {
            lease.abandon(); // the store was closed meanwhile
        }
        return Optional.of(lease);
    }

    private static long decimal(String key, byte @Nullable [] value) {
        if (value == null) {
            return 0;
        }
        String text = new String(value, StandardCharsets.US_ASCII);
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException _) {
            throw new RpcException(
                    "cannot add to key '%s' of the store: its value '%s' is not a number"
                            .formatted(UntrustedText.quote(key), UntrustedText.quote(text)));
        }
    }

    private static RpcTimeoutException absent(String key, Duration timeout) {
        return late(key, "appear", timeout);
    }

    private static RpcTimeoutException unchanged(String key, Duration timeout) {
        return late(key, "change", timeout);
    }

    private static RpcTimeoutException late(String key, String verb, Duration timeout) {
        return new RpcTimeoutException(
                "key '%s' did not %s in the store within %d ms"
                        .formatted(key, verb, TimeUnit.MILLISECONDS.convert(timeout)));
    }

    private static void check(String key, byte[] value) {
        if (key.length() > MAX_KEY_LENGTH) {
            throw new IllegalArgumentException(
                    "a key of %d characters is too long for the store; at most %d"
                            .formatted(key.length(), MAX_KEY_LENGTH));
        }
        if (value.length > MAX_VALUE_BYTES) {
            throw new IllegalArgumentException(
                    "a value of %d bytes is too large for the store; at most %d"
                            .formatted(value.length, MAX_VALUE_BYTES));
        }
    }

    private static void check(Duration timeToLive) {
        if (timeToLive.compareTo(MIN_LEASE) < 0 || timeToLive.compareTo(MAX_LEASE) > 0) {
            throw new IllegalArgumentException(
                    "a lease cannot have a time to live of %d ms; at least %d and at most %d"
                            .formatted(
                                    TimeUnit.MILLISECONDS.convert(timeToLive),
                                    MIN_LEASE.toMillis(),
                                    MAX_LEASE.toMillis()));
        }
    }

    private void requireOpen() {
        if (closed.get()) {
            throw new RpcException(RpcErrorKind.SHUTDOWN, "the store was closed by this worker");
        }
        if (presence.hasEnded()) {
            throw client.ended();
        }
    }

    @Override
    public void close() {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        watches.close();
        boolean interrupted =
                Thread.interrupted(); // also then, others must not wait for this worker
        try {
            kept.forEach(LeaseKeeper::close);
            presence.close();
            client.close();
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
