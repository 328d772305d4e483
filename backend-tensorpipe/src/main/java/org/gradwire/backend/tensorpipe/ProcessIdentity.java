package org.gradwire.backend.tensorpipe;

import org.gradwire.backend.tensorpipe.ProcessSnapshot.Status;

import java.util.Optional;

/**
 * One process of this host, not to be mistaken for a later one with the same number.
 *
 * <p>An error is no proof of an end: a process counts as ended only when the system says that there
 * is none of its number, that it is a zombie, or that its number is another process's by now. With
 * no file descriptor left, or where {@code /proc} hides other users' processes, its status is
 * unknown.
 *
 * @param pid its number in this process's pid namespace
 * @param startTicks when it started: on Linux in clock ticks since the host's boot
 */
record ProcessIdentity(long pid, long startTicks) {

    /** {@return this process} */
    static ProcessIdentity self() {
        return OperatingSystem.current().self();
    }

    /** {@return the living process of that number; empty also when its status is unknown} */
    static Optional<ProcessIdentity> ofLiving(long pid) {
        ProcessSnapshot found = OperatingSystem.current().look(pid);
        return found.isLiving()
                ? Optional.of(new ProcessIdentity(pid, found.start()))
                : Optional.empty();
    }

    /** {@return whether there is no living process of that number, for certain} */
    static boolean isNone(long pid) {
        return OperatingSystem.current().look(pid).status() == Status.ENDED;
    }

    Status status() {
        ProcessSnapshot found = OperatingSystem.current().look(pid);
        return found.isNot(startTicks) ? Status.ENDED : found.status();
    }

    /** {@return whether it has ended, for certain} */
    boolean hasEnded() {
        return status() == Status.ENDED;
    }
}
