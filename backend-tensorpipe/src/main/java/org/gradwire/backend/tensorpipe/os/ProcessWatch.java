package org.gradwire.backend.tensorpipe.os;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Detects the end of processes of this host, of all with one system call.
 *
 * <p>A handle ({@link Pidfd}) distinguishes a process from a later one with the same number.
 * Without handles a process is not followed, and its end is read from {@code /proc}, which takes
 * some 50 us.
 *
 * <p>For one thread.
 */
public final class ProcessWatch implements AutoCloseable {
    private final Map<ProcessIdentity, Handle> handles = new HashMap<>();
    private MemorySegment polled = MemorySegment.NULL; // a pollfd for each handle
    private boolean isRefused; // the system supports no handles

    private static final class Handle {
        final int descriptor;
        boolean hasEnded;

        Handle(int descriptor) {
            this.descriptor = descriptor;
        }

        void close() {
            Pidfd.close(descriptor);
        }
    }

    /** {@return whether {@link #look} sees the end of a process} */
    public boolean follows(ProcessIdentity process) {
        return handles.containsKey(process);
    }

    /**
     * Begin to follow a process, if it runs and has a handle. Without a free file descriptor the
     * caller may try again.
     */
    public void follow(ProcessIdentity process) {
        if (isRefused || follows(process)) {
            return;
        }
        int descriptor = Pidfd.open(process.pid());
        if (descriptor < 0) {
            isRefused = Pidfd.isUnsupported(-descriptor);
            return;
        }
        if (isLiving(process)) { // so the handle is not of a later process
            handles.put(process, new Handle(descriptor));
            arrange();
        } else {
            Pidfd.close(descriptor);
        }
    }

    private static boolean isLiving(ProcessIdentity process) {
        return switch (process.status()) {
            case RUNNING, STOPPED -> true;
            case ENDED, UNKNOWN -> false;
        };
    }

    /** Stop following all other processes. */
    public void retain(Collection<ProcessIdentity> processes) {
        List<Handle> left = new ArrayList<>();
        handles.forEach((process, handle) -> {
            if (!processes.contains(process)) {
                left.add(handle);
            }
        });
        if (!left.isEmpty()) {
            left.forEach(Handle::close);
            handles.values().removeAll(left);
            arrange();
        }
    }

    private void arrange() {
        polled = Arena.ofAuto().allocate(Pidfd.POLLFD_BYTES * Math.max(1, handles.size()), 4);
        int at = 0;
        for (Handle handle : handles.values()) {
            Pidfd.setPolled(polled, at++, handle.descriptor);
        }
    }

    /** Update the states of the followed processes. */
    public void look() {
        if (handles.isEmpty() || Pidfd.poll(polled, handles.size()) <= 0) {
            return;
        }
        int at = 0;
        for (Handle handle : handles.values()) {
            handle.hasEnded |= Pidfd.isReady(polled, at++);
        }
    }

    /**
     * {@return whether a process had certainly ended at the last {@link #look}; if not followed,
     * whether it has ended now}
     */
    public boolean hasEnded(ProcessIdentity process) {
        Handle handle = handles.get(process);
        return handle == null ? process.hasEnded() : handle.hasEnded;
    }

    @Override
    public void close() {
        handles.values().forEach(Handle::close);
        handles.clear();
    }
}
