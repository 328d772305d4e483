package org.gradwire.backend.tensorpipe.driver;

import org.gradwire.backend.tensorpipe.os.ProcessIdentity;
import org.gradwire.backend.tensorpipe.os.ProcessWatch;
import org.jspecify.annotations.Nullable;

/**
 * Detects the end of the media driver's process, by a handle opened at the start: later no file
 * descriptor may be free.
 *
 * <p>Confined to the poller, after the agent's start.
 */
public final class DriverWatch implements AutoCloseable {
    private final long pid;
    private final ProcessWatch watch = new ProcessWatch();
    private @Nullable ProcessIdentity process; // null while its status is unknown

    public DriverWatch(long pid) {
        this.pid = pid;
        process = ProcessIdentity.ofLiving(pid).orElse(null);
        if (process != null) {
            watch.follow(process);
        }
    }

    /** {@return whether the driver's process has certainly ended} */
    public boolean hasEnded() {
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
