package org.gradwire.backend.tensorpipe.driver;

import org.gradwire.backend.tensorpipe.config.SettingKeys;
import org.gradwire.backend.tensorpipe.os.Backoff;
import org.gradwire.rpc.RpcConfigurationException;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.BooleanSupplier;

/**
 * The lock of a media driver's directory: exclusive to start or end the driver, shared to join it.
 *
 * <p>Locks a file in the directory, which is created if missing and which no other user can enter
 * ({@link PrivateDirectory}). The holder of the exclusive lock deletes the file before it releases
 * the lock, and the directory if it is empty, so that nothing remains. A process that has locked a
 * file that is no longer at the path tries again.
 */
public final class DirectoryLock implements AutoCloseable {
    private static final long MAX_MARKER = 1L << 30;
    private static final Set<OpenOption> OPTIONS =
            Set.of(
                    StandardOpenOption.CREATE,
                    StandardOpenOption.READ,
                    StandardOpenOption.WRITE,
                    LinkOption.NOFOLLOW_LINKS);
    private static final FileAttribute<?> OWNER_ONLY =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

    private final Path path;
    private final FileChannel channel;
    private final boolean isShared;

    private DirectoryLock(Path path, FileChannel channel, boolean isShared) {
        this.path = path;
        this.channel = channel;
        this.isShared = isShared;
    }

    /**
     * Acquire the exclusive lock, to start or end a driver.
     *
     * @throws RpcConfigurationException when it is not free in time
     */
    public static DirectoryLock acquire(Path path, long nanos) {
        return acquire(path, false, nanos);
    }

    /**
     * Acquire the shared lock, to join a driver.
     *
     * @throws RpcConfigurationException when it is not free in time
     */
    static DirectoryLock acquireShared(Path path, long nanos) {
        return acquire(path, true, nanos);
    }

    /**
     * Acquire the exclusive lock of an existing directory, to end its driver. A missing directory
     * is not created: if this process were killed then, the directory would remain.
     *
     * @return the lock; empty if there is no directory
     * @throws RpcConfigurationException when it is not free in time
     */
    public static Optional<DirectoryLock> acquireExisting(Path path, long nanos) {
        return acquire(path, false, nanos, () -> Files.exists(directory(path)));
    }

    private static DirectoryLock acquire(Path path, boolean isShared, long nanos) {
        BooleanSupplier created =
                () -> {
                    PrivateDirectory.create(directory(path));
                    return true;
                };
        return acquire(path, isShared, nanos, created).orElseThrow();
    }

    private static Optional<DirectoryLock> acquire(
            Path path, boolean isShared, long nanos, BooleanSupplier hasDirectory) {
        long deadline = System.nanoTime() + nanos;
        while (hasDirectory.getAsBoolean()) {
            DirectoryLock lock = tryFile(path, isShared, deadline);
            if (lock != null) {
                return Optional.of(lock);
            }
            if (System.nanoTime() - deadline >= 0) {
                throw new RpcConfigurationException(
                        "%s has been locked for %d ms by another process that starts or ends a media driver"
                                .formatted(path, nanos / 1_000_000));
            }
        }
        return Optional.empty();
    }

    private static @Nullable DirectoryLock tryFile(Path path, boolean isShared, long deadline) {
        try {
            PrivateDirectory.require(directory(path));
            FileChannel channel = FileChannel.open(path, OPTIONS, OWNER_ONLY);
            try {
                // The directory cannot be deleted as long as the lock is held.
                if (awaitLock(channel, isShared, deadline) && isAt(path, channel)) {
                    return new DirectoryLock(path, channel, isShared);
                }
            } catch (IOException | RuntimeException e) {
                channel.close();
                throw e;
            }
            channel.close();
            return null;
        } catch (NoSuchFileException _) {
            return null; // the directory was deleted a moment ago
        } catch (IOException e) {
            throw new RpcConfigurationException(
                    "%s cannot be locked (%s); name another directory with %s"
                            .formatted(path, e, SettingKeys.DIRECTORY),
                    e);
        }
    }

    private static Path directory(Path lock) {
        return Objects.requireNonNull(lock.getParent(), "a lock is in a directory");
    }

    // The channel stays open between attempts: closing one drops this process's lock on the file.
    private static boolean awaitLock(FileChannel channel, boolean isShared, long deadline)
            throws IOException {
        long start = System.nanoTime();
        while (System.nanoTime() - deadline < 0) {
            try {
                FileLock lock = channel.tryLock(0, Long.MAX_VALUE, isShared);
                if (lock != null) {
                    return true;
                }
            } catch (OverlappingFileLockException _) {
                // another thread of this JVM holds it
            }
            Backoff.pause(start);
        }
        return false;
    }

    // A random size identifies each file. Reading the one at the path would open it again, and
    // closing that would drop the lock.
    private static boolean isAt(Path path, FileChannel channel) throws IOException {
        PrivateDirectory.require(directory(path)); // it may have been replaced
        if (channel.size() == 0) {
            long size = ThreadLocalRandom.current().nextLong(1, MAX_MARKER);
            channel.write(ByteBuffer.allocate(1), size - 1);
        }
        try {
            return Files.size(path) == channel.size();
        } catch (NoSuchFileException _) {
            return false;
        }
    }

    private static void deleteIfEmpty(Path directory) {
        try {
            Files.deleteIfExists(directory);
        } catch (IOException _) {
            // a driver uses it, or another process is about to lock it
        }
    }

    /** Release the lock. */
    @Override
    public void close() {
        try (channel) {
            if (!isShared) {
                Files.deleteIfExists(path);
                deleteIfEmpty(directory(path));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
