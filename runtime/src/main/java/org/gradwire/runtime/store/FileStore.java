package org.gradwire.runtime.store;

import org.gradwire.rpc.RpcException;
import org.gradwire.spi.Store;
import org.jspecify.annotations.Nullable;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A store in a file that all workers see: a log of key and value pairs, of which the last one of a
 * key counts. Each access holds the file's lock. The last worker to close it deletes it.
 */
final class FileStore implements Store {
    private static final long POLL_MILLIS = 10;
    private static final String CLOSED = "store/closed";

    private final Path path;
    private final int worldSize;
    private final ReentrantLock lock; // a file lock does not keep the workers of one JVM apart
    private boolean open = true;

    /**
     * What is done with the table while the lock is held; returns a new value for the key, or null
     * to leave it.
     */
    @FunctionalInterface
    private interface Access {
        byte @Nullable [] update(byte @Nullable [] present);
    }

    FileStore(Path path, ReentrantLock lock, int worldSize) {
        this.path = path;
        this.lock = lock;
        this.worldSize = worldSize;
    }

    @Override
    public void set(String key, byte[] value) {
        access(key, _ -> value);
    }

    @Override
    public byte[] get(String key, Duration timeout) {
        long deadline = System.nanoTime() + timeout.toNanos();
        while (true) {
            byte[] value = access(key, _ -> null);
            if (value != null) {
                return value;
            }
            if (System.nanoTime() > deadline) {
                throw WaitingMap.absent(key, timeout);
            }
            try {
                Thread.sleep(POLL_MILLIS);
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
                throw new RpcException(
                        "interrupted while waiting for key '" + key + "' of the store " + path);
            }
        }
    }

    @Override
    public long add(String key, long amount) {
        byte[] sum =
                access(
                        key,
                        present ->
                                Long.toString(WaitingMap.decimal(key, present) + amount)
                                        .getBytes(StandardCharsets.US_ASCII));
        return WaitingMap.decimal(key, sum);
    }

    /** Apply an access and return the value the key has then. */
    private byte @Nullable [] access(String key, Access access) {
        lock.lock();
        try (var file = new RandomAccessFile(path.toFile(), "rw");
                FileLock _ = file.getChannel().lock()) {
            byte[] present = read(file).get(key);
            byte[] updated = access.update(present);
            if (updated != null) {
                append(file, key, updated);
            }
            return updated != null ? updated : present;
        } catch (IOException e) {
            throw new RpcException("cannot use the store " + path + ": " + e.getMessage());
        } finally {
            lock.unlock();
        }
    }

    private static Map<String, byte[]> read(RandomAccessFile file) throws IOException {
        byte[] content = new byte[Math.toIntExact(file.length())];
        file.readFully(content);
        var values = new HashMap<String, byte[]>();
        var in = new DataInputStream(new ByteArrayInputStream(content));
        while (in.available() > 0) {
            String key = in.readUTF();
            int length = in.readInt();
            if (length < 0 || length > in.available()) {
                throw new IOException(
                        "it is not a Gradwire store, or damaged at key '" + key + "'; delete it");
            }
            values.put(key, in.readNBytes(length));
        }
        return values;
    }

    private static void append(RandomAccessFile file, String key, byte[] value) throws IOException {
        var record = new ByteArrayOutputStream();
        var out = new DataOutputStream(record);
        out.writeUTF(key);
        out.writeInt(value.length);
        out.write(value);
        file.seek(file.length());
        file.write(record.toByteArray());
    }

    @Override
    public void close() {
        if (!open) {
            return;
        }
        open = false;
        if (add(CLOSED, 1) == worldSize) {
            try {
                Files.deleteIfExists(path);
            } catch (IOException e) {
                throw new RpcException("cannot delete the store " + path + ": " + e.getMessage());
            }
        }
    }
}
