package org.gradwire.backend.tensorpipe.os;

import java.util.Optional;

/**
 * The identity of a process of this host: its id and start time.
 *
 * <p>An error does not prove an end: a process has ended only if the system reports that no process
 * has its id, that it is a zombie, or that another process has its id. Without a free file
 * descriptor, or where {@code /proc} hides other users' processes, the status is unknown.
 *
 * @param pid its id in this process's pid namespace
 * @param startTicks start time: on Linux in clock ticks since the host's boot
 */
public record ProcessIdentity(long pid, long startTicks) {

    /** {@return this process} */
    public static ProcessIdentity self() {
        return OperatingSystem.current().self();
    }

    /** {@return the running process with an id; empty also if its status is unknown} */
    public static Optional<ProcessIdentity> ofLiving(long pid) {
        ProcessSnapshot found = OperatingSystem.current().look(pid);
        return found.isLiving()
                ? Optional.of(new ProcessIdentity(pid, found.start()))
                : Optional.empty();
    }

    /** {@return whether certainly no running process has an id} */
    public static boolean isNone(long pid) {
        return OperatingSystem.current().look(pid).status() == ProcessStatus.ENDED;
    }

    public ProcessStatus status() {
        ProcessSnapshot found = OperatingSystem.current().look(pid);
        return found.isNot(startTicks) ? ProcessStatus.ENDED : found.status();
    }

    /** {@return whether it has certainly ended} */
    public boolean hasEnded() {
        return status() == ProcessStatus.ENDED;
    }
}
