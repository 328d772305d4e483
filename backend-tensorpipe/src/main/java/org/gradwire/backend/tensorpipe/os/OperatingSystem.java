package org.gradwire.backend.tensorpipe.os;

import org.gradwire.spi.OsNative;

import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Queries of memory, hosts and processes, in a form for Linux and a portable form. Calls of the C
 * library are in {@link LibC}; each of its callers has a portable form.
 */
public sealed interface OperatingSystem permits LinuxSystem, PortableSystem {

    /** {@return the form for this JVM; the portable one if {@code /proc} is missing} */
    static OperatingSystem current() {
        return Current.SYSTEM;
    }

    /** {@return the reason why this backend cannot run on this system; empty if it can} */
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

    /** {@return the folder for mapped files, in memory where the system has one} */
    Path sharedMemory();

    /** {@return the advice to get more room in {@link #sharedMemory}} */
    String adviceForRoom();

    /** {@return the number of the pid namespace; 0 if unknown} */
    String pidNamespace();

    /** {@return the suffix that distinguishes the drivers' folders of different pid namespaces} */
    String directorySuffix();

    /** Prepare a driver's directory for {@link #host}, before the driver starts. */
    void prepare(Path directory);

    /**
     * {@return the identity shared by workers on one host that can watch each other's processes}
     *
     * @param directory of the driver that serves this worker
     */
    HostIdentity host(Path directory);

    /** {@return the current state of the process with an id} */
    ProcessSnapshot look(long pid);

    /** {@return this process} */
    ProcessIdentity self();
}
