package org.gradwire.backend.tensorpipe.os;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** File descriptors of processes (Linux's pidfd, since 5.3), and their polling. */
final class Pidfd {
    /** Bytes of a {@code struct pollfd}. */
    static final long POLLFD_BYTES = 8;

    private static final long EVENTS_OFFSET = 4;
    private static final long READY_OFFSET = 6;
    private static final short POLLIN = 1;
    private static final long PIDFD_OPEN = 434; // the same on all processors
    private static final int NO_SIGNAL = 0;
    private static final int EPERM = 1;
    private static final int ESRCH = 3;
    private static final int ENOSYS = 38;

    private Pidfd() {}

    /**
     * Open a process's file descriptor, which is ready when the process has ended.
     *
     * @return the file descriptor, or minus the error number
     */
    static int open(long pid) {
        if (!NativeFunctions.areLinked()) {
            return -ENOSYS;
        }
        if (!isProcessNumber(pid)) {
            return -ESRCH;
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment error = NativeFunctions.errorPlace(arena);
            int descriptor =
                    (int)
                            (long)
                                    NativeFunctions.linked()
                                            .openProcess()
                                            .invokeExact(error, PIDFD_OPEN, (int) pid, 0);
            return descriptor >= 0 ? descriptor : -NativeFunctions.error(error);
        } catch (Throwable impossible) {
            throw NativeFunctions.unexpected(impossible);
        }
    }

    /** {@return whether an error number means that the system never supports the call} */
    static boolean isUnsupported(int error) {
        return error == ENOSYS || error == EPERM;
    }

    /** {@return whether the system reports that no process has an id} */
    static boolean isNoProcess(long pid) {
        if (!isProcessNumber(pid)) {
            return true;
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment error = NativeFunctions.errorPlace(arena);
            int result =
                    (int)
                            NativeFunctions.linked()
                                    .signalProcess()
                                    .invokeExact(error, (int) pid, NO_SIGNAL);
            return result != 0 && NativeFunctions.error(error) == ESRCH;
        } catch (Throwable impossible) {
            throw NativeFunctions.unexpected(impossible);
        }
    }

    private static boolean isProcessNumber(long pid) {
        return pid > 0 && pid == (int) pid;
    }

    /** Close a file descriptor. */
    static void close(int descriptor) {
        try {
            int _ = (int) NativeFunctions.linked().close().invokeExact(descriptor);
        } catch (Throwable impossible) {
            throw NativeFunctions.unexpected(impossible);
        }
    }

    /** Set the descriptor of one entry for {@link #poll}. */
    static void setPolled(MemorySegment polled, int index, int descriptor) {
        long at = index * POLLFD_BYTES;
        polled.set(ValueLayout.JAVA_INT, at, descriptor);
        polled.set(ValueLayout.JAVA_SHORT, at + EVENTS_OFFSET, POLLIN);
    }

    /**
     * Poll file descriptors, without blocking.
     *
     * @return the number of ready ones; negative on failure
     */
    static int poll(MemorySegment polled, int count) {
        try {
            return (int) NativeFunctions.linked().poll().invokeExact(polled, (long) count, 0);
        } catch (Throwable impossible) {
            throw NativeFunctions.unexpected(impossible);
        }
    }

    /** {@return whether the last {@link #poll} found the descriptor of an entry ready} */
    static boolean isReady(MemorySegment polled, int index) {
        long at = index * POLLFD_BYTES + READY_OFFSET;
        return (polled.get(ValueLayout.JAVA_SHORT, at) & POLLIN) != 0;
    }
}
