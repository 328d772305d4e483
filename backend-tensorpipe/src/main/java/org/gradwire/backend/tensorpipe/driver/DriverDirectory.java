package org.gradwire.backend.tensorpipe.driver;

import io.aeron.CncFileDescriptor;

import org.agrona.BufferUtil;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.ringbuffer.ManyToOneRingBuffer;
import org.gradwire.backend.tensorpipe.config.SettingKeys;
import org.gradwire.backend.tensorpipe.config.TensorPipeOptions;
import org.gradwire.backend.tensorpipe.os.Doorbell;
import org.gradwire.backend.tensorpipe.os.OperatingSystem;
import org.gradwire.backend.tensorpipe.os.ProcessIdentity;
import org.gradwire.rpc.RpcConfigurationException;
import org.gradwire.spi.process.ProcessUser;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.HexFormat;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * The directory of one media driver: Aeron's own directory, the driver's log, the lock, and the
 * doorbells, memory endpoints and expected sources of the workers.
 *
 * <p>Only its user may enter it ({@link PrivateDirectory}); this is checked whenever its lock is
 * acquired. The process that ends the driver deletes it.
 */
public record DriverDirectory(Path path) {
    private static final Logger LOG = System.getLogger(DriverDirectory.class.getPackageName());
    private static final String BELL = "bell-";
    private static final String MEMORY_ENDPOINT = "memory-";
    private static final String SOURCES = "sources-";
    private static final String EMBEDDED = "-jvm";

    /**
     * A running driver.
     *
     * @param pid of its process, in the pid namespace in which it was started
     * @param startMillis distinguishes it from an earlier one in the same directory
     */
    public record LiveDriver(long pid, long startMillis) {}

    /** {@return the configured directory, or the default one} */
    public static DriverDirectory of(TensorPipeOptions options) {
        if (!options.directory().isEmpty()) {
            return new DriverDirectory(Path.of(options.directory()).toAbsolutePath().normalize());
        }
        return new DriverDirectory(
                OperatingSystem.current()
                        .sharedMemory()
                        .resolve(options.embedded() ? embeddedName() : userName()));
    }

    public Path aeron() {
        return path.resolve("aeron");
    }

    Path log() {
        return path.resolve("driver.log");
    }

    public Path lock() {
        return path.resolve("lock");
    }

    /** {@return the path of the driver's doorbell} */
    public Path driverBell() {
        return path.resolve(BELL + "driver");
    }

    /** {@return the path of a worker's doorbell} */
    public Path bell(long incarnation) {
        return path.resolve(BELL + Long.toHexString(incarnation));
    }

    /** {@return the path of a worker's memory endpoint} */
    public Path memoryEndpoint(long incarnation) {
        return path.resolve(MEMORY_ENDPOINT + Long.toHexString(incarnation));
    }

    /** {@return the file of the expected sources of the worker that listens at an address} */
    public Path expectedSources(InetSocketAddress listening) {
        byte[] address = listening.getAddress().getAddress();
        return path.resolve(
                SOURCES + HexFormat.of().formatHex(address) + "-" + listening.getPort());
    }

    /** {@return the doorbell of the worker with a stream over UDP; null if it has none} */
    @Nullable Doorbell bellOfStream(int stream) {
        try (DirectoryStream<Path> bells = Files.newDirectoryStream(path, BELL + "*")) {
            for (Path file : bells) {
                Doorbell bell = file.equals(driverBell()) ? null : Doorbell.find(file);
                if (bell != null && bell.note() == stream) {
                    return bell;
                }
            }
        } catch (IOException | DirectoryIteratorException _) {
            // the directory is being deleted
        }
        return null;
    }

    /**
     * {@return the running driver; empty if certainly none runs}
     *
     * @throws RpcConfigurationException if an error makes the state unknown
     */
    public Optional<LiveDriver> liveDriver() {
        ByteBuffer buffer;
        try {
            buffer = mapDriverFile();
        } catch (NoSuchFileException _) {
            return Optional.empty();
        } catch (IOException e) {
            throw new RpcConfigurationException(
                    "cannot determine whether a media driver runs in %s (%s); make its files readable, or name another directory with %s"
                            .formatted(path, e, SettingKeys.DIRECTORY),
                    e);
        }
        if (buffer == null) {
            return Optional.empty(); // still starting
        }
        try {
            return liveDriver(buffer);
        } finally {
            BufferUtil.free(buffer);
        }
    }

    /** {@return the driver's file; null while it is too short} */
    private @Nullable ByteBuffer mapDriverFile() throws IOException {
        Path file = aeron().resolve(CncFileDescriptor.CNC_FILE);
        try (FileChannel channel =
                FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            long size = channel.size();
            return size <= CncFileDescriptor.META_DATA_LENGTH
                    ? null
                    : channel.map(FileChannel.MapMode.READ_WRITE, 0, size);
        }
    }

    private static Optional<LiveDriver> liveDriver(ByteBuffer cnc) {
        UnsafeBuffer metaData = CncFileDescriptor.createMetaDataBuffer(cnc);
        int version = metaData.getIntVolatile(CncFileDescriptor.cncVersionOffset(0));
        if (version == 0) {
            return Optional.empty(); // still starting
        }
        CncFileDescriptor.checkVersion(version);
        var commands =
                new ManyToOneRingBuffer(CncFileDescriptor.createToDriverBuffer(cnc, metaData));
        long age = System.currentTimeMillis() - commands.consumerHeartbeatTime();
        long pid = CncFileDescriptor.pid(metaData);
        boolean alive =
                age <= TimeUnit.NANOSECONDS.toMillis(DriverKeeper.CLIENT_TIMEOUT_NANOS)
                        && !ProcessIdentity.isNone(pid);
        return alive
                ? Optional.of(new LiveDriver(pid, CncFileDescriptor.startTimestampMs(metaData)))
                : Optional.empty();
    }

    /**
     * Delete all files in the directory except the lock; the release of the lock deletes the
     * directory. Workers that close may delete their files concurrently.
     */
    public void delete() {
        try {
            Files.walkFileTree(path, new Deletion());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private final class Deletion extends SimpleFileVisitor<Path> {
        @Override
        public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            return delete(file);
        }

        @Override
        public FileVisitResult visitFileFailed(Path file, IOException e) {
            return FileVisitResult.CONTINUE; // deleted concurrently
        }

        @Override
        public FileVisitResult postVisitDirectory(Path folder, @Nullable IOException e) {
            return delete(folder);
        }

        private FileVisitResult delete(Path file) {
            if (!file.equals(lock()) && !file.equals(path)) {
                file.toFile().delete();
            }
            return FileVisitResult.CONTINUE;
        }
    }

    /** Delete the directories of embedded drivers whose JVMs were killed. */
    public static void deleteAbandoned() {
        try (DirectoryStream<Path> left =
                Files.newDirectoryStream(
                        OperatingSystem.current().sharedMemory(), userName() + EMBEDDED + "*")) {
            for (Path path : left) {
                if (isAbandoned(path.getFileName().toString())
                        && PrivateDirectory.flaw(path).isEmpty()) {
                    deleteAll(new DriverDirectory(path));
                }
            }
        } catch (NoSuchFileException _) {
            // another process is deleting them too
        } catch (IOException | DirectoryIteratorException | RpcConfigurationException e) {
            LOG.log(
                    Level.WARNING,
                    "files of killed processes in {0} were not deleted: {1}",
                    OperatingSystem.current().sharedMemory(),
                    e);
        }
    }

    private static void deleteAll(DriverDirectory abandoned) {
        abandoned.delete();
        abandoned.lock().toFile().delete();
        abandoned.path.toFile().delete();
    }

    private static boolean isAbandoned(String name) {
        String process = name.substring((userName() + EMBEDDED).length());
        String[] parts = process.split("-", -1);
        try {
            return parts.length == 2
                    && new ProcessIdentity(Long.parseLong(parts[0]), Long.parseLong(parts[1]))
                            .hasEnded();
        } catch (NumberFormatException _) {
            return false;
        }
    }

    private static String embeddedName() {
        ProcessIdentity self = ProcessIdentity.self();
        return userName() + EMBEDDED + self.pid() + "-" + self.startTicks();
    }

    private static String userName() {
        return "gradwire-" + user() + OperatingSystem.current().directorySuffix();
    }

    private static String user() {
        try {
            return Integer.toUnsignedString(ProcessUser.id());
        } catch (IOException e) {
            throw new RpcConfigurationException(
                    "the user of this process is unknown (%s); name a directory with %s"
                            .formatted(e, SettingKeys.DIRECTORY),
                    e);
        }
    }
}
