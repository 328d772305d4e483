package org.gradwire.backend.tensorpipe.os;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.UUID;

/**
 * Queries for any system, from the folder for temporary files and {@link ProcessHandle}.
 *
 * <p>Start times are not compared: a JVM computes them from the clock, which may have been set
 * meanwhile. So a later process with the same id counts as the earlier one, until the peer is
 * silent for too long.
 */
final class PortableSystem implements OperatingSystem {
    private static final String HOST = "host";
    private static final String NOT_KNOWN = "0";

    private final ProcessHandle own = ProcessHandle.current();

    @Override
    public Path sharedMemory() {
        return Path.of(System.getProperty("java.io.tmpdir")).toAbsolutePath().normalize();
    }

    @Override
    public String adviceForRoom() {
        return "make room there";
    }

    @Override
    public String pidNamespace() {
        return NOT_KNOWN;
    }

    @Override
    public String directorySuffix() {
        return "";
    }

    @Override
    public void prepare(Path directory) {
        try {
            Files.writeString(directory.resolve(HOST), UUID.randomUUID().toString());
        } catch (IOException _) {
            // each worker has its own host identity then, and all use UDP
        }
    }

    /** A random number in the driver's directory: workers that see its files are on its host. */
    @Override
    public HostIdentity host(Path directory) {
        try {
            return new HostIdentity("driver/" + Files.readString(directory.resolve(HOST)).strip());
        } catch (IOException _) {
            return HostIdentity.stranger();
        }
    }

    /**
     * A process that is not found has ended only if this process is found: there may be no free
     * descriptor.
     */
    @Override
    public ProcessSnapshot look(long pid) {
        if (ProcessHandle.of(pid).isPresent()) {
            return new ProcessSnapshot(ProcessStatus.RUNNING, 0);
        }
        boolean isSeeing = ProcessHandle.of(own.pid()).isPresent();
        return new ProcessSnapshot(isSeeing ? ProcessStatus.ENDED : ProcessStatus.UNKNOWN, 0);
    }

    @Override
    public ProcessIdentity self() {
        long startMillis = own.info().startInstant().map(Instant::toEpochMilli).orElse(0L);
        return new ProcessIdentity(own.pid(), startMillis);
    }
}
