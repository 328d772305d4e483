package org.gradwire.runtime.store;

import org.gradwire.rpc.RpcErrorKind;
import org.gradwire.rpc.RpcException;
import org.jspecify.annotations.Nullable;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UTFDataFormatException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.FileLockInterruptionException;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A store in a file that all workers see: a log of key and value pairs, of which the last one of a
 * key counts. Each access holds the file's lock. The last worker to close it deletes it.
 */
final class FileStore implements GroupStore {
    private static final long POLL_MILLIS = 10;
    private static final String USERS = "store/users";
    private static final String DELETED = "store/deleted";
    private static final byte[] NOTHING = {};

    private final Path path;
    private final ReentrantLock lock; // a file lock does not keep the workers of one JVM apart
    private boolean open = true; // guarded by this

    /** What is done with the table while the lock is held. */
    @FunctionalInterface
    private interface Access {
        byte @Nullable [] on(Log log) throws IOException;
    }

    /** The contents of the file, which is locked. */
    private record Log(RandomAccessFile file, Map<String, byte[]> values) {

        void append(String key, byte[] value) throws IOException {
            var record = new ByteArrayOutputStream();
            var out = new DataOutputStream(record);
            out.writeUTF(key);
            out.writeInt(value.length);
            out.write(value);
            file.seek(file.length());
            file.write(record.toByteArray());
        }

        long add(String key, long amount) throws IOException {
            long sum = WaitingMap.decimal(key, values.get(key)) + amount;
            append(key, Long.toString(sum).getBytes(StandardCharsets.US_ASCII));
            return sum;
        }
    }

    FileStore(Path path, ReentrantLock lock) {
        this.path = path;
        this.lock = lock;
        access(log -> {
            log.add(USERS, 1);
            return null;
        });
    }

    @Override
    public void set(String key, byte[] value) {
        StoreLimits.check(key, value);
        access(log -> {
            log.append(key, value);
            return null;
        });
    }

    @Override
    public byte[] get(String key, Duration timeout) {
        StoreLimits.check(key);
        long start = System.nanoTime();
        long patience = TimeUnit.NANOSECONDS.convert(timeout);
        while (true) {
            byte[] value = access(log -> log.values.get(key));
            if (value != null) {
                return value;
            }
            if (System.nanoTime() - start >= patience) {
                throw WaitingMap.absent(key, timeout);
            }
            pause();
        }
    }

    @Override
    public long add(String key, long amount) {
        StoreLimits.check(key);
        var sum = new long[1];
        access(log -> {
            sum[0] = log.add(key, amount);
            return null;
        });
        return sum[0];
    }

    private byte @Nullable [] access(Access access) {
        lock.lock();
        try {
            while (true) {
                try (var file = new RandomAccessFile(path.toFile(), "rw");
                        FileLock _ = lock(file.getChannel())) {
                    Map<String, byte[]> values = read(file);
                    if (!values.containsKey(DELETED)) {
                        return access.on(new Log(file, values));
                    }
                }
                // It was deleted between being opened and being locked, so begin another one.
            }
        } catch (ClosedByInterruptException | FileLockInterruptionException _) {
            throw interrupted();
        } catch (IOException e) {
            throw new RpcException(
                    RpcErrorKind.UNKNOWN,
                    "cannot use the store " + path + ": " + e.getMessage(),
                    e);
        } finally {
            lock.unlock();
        }
    }

    private FileLock lock(FileChannel channel) throws IOException {
        while (true) {
            try {
                return channel.lock();
            } catch (OverlappingFileLockException _) {
                pause(); // another class loader of this JVM has it
            }
        }
    }

    private void pause() {
        try {
            Thread.sleep(POLL_MILLIS);
        } catch (InterruptedException _) {
            throw interrupted();
        }
    }

    private RpcException interrupted() {
        Thread.currentThread().interrupt();
        return new RpcException("interrupted while waiting for the store " + path);
    }

    private static Map<String, byte[]> read(RandomAccessFile file) throws IOException {
        if (file.length() > Integer.MAX_VALUE) {
            throw damaged("it has " + file.length() + " bytes");
        }
        byte[] content = new byte[(int) file.length()];
        file.readFully(content);
        var values = new HashMap<String, byte[]>();
        var in = new DataInputStream(new ByteArrayInputStream(content));
        String key = "";
        try {
            while (in.available() > 0) {
                key = in.readUTF();
                int length = in.readInt();
                if (length < 0 || length > in.available()) {
                    throw damaged("a value of " + length + " bytes for key '" + key + "'");
                }
                values.put(key, in.readNBytes(length));
            }
        } catch (EOFException | UTFDataFormatException _) {
            throw damaged("after key '" + key + "'");
        }
        return values;
    }

    private static IOException damaged(String where) {
        return new IOException("it is not a Gradwire store, or damaged (" + where + "); delete it");
    }

    @Override
    public synchronized void close() {
        if (open) {
            open = false;
            access(log -> {
                if (log.add(USERS, -1) == 0) {
                    Files.deleteIfExists(path);
                    log.append(DELETED, NOTHING); // for those who have opened it already
                }
                return null;
            });
        }
    }
}
