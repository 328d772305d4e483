package org.gradwire.backend.tensorpipe;

import org.gradwire.backend.tensorpipe.ProcessSnapshot.Status;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.UUID;

/**
 * Any system: files in the folder for temporary ones, and what {@link ProcessHandle} tells.
 *
 * <p>Start times are not compared: a JVM computes them from the clock, which may have been set
 * since another one did. So a later process of the same number counts as the earlier one, until a
 * peer is silent for too long.
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
    public void prepare(DriverDirectory directory) {
        try {
            Files.writeString(directory.path().resolve(HOST), UUID.randomUUID().toString());
        } catch (IOException _) {
            // then each worker is a host of its own, and they talk over UDP
        }
    }

    /** Whoever sees the files of one driver is on its host: a number there, made by chance. */
    @Override
    public HostIdentity host(DriverDirectory directory) {
        try {
            return new HostIdentity(
                    "driver/" + Files.readString(directory.path().resolve(HOST)).strip());
        } catch (IOException _) {
            return HostIdentity.stranger();
        }
    }

    /** A process that cannot be seen has ended only if this one can: descriptors may be short. */
    @Override
    public ProcessSnapshot look(long pid) {
        if (ProcessHandle.of(pid).isPresent()) {
            return new ProcessSnapshot(Status.RUNNING, 0);
        }
        boolean isSeeing = ProcessHandle.of(own.pid()).isPresent();
        return new ProcessSnapshot(isSeeing ? Status.ENDED : Status.UNKNOWN, 0);
    }

    @Override
    public ProcessIdentity self() {
        long startMillis = own.info().startInstant().map(Instant::toEpochMilli).orElse(0L);
        return new ProcessIdentity(own.pid(), startMillis);
    }
}
