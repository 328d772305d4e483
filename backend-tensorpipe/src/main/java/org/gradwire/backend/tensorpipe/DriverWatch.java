package org.gradwire.backend.tensorpipe;

import org.jspecify.annotations.Nullable;

/**
 * Watches the media driver's process for its end, by a handle that it keeps open: so it needs no
 * file descriptor later on, when none may be left.
 *
 * <p>Confined to the poller, after the agent's start.
 */
final class DriverWatch implements AutoCloseable {
    private final long pid;
    private final ProcessWatch watch = new ProcessWatch();
    private @Nullable ProcessIdentity process; // null while its status is unknown

    DriverWatch(long pid) {
        this.pid = pid;
        process = ProcessIdentity.ofLiving(pid).orElse(null);
        if (process != null) {
            watch.follow(process);
        }
    }

    /** {@return whether the driver's process has ended, for certain} */
    boolean hasEnded() {
        ProcessIdentity known = process;
        if (known == null) {
            known = ProcessIdentity.ofLiving(pid).orElse(null);
            process = known;
        }
        if (known == null) {
            return ProcessIdentity.isNone(pid);
        }
        watch.follow(known);
        watch.look();
        return watch.hasEnded(known);
    }

    @Override
    public void close() {
        watch.close();
    }
}
