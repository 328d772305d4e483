package org.gradwire.backend.tensorpipe.os;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Waits on words in shared memory (Linux's futex), and yields the core. Needs {@link LibC}. */
public final class Futex {
    private static final int FUTEX_WAIT = 0;
    private static final int FUTEX_WAKE = 1;
    private static final long NANOS = 1_000_000_000L;

    private Futex() {}

    /**
     * Sleep until the word is woken, has another value, or the time has passed.
     *
     * @param word four bytes, which may be shared between processes
     * @param time 16 bytes of the caller for the timeout
     */
    static void sleep(MemorySegment word, int expected, long nanos, MemorySegment time) {
        time.set(ValueLayout.JAVA_LONG, 0, nanos / NANOS);
        time.set(ValueLayout.JAVA_LONG, 8, nanos % NANOS);
        try {
            NativeFunctions f = NativeFunctions.linked();
            long _ =
                    (long)
                            f.futexWait()
                                    .invokeExact(f.futexNumber(), word, FUTEX_WAIT, expected, time);
        } catch (Throwable impossible) {
            throw NativeFunctions.unexpected(impossible);
        }
    }

    /** Wake the thread that sleeps on the word. */
    static void wake(MemorySegment word) {
        try {
            NativeFunctions f = NativeFunctions.linked();
            long _ = (long) f.futexWake().invokeExact(f.futexNumber(), word, FUTEX_WAKE, 1);
        } catch (Throwable impossible) {
            throw NativeFunctions.unexpected(impossible);
        }
    }

    /** Yield the core, also under a virtual thread, where {@link Thread#yield} does not. */
    public static void yieldCore() {
        try {
            int _ = (int) NativeFunctions.linked().yield().invokeExact();
        } catch (Throwable impossible) {
            throw NativeFunctions.unexpected(impossible);
        }
    }
}
