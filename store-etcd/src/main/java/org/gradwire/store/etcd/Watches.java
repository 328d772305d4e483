package org.gradwire.store.etcd;

import org.jspecify.annotations.Nullable;

import tools.jackson.core.JsonParser;

import java.io.IOException;
import java.io.InputStream;
import java.lang.System.Logger.Level;
import java.net.URI;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Streams of changes, one for each key that is waited for. They only wake their waiters, which then
 * read the key; so a stream that ends or stalls delays a wait, and does not falsify it.
 * Thread-safe.
 */
final class Watches implements AutoCloseable {
    private static final System.Logger LOGGER = System.getLogger("org.gradwire.store");
    private static final long LINGER_NANOS = TimeUnit.SECONDS.toNanos(5);

    private static final long REOPENING_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final EtcdClient client;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Map<String, Watch> watches = new HashMap<>(); // by entry; guarded by the lock
    private boolean closed; // guarded by the lock

    /** The stream of a key. */
    private static final class Watch {
        private final URI endpoint;
        private long changes; // guarded by the lock, like the rest
        private int waiters;
        private long idleSinceNanos = System.nanoTime();
        private @Nullable InputStream stream;
        private boolean ended;

        private Watch(URI endpoint) {
            this.endpoint = endpoint;
        }
    }

    Watches(EtcdClient client) {
        this.client = client;
    }

    /** {@return the number of changes of a key that its stream has shown; 0 without a stream} */
    long changes(String key) {
        lock.lock();
        try {
            Watch watch = watches.get(key);
            return watch == null ? 0 : watch.changes;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Wait for a change of a key.
     *
     * @param entry the key in etcd
     * @param revision of etcd when the caller read the key
     * @param seen the result of {@link #changes} before the read
     */
    void await(String key, byte[] entry, long revision, long seen, long nanos)
            throws InterruptedException {
        lock.lock();
        try {
            Watch watch = watches.get(key);
            if (watch == null || watch.ended || !watch.endpoint.equals(client.endpoint())) {
                watch = open(key, entry, revision + 1, seen);
            }
            watch.waiters++;
            try {
                awaitChange(watch, seen, nanos);
            } finally {
                watch.waiters--;
                watch.idleSinceNanos = System.nanoTime();
            }
            closeIdle();
        } finally {
            lock.unlock();
        }
    }

    private void awaitChange(Watch watch, long seen, long nanos) throws InterruptedException {
        long left = nanos;
        while (!closed && watch.changes == seen && !watch.ended && left > 0) {
            left = changed.awaitNanos(left);
        }
        long pause = Math.min(left, REOPENING_NANOS);
        while (!closed && watch.ended && pause > 0) {
            pause = changed.awaitNanos(pause);
        }
    }

    private Watch open(String key, byte[] entry, long revision, long seen) {
        Watch old = watches.get(key);
        if (old != null) {
            end(old);
        }
        var watch = new Watch(client.endpoint());
        watch.changes = seen;
        watches.put(key, watch);
        if (closed) {
            watch.ended = true;
        } else {
            Thread.ofVirtual()
                    .name("gradwire-etcd-watch")
                    .start(() -> read(watch, entry, revision));
        }
        return watch;
    }

    private void read(Watch watch, byte[] entry, long revision) {
        Map<String, ?> request =
                Map.of(
                        "create_request",
                        Map.of(
                                "key",
                                Json.base64(entry),
                                "start_revision",
                                Long.toString(revision)));
        try (InputStream stream = client.stream("watch", request);
                JsonParser parser = Json.parser(stream)) {
            if (keep(watch, stream)) {
                Json message;
                while ((message = Json.next(parser)) != null && !isCanceled(message)) {
                    onMessage(watch, message);
                }
            }
        } catch (IOException | RuntimeException e) {
            LOGGER.log(Level.DEBUG, "a watch of etcd ended: {0}", e.getMessage());
        } finally {
            lock.lock();
            try {
                watch.ended = true;
                changed.signalAll();
            } finally {
                lock.unlock();
            }
        }
    }

    private static boolean isCanceled(Json message) {
        return message.get("result").get("canceled").isTrue() || !message.get("error").isAbsent();
    }

    /** {@return false if the watch has ended meanwhile} */
    private boolean keep(Watch watch, InputStream stream) {
        lock.lock();
        try {
            watch.stream = stream;
            return !watch.ended;
        } finally {
            lock.unlock();
        }
    }

    private void onMessage(Watch watch, Json message) {
        if (message.get("result").get("events").elements().isEmpty()) {
            return;
        }
        lock.lock();
        try {
            watch.changes++;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** End the streams that were not waited for in some time. */
    private void closeIdle() {
        long now = System.nanoTime();
        List<Map.Entry<String, Watch>> all = List.copyOf(watches.entrySet());
        for (Map.Entry<String, Watch> each : all) {
            Watch watch = each.getValue();
            if (watch.ended || (watch.waiters == 0 && now - watch.idleSinceNanos > LINGER_NANOS)) {
                end(watch);
                watches.remove(each.getKey());
            }
        }
    }

    private static void end(Watch watch) {
        watch.ended = true;
        InputStream stream = watch.stream;
        if (stream != null) {
            Thread.ofVirtual().start(() -> close(stream));
        }
    }

    private static void close(InputStream stream) {
        try {
            stream.close();
        } catch (IOException e) {
            LOGGER.log(Level.DEBUG, "a watch of etcd ended: {0}", e.getMessage());
        }
    }

    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            watches.values().forEach(Watches::end);
            watches.clear();
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
