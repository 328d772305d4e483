package org.gradwire.backend.tensorpipe;

import org.gradwire.rpc.RpcTimeoutException;
import org.gradwire.spi.Store;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** A store shared by processes of this host: one file per key. */
record FileStore(Path folder) implements Store {

    private Path file(String key) {
        return folder.resolve(key.replace('/', '_'));
    }

    @Override
    public void set(String key, byte[] value) {
        try {
            Path draft = Files.createTempFile(folder, "draft", "");
            Files.write(draft, value);
            Files.move(draft, file(key), StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public byte[] get(String key, Duration timeout) {
        long deadline = System.nanoTime() + timeout.toNanos();
        while (!Files.exists(file(key))) {
            if (System.nanoTime() - deadline > 0) {
                throw new RpcTimeoutException("no value of " + key + " in " + timeout);
            }
            LockSupport.parkNanos(1_000_000);
        }
        try {
            return Files.readAllBytes(file(key));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public synchronized long add(String key, long amount) {
        try (FileChannel channel =
                        FileChannel.open(
                                folder.resolve("lock"),
                                StandardOpenOption.CREATE,
                                StandardOpenOption.WRITE);
                FileLock _ = channel.lock()) {
            Path file = file(key);
            long before = Files.exists(file) ? Long.parseLong(Files.readString(file)) : 0;
            set(
                    key,
                    Long.toString(before + amount)
                            .getBytes(java.nio.charset.StandardCharsets.US_ASCII));
            return before + amount;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {}
}
