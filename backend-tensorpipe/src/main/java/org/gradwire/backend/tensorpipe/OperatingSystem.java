package org.gradwire.backend.tensorpipe;

import org.gradwire.spi.OsNative;

import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.util.Optional;

/**
 * What this backend asks the operating system about memory, hosts and processes, in a form for
 * Linux and a portable one. The calls of the C library are in {@link LibC}, whose callers have a
 * portable form each.
 */
sealed interface OperatingSystem permits LinuxSystem, PortableSystem {

    /**
     * {@return the form that this JVM uses: the portable one also where {@code /proc} is missing}
     */
    static OperatingSystem current() {
        return Current.SYSTEM;
    }

    /** {@return why this backend cannot run on this system, if so} */
    static Optional<String> obstacle() {
        boolean hasOwners = FileSystems.getDefault().supportedFileAttributeViews().contains("unix");
        return hasOwners
                ? Optional.empty()
                : Optional.of(
                        "%s has no POSIX owners and modes of files, by which a media driver's directory is kept private; use gradwire.backend=netty, or auto"
                                .formatted(System.getProperty("os.name")));
    }

    /** Chosen once for the JVM. */
    final class Current {
        private static final OperatingSystem SYSTEM =
                OsNative.hasProc() ? new LinuxSystem() : new PortableSystem();

        private Current() {}
    }

    /** {@return the folder for files that are mapped, in memory where the system has such a one} */
    Path sharedMemory();

    /** {@return what a user can do for more room in that folder; empty for nothing special} */
    String adviceForRoom();

    /** {@return the number of the namespace in which processes are counted; 0 when not known} */
    String pidNamespace();

    /** {@return the suffix by which drivers of different pid namespaces have different folders} */
    String directorySuffix();

    /** Note in a directory what workers need for {@link #host}, before its driver starts. */
    void prepare(DriverDirectory directory);

    /**
     * {@return what workers have in common that are on one host, and whose processes can be watched
     * by their numbers}
     *
     * @param directory of the driver that serves this worker
     */
    HostIdentity host(DriverDirectory directory);

    /** {@return the process of a number, whichever it is} */
    ProcessSnapshot look(long pid);

    /** {@return this process} */
    ProcessIdentity self();
}
