package org.gradwire.backend.tensorpipe.os;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Access to the C library of Linux, and its functions for processes.
 *
 * <p>Without access (another system, native access denied, {@code gradwire.os.native=off}) {@link
 * #isAvailable} is false and the backend uses portable forms: chunks instead of single copies,
 * timed pauses instead of doorbells.
 */
public final class LibC {
    /** Bytes of a {@code struct iovec}. */
    public static final int IOVEC_BYTES = 16;

    private static final int SIGHUP = 1;
    private static final int SIGINT = 2;
    private static final MemorySegment SIG_IGN = MemorySegment.ofAddress(1);

    private LibC() {}

    /** {@return whether the functions could be linked} */
    public static boolean isAvailable() {
        return NativeFunctions.areLinked();
    }

    /** {@return memory for the error number of calls; for one thread at a time} */
    public static MemorySegment errorPlace(Arena arena) {
        return NativeFunctions.errorPlace(arena);
    }

    /**
     * Read another process's memory: {@code process_vm_readv}.
     *
     * @param local {@code iovec}s to fill, in order
     * @param remote {@code iovec}s to read, in order
     * @return the number of bytes, or minus the error number
     */
    public static long readMemory(
            int pid,
            MemorySegment local,
            int locals,
            MemorySegment remote,
            int remotes,
            MemorySegment error) {
        try {
            long bytes =
                    (long)
                            NativeFunctions.linked()
                                    .readMemory()
                                    .invokeExact(
                                            error,
                                            pid,
                                            local,
                                            (long) locals,
                                            remote,
                                            (long) remotes,
                                            0L);
            return bytes >= 0 ? bytes : -NativeFunctions.error(error);
        } catch (Throwable impossible) {
            throw NativeFunctions.unexpected(impossible);
        }
    }

    /** Leave the terminal, so that its Ctrl-C and its end do not reach this process. */
    public static void leaveTerminal() {
        try {
            NativeFunctions f = NativeFunctions.linked();
            MemorySegment _ = (MemorySegment) f.signal().invokeExact(SIGINT, SIG_IGN);
            MemorySegment _ = (MemorySegment) f.signal().invokeExact(SIGHUP, SIG_IGN);
            int _ = (int) f.newSession().invokeExact();
        } catch (Throwable impossible) {
            throw NativeFunctions.unexpected(impossible);
        }
    }

    /** {@return the effective user of this process} */
    public static int effectiveUser() {
        try {
            return (int) NativeFunctions.linked().effectiveUser().invokeExact();
        } catch (Throwable impossible) {
            throw NativeFunctions.unexpected(impossible);
        }
    }
}
