package org.gradwire.runtime.store;

import org.gradwire.rpc.RpcErrorKind;
import org.gradwire.rpc.RpcException;
import org.gradwire.spi.Lease;
import org.gradwire.spi.Store;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.FileLockInterruptionException;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import java.util.function.Predicate;

/**
 * A store in a file that all workers can access: a {@link FileLog}. Each access holds the file's
 * lock. The last worker to close it deletes it.
 */
final class FileStore implements Store {
    private static final long MIN_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long MAX_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
    private static final long PATIENCE = 50; // a wait is divided into this number of pauses
    private static final String USERS = "store/users";
    private static final String DELETED = "store/deleted";
    private static final byte[] NOTHING = {};

    private final Path path;
    private final Object lock; // of all users of the file in this JVM
    private final FileLog log = new FileLog(); // guarded by the lock
    private final KeptLeases leases = new KeptLeases();
    private volatile boolean closed; // set while holding this

    /** An action on the log while the lock is held. */
    @FunctionalInterface
    private interface Access {
        byte @Nullable [] on(FileChannel file) throws IOException;
    }

    /** A change of the log while the lock is held. */
    @FunctionalInterface
    private interface Change {
        void on(FileChannel file) throws IOException;
    }

    /** A change of the log that may not be possible. */
    @FunctionalInterface
    private interface Test {
        boolean on(FileChannel file) throws IOException;
    }

    FileStore(Path path) {
        this.path = path;
        this.lock = jvmLock(path);
        access(file -> {
            add(file, USERS, 1);
            return null;
        });
    }

    @Override
    public void set(String key, byte[] value) {
        StoreLimits.check(key, value);
        byte[] own = value.clone();
        change(key, file -> log.append(file, key, own));
    }

    @Override
    public byte[] get(String key, Duration timeout) {
        StoreLimits.check(key);
        byte[] value = await(key, timeout, Objects::nonNull, WaitingMap::absent);
        return Objects.requireNonNull(value);
    }

    @Override
    public byte @Nullable [] watch(String key, byte @Nullable [] seen, Duration timeout) {
        StoreLimits.check(key, seen == null ? NOTHING : seen);
        return await(key, timeout, value -> !Arrays.equals(value, seen), WaitingMap::unchanged);
    }

    /** {@return a copy of the first value seen that is wanted} */
    private byte @Nullable [] await(
            String key,
            Duration timeout,
            Predicate<byte @Nullable []> wanted,
            BiFunction<String, Duration, RpcException> failure) {
        long start = System.nanoTime();
        long patience = TimeUnit.NANOSECONDS.convert(timeout);
        while (true) {
            byte[] value = look(key);
            if (wanted.test(value)) {
                return value == null ? null : value.clone();
            }
            long waited = System.nanoTime() - start;
            if (waited >= patience) {
                throw failure.apply(key, timeout);
            }
            long pause = Math.clamp(waited / PATIENCE, MIN_PAUSE_NANOS, MAX_PAUSE_NANOS);
            pause(Math.min(pause, patience - waited));
        }
    }

    /** {@return the current value of a key; without the file's lock if nothing was appended} */
    private byte @Nullable [] look(String key) {
        synchronized (lock) {
            requireOpen();
            if (log.ends(path.toFile().length()) && !log.isOverdue(key)) {
                return log.get(key);
            }
            return access(file -> {
                log.removeIfEnded(file, key);
                return log.get(key);
            });
        }
    }

    @Override
    public long add(String key, long amount) {
        StoreLimits.check(key);
        var sum = new long[1];
        change(key, file -> sum[0] = add(file, key, amount));
        return sum[0];
    }

    @Override
    public boolean compareAndSet(String key, byte @Nullable [] expected, byte[] value) {
        StoreLimits.check(key, value);
        byte[] own = value.clone();
        var matches = new boolean[1];
        change(
                key,
                file -> {
                    matches[0] = Arrays.equals(log.get(key), expected);
                    if (matches[0]) {
                        log.append(file, key, own);
                    }
                });
        return matches[0];
    }

    @Override
    public Optional<Lease> acquire(String key, byte[] value, Duration timeToLive) {
        StoreLimits.check(key, value);
        StoreLimits.check(timeToLive);
        byte[] own = value.clone();
        long id = ThreadLocalRandom.current().nextLong();
        long requested = System.nanoTime();
        var acquired = new boolean[1];
        change(
                key,
                file -> {
                    acquired[0] = log.get(key) == null;
                    if (acquired[0]) {
                        log.appendLeased(file, key, own, id, timeToLive.toNanos());
                    }
                });
        return acquired[0]
                ? Optional.of(
                        leases.keep(
                                key,
                                timeToLive,
                                requested,
                                () -> test(file -> log.renew(file, key, id)),
                                () -> test(file -> log.release(file, key, id))))
                : Optional.empty();
    }

    /** Change a key, whose lease has been removed if it had ended. */
    private void change(String key, Change change) {
        requireOpen();
        access(file -> {
            log.removeIfEnded(file, key);
            change.on(file);
            return null;
        });
    }

    private boolean test(Test test) {
        var result = new boolean[1];
        access(file -> {
            result[0] = test.on(file);
            return null;
        });
        return result[0];
    }

    private void requireOpen() {
        if (closed) {
            throw WaitingMap.closed();
        }
    }

    private long add(FileChannel file, String key, long amount) throws IOException {
        long sum = WaitingMap.decimal(key, log.get(key)) + amount;
        log.append(file, key, Long.toString(sum).getBytes(StandardCharsets.US_ASCII));
        return sum;
    }

    /**
     * {@return the lock of a file, one for the JVM}
     *
     * <p>Closing a channel releases all locks that the JVM has on its file, so no other channel may
     * be open. A string is the one object that class loaders share.
     */
    private static Object jvmLock(Path path) {
        Path real = path;
        try {
            Path parent = path.getParent();
            real = parent == null ? path : parent.toRealPath().resolve(path.getFileName());
        } catch (IOException _) {
            // it does not exist, as the first access says
        }
        return ("lock of the Gradwire store " + real).intern();
    }

    private byte @Nullable [] access(Access access) {
        synchronized (lock) {
            try {
                return accessOpened(access);
            } catch (ClosedByInterruptException | FileLockInterruptionException _) {
                throw interrupted();
            } catch (IOException e) {
                throw new RpcException(
                        RpcErrorKind.UNKNOWN,
                        "cannot use the store " + path + ": " + e.getMessage(),
                        e);
            }
        }
    }

    private byte @Nullable [] accessOpened(Access access) throws IOException {
        while (true) {
            try (FileChannel file = StoreFile.open(path);
                    FileLock _ = lock(file)) {
                log.readOn(file);
                if (log.get(DELETED) == null) {
                    return access.on(file);
                }
            }
            // It was deleted after the open and before the lock, so begin another one.
        }
    }

    private FileLock lock(FileChannel channel) throws IOException {
        while (true) {
            try {
                return channel.lock();
            } catch (OverlappingFileLockException _) {
                pause(MIN_PAUSE_NANOS); // this JVM has the file open under another name
            }
        }
    }

    private void pause(long nanos) {
        try {
            TimeUnit.NANOSECONDS.sleep(nanos);
        } catch (InterruptedException _) {
            throw interrupted();
        }
    }

    private RpcException interrupted() {
        Thread.currentThread().interrupt();
        return new RpcException("interrupted while waiting for the store " + path);
    }

    @Override
    public synchronized void close() {
        if (!closed) {
            closed = true;
            leases.close();
            access(file -> {
                if (add(file, USERS, -1) == 0) {
                    Files.deleteIfExists(path);
                    log.append(file, DELETED, NOTHING); // for workers that have opened it already
                }
                return null;
            });
        }
    }
}
