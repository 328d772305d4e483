package org.gradwire.backend.tensorpipe;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Processes of this host that are watched for their end, all of them with one call of the system.
 *
 * <p>The system gives a handle for each (Linux's pidfd, since 5.3), with which a later process of
 * the same number cannot be mistaken for it. Where it gives none, a process is not followed, and
 * whether it has ended is read from {@code /proc}, which takes some 50 us.
 *
 * <p>For one thread.
 */
final class ProcessWatch implements AutoCloseable {
    private final Map<ProcessIdentity, Handle> handles = new HashMap<>();
    private MemorySegment polled = MemorySegment.NULL; // a pollfd for each handle
    private boolean isRefused; // the system gives no handles

    private static final class Handle {
        final int descriptor;
        boolean hasEnded;

        Handle(int descriptor) {
            this.descriptor = descriptor;
        }

        void close() {
            LibC.closeDescriptor(descriptor);
        }
    }

    /** {@return whether the end of a process is seen by {@link #look}} */
    boolean follows(ProcessIdentity process) {
        return handles.containsKey(process);
    }

    /**
     * Follow a process from now on, if it lives and the system gives a handle. Where no file
     * descriptor is left this may be tried again.
     */
    void follow(ProcessIdentity process) {
        if (isRefused || follows(process)) {
            return;
        }
        int descriptor = LibC.openProcess(process.pid());
        if (descriptor < 0) {
            isRefused = LibC.isUnsupported(-descriptor);
            return;
        }
        if (isLiving(process)) { // then the handle is of this one, not of a later one
            handles.put(process, new Handle(descriptor));
            arrange();
        } else {
            LibC.closeDescriptor(descriptor);
        }
    }

    private static boolean isLiving(ProcessIdentity process) {
        return switch (process.status()) {
            case RUNNING, STOPPED -> true;
            case ENDED, UNKNOWN -> false;
        };
    }

    /** Follow no others than these any more. */
    void retain(Collection<ProcessIdentity> processes) {
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
        polled = Arena.ofAuto().allocate(LibC.POLLED_BYTES * Math.max(1, handles.size()), 4);
        int at = 0;
        for (Handle handle : handles.values()) {
            LibC.setPolled(polled, at++, handle.descriptor);
        }
    }

    /** See which of those that are followed have ended. */
    void look() {
        if (handles.isEmpty() || LibC.poll(polled, handles.size()) <= 0) {
            return;
        }
        int at = 0;
        for (Handle handle : handles.values()) {
            handle.hasEnded |= LibC.isReady(polled, at++);
        }
    }

    /**
     * {@return whether a process had ended at the last look, for certain; when not followed, now}
     */
    boolean hasEnded(ProcessIdentity process) {
        Handle handle = handles.get(process);
        return handle == null ? process.hasEnded() : handle.hasEnded;
    }

    @Override
    public void close() {
        handles.values().forEach(Handle::close);
        handles.clear();
    }
}
