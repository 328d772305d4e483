package org.gradwire.backend.tensorpipe;

import org.gradwire.rpc.RpcConfigurationException;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.ThreadLocalRandom;

/**
 * The right to start, to end, or to join the media driver of a directory, held by one thread of one
 * process at a time.
 *
 * <p>It is a lock on a file that its holder deletes before letting go, so that nothing stays
 * behind. Who gets the lock of a file that is no longer the one at the path begins anew.
 */
final class DirectoryLock implements AutoCloseable {
    private static final long MAX_MARKER = 1L << 40;

    private final Path path;
    private final FileChannel channel;

    private DirectoryLock(Path path, FileChannel channel) {
        this.path = path;
        this.channel = channel;
    }

    /**
     * Take the lock.
     *
     * @throws RpcConfigurationException when it is not free in time
     */
    static DirectoryLock acquire(Path path, long nanos) {
        long deadline = System.nanoTime() + nanos;
        while (true) {
            DirectoryLock lock = tryFile(path, deadline);
            if (lock != null) {
                return lock;
            }
            if (System.nanoTime() - deadline >= 0) {
                throw new RpcConfigurationException(
                        "%s has been locked for %d ms by another process that starts or ends a media driver"
                                .formatted(path, nanos / 1_000_000));
            }
        }
    }

    private static @Nullable DirectoryLock tryFile(Path path, long deadline) {
        try {
            FileChannel channel =
                    FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            if (awaitLock(channel, deadline) && isAt(path, channel)) {
                return new DirectoryLock(path, channel);
            }
            channel.close();
            return null;
        } catch (IOException e) {
            throw new RpcConfigurationException(
                    "%s cannot be locked (%s); name another directory with %s"
                            .formatted(path, e, Keys.DIRECTORY),
                    e);
        }
    }

    // The channel stays open between attempts: closing one drops this process's lock on the file.
    private static boolean awaitLock(FileChannel channel, long deadline) throws IOException {
        long start = System.nanoTime();
        while (System.nanoTime() - deadline < 0) {
            try {
                FileLock lock = channel.tryLock();
                if (lock != null) {
                    return true;
                }
            } catch (OverlappingFileLockException _) {
                // another thread of this JVM has it
            }
            Patience.pause(start);
        }
        return false;
    }

    // Reading the file would open it again, and closing that would drop the lock; its size does
    // not.
    private static boolean isAt(Path path, FileChannel channel) throws IOException {
        long marker = ThreadLocalRandom.current().nextLong(1, MAX_MARKER);
        channel.truncate(0);
        channel.write(ByteBuffer.allocate(1), marker - 1);
        try {
            return Files.size(path) == marker;
        } catch (NoSuchFileException _) {
            return false;
        }
    }

    /** Let go. */
    @Override
    public void close() {
        try (channel) {
            Files.deleteIfExists(path);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
