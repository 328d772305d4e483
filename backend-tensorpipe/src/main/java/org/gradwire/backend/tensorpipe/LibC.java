package org.gradwire.backend.tensorpipe;

import org.gradwire.spi.OsNative;
import org.jspecify.annotations.Nullable;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * The functions of Linux's C library that this backend calls through the FFM API.
 *
 * <p>Where they cannot be linked (another system, native access denied, {@code
 * gradwire.os.native=off}) {@link #isAvailable} is false and the backend does without: chunks
 * instead of single copies, timed pauses instead of bells.
 */
@SuppressWarnings("restricted") // downcalls are what this class is for
final class LibC {
    /** Bytes of a {@code struct iovec}. */
    static final int IOVEC_BYTES = 16;

    /** Bytes of a {@code struct pollfd}. */
    static final long POLLED_BYTES = 8;

    private static final int AF_UNIX = 1;
    private static final int SOCK_STREAM = 1;
    private static final int SOCK_NONBLOCK = 0x800;
    private static final int SOCK_CLOEXEC = 0x80000;
    private static final int SOL_SOCKET = 1;
    private static final int SO_PEERCRED = 17;
    private static final int UCRED_BYTES = 12; // pid, uid, gid
    private static final int UNIX_PATH_OFFSET = 2;
    private static final int UNIX_ADDRESS_BYTES = 110;

    private static final long EVENTS_OFFSET = 4;
    private static final long READY_OFFSET = 6;
    private static final short POLLIN = 1;
    private static final long PIDFD_OPEN = 434; // on all processors
    private static final int NO_SIGNAL = 0;
    private static final int EPERM = 1;
    private static final int ESRCH = 3;
    private static final int ENOSYS = 38;

    private static final int FUTEX_WAIT = 0;
    private static final int FUTEX_WAKE = 1;
    private static final int PR_SET_PTRACER = 0x59616d61;
    private static final int SIGHUP = 1;
    private static final int SIGINT = 2;
    private static final MemorySegment SIG_IGN = MemorySegment.ofAddress(1);
    private static final long PTRACER_ANY = -1;
    private static final long NANOS = 1_000_000_000L;
    private static final MemoryLayout CAPTURED = Linker.Option.captureStateLayout();
    private static final VarHandle ERRNO =
            CAPTURED.varHandle(MemoryLayout.PathElement.groupElement("errno"));

    private static final @Nullable Functions FUNCTIONS = link();

    private record Functions(
            MethodHandle readMemory,
            MethodHandle futexWait,
            MethodHandle futexWake,
            MethodHandle yield,
            MethodHandle control,
            MethodHandle newSession,
            MethodHandle signal,
            MethodHandle setSocketOption,
            MethodHandle openProcess,
            MethodHandle signalProcess,
            MethodHandle poll,
            MethodHandle close,
            MethodHandle socket,
            MethodHandle connect,
            MethodHandle getSocketOption,
            MethodHandle effectiveUser,
            long futexNumber) {}

    private LibC() {}

    /** {@return whether the functions could be linked} */
    static boolean isAvailable() {
        return FUNCTIONS != null;
    }

    /** {@return a place for a call's error number, to be used by one thread at a time} */
    static MemorySegment errorPlace(Arena arena) {
        return arena.allocate(CAPTURED);
    }

    /**
     * Read another process's memory: {@code process_vm_readv}.
     *
     * @param local {@code iovec}s to fill, in order
     * @param remote {@code iovec}s to read, in order
     * @return the number of bytes, or minus the error number
     */
    static long readMemory(
            int pid,
            MemorySegment local,
            int locals,
            MemorySegment remote,
            int remotes,
            MemorySegment error) {
        try {
            long bytes =
                    (long)
                            functions()
                                    .readMemory
                                    .invokeExact(
                                            error,
                                            pid,
                                            local,
                                            (long) locals,
                                            remote,
                                            (long) remotes,
                                            0L);
            return bytes >= 0 ? bytes : -(int) ERRNO.get(error, 0L);
        } catch (Throwable impossible) {
            throw unexpected(impossible);
        }
    }

    /**
     * Sleep until the word is woken, holds another value, or the time is up.
     *
     * @param word four bytes, which may be shared between processes
     * @param time 16 bytes of the caller's for the timeout
     */
    static void sleepOn(MemorySegment word, int expected, long nanos, MemorySegment time) {
        time.set(ValueLayout.JAVA_LONG, 0, nanos / NANOS);
        time.set(ValueLayout.JAVA_LONG, 8, nanos % NANOS);
        try {
            Functions f = functions();
            long _ =
                    (long) f.futexWait.invokeExact(f.futexNumber, word, FUTEX_WAIT, expected, time);
        } catch (Throwable impossible) {
            throw unexpected(impossible);
        }
    }

    /** Wake the one that sleeps on the word. */
    static void wake(MemorySegment word) {
        try {
            Functions f = functions();
            long _ = (long) f.futexWake.invokeExact(f.futexNumber, word, FUTEX_WAKE, 1);
        } catch (Throwable impossible) {
            throw unexpected(impossible);
        }
    }

    /**
     * Let another thread have the core: what {@link Thread#yield} does on a platform thread only.
     */
    static void yieldCore() {
        try {
            int _ = (int) functions().yield.invokeExact();
        } catch (Throwable impossible) {
            throw unexpected(impossible);
        }
    }

    /** Let every process of this user read this one's memory, where Yama asks for that. */
    static void allowReaders() {
        try {
            int _ = (int) functions().control.invokeExact(PR_SET_PTRACER, PTRACER_ANY);
        } catch (Throwable impossible) {
            throw unexpected(impossible);
        }
    }

    /** Leave the terminal: its Ctrl-C and its end do not reach this process any more. */
    static void leaveTerminal() {
        try {
            Functions f = functions();
            MemorySegment _ = (MemorySegment) f.signal.invokeExact(SIGINT, SIG_IGN);
            MemorySegment _ = (MemorySegment) f.signal.invokeExact(SIGHUP, SIG_IGN);
            int _ = (int) f.newSession.invokeExact();
        } catch (Throwable impossible) {
            throw unexpected(impossible);
        }
    }

    /**
     * Set an option of a socket whose value is a number.
     *
     * @return whether the system took it
     */
    static boolean setSocketOption(int socket, int level, int option, int value) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment place = arena.allocateFrom(ValueLayout.JAVA_INT, value);
            return (int)
                            functions()
                                    .setSocketOption
                                    .invokeExact(socket, level, option, place, Integer.BYTES)
                    == 0;
        } catch (Throwable impossible) {
            throw unexpected(impossible);
        }
    }

    /**
     * Open a handle of a process, which is ready to be read when that has ended.
     *
     * @return the handle's file descriptor, or minus the error number
     */
    static int openProcess(long pid) {
        if (FUNCTIONS == null) {
            return -ENOSYS;
        }
        if (!isProcessNumber(pid)) {
            return -ESRCH;
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment error = errorPlace(arena);
            int descriptor =
                    (int)
                            (long)
                                    functions()
                                            .openProcess
                                            .invokeExact(error, PIDFD_OPEN, (int) pid, 0);
            return descriptor >= 0 ? descriptor : -(int) ERRNO.get(error, 0L);
        } catch (Throwable impossible) {
            throw unexpected(impossible);
        }
    }

    /** {@return whether an error number says that the system never does what was asked} */
    static boolean isUnsupported(int error) {
        return error == ENOSYS || error == EPERM;
    }

    /** {@return whether the system says that there is no process of that number} */
    static boolean isNoProcess(long pid) {
        if (!isProcessNumber(pid)) {
            return true;
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment error = errorPlace(arena);
            int result = (int) functions().signalProcess.invokeExact(error, (int) pid, NO_SIGNAL);
            return result != 0 && (int) ERRNO.get(error, 0L) == ESRCH;
        } catch (Throwable impossible) {
            throw unexpected(impossible);
        }
    }

    private static boolean isProcessNumber(long pid) {
        return pid > 0 && pid == (int) pid;
    }

    /** {@return the effective user of this process} */
    static int effectiveUser() {
        try {
            return (int) functions().effectiveUser.invokeExact();
        } catch (Throwable impossible) {
            throw unexpected(impossible);
        }
    }

    /**
     * Connect to a Unix socket, without waiting, and ask the kernel which process listens there.
     *
     * @return null when that fails, or the path is too long for a socket
     */
    static @Nullable PeerCredentials peerCredentials(Path path) {
        byte[] name = path.toString().getBytes(StandardCharsets.UTF_8);
        if (UNIX_PATH_OFFSET + name.length >= UNIX_ADDRESS_BYTES) {
            return null;
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment address = arena.allocate(UNIX_ADDRESS_BYTES, 2);
            address.set(ValueLayout.JAVA_SHORT, 0, (short) AF_UNIX);
            MemorySegment.copy(
                    name, 0, address, ValueLayout.JAVA_BYTE, UNIX_PATH_OFFSET, name.length);
            int type = SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC;
            int socket = (int) functions().socket.invokeExact(AF_UNIX, type, 0);
            if (socket < 0) {
                return null;
            }
            try {
                int failure =
                        (int) functions().connect.invokeExact(socket, address, UNIX_ADDRESS_BYTES);
                return failure == 0 ? peerCredentials(socket, arena) : null;
            } finally {
                closeDescriptor(socket);
            }
        } catch (Throwable impossible) {
            throw unexpected(impossible);
        }
    }

    private static @Nullable PeerCredentials peerCredentials(int socket, Arena arena)
            throws Throwable {
        MemorySegment value = arena.allocate(UCRED_BYTES, Integer.BYTES);
        MemorySegment length = arena.allocateFrom(ValueLayout.JAVA_INT, UCRED_BYTES);
        int failure =
                (int)
                        functions()
                                .getSocketOption
                                .invokeExact(socket, SOL_SOCKET, SO_PEERCRED, value, length);
        return failure == 0
                ? new PeerCredentials(
                        value.getAtIndex(ValueLayout.JAVA_INT, 0),
                        value.getAtIndex(ValueLayout.JAVA_INT, 1))
                : null;
    }

    /** Close a file descriptor. */
    static void closeDescriptor(int descriptor) {
        try {
            int _ = (int) functions().close.invokeExact(descriptor);
        } catch (Throwable impossible) {
            throw unexpected(impossible);
        }
    }

    /** Write which descriptor {@link #poll} shall look at in one place. */
    static void setPolled(MemorySegment polled, int index, int descriptor) {
        long at = index * POLLED_BYTES;
        polled.set(ValueLayout.JAVA_INT, at, descriptor);
        polled.set(ValueLayout.JAVA_SHORT, at + EVENTS_OFFSET, POLLIN);
    }

    /**
     * See which file descriptors are ready, without waiting.
     *
     * @return how many; negative on failure
     */
    static int poll(MemorySegment polled, int count) {
        try {
            return (int) functions().poll.invokeExact(polled, (long) count, 0);
        } catch (Throwable impossible) {
            throw unexpected(impossible);
        }
    }

    /** {@return whether the last {@link #poll} found the descriptor in one place ready} */
    static boolean isReady(MemorySegment polled, int index) {
        long at = index * POLLED_BYTES + READY_OFFSET;
        return (polled.get(ValueLayout.JAVA_SHORT, at) & POLLIN) != 0;
    }

    private static Functions functions() {
        Functions functions = FUNCTIONS;
        if (functions == null) {
            throw new IllegalStateException("the C library's functions are not available");
        }
        return functions;
    }

    private static @Nullable Functions link() {
        long futexNumber =
                switch (System.getProperty("os.arch")) {
                    case "amd64" -> 202;
                    case "aarch64" -> 98;
                    case null, default -> 0;
                };
        if (!OsNative.isOn()
                || futexNumber == 0
                || !"Linux".equals(System.getProperty("os.name"))) {
            return null;
        }
        try {
            return link(Linker.nativeLinker(), futexNumber);
        } catch (IllegalCallerException | UnsupportedOperationException missing) {
            System.getLogger(LibC.class.getPackageName())
                    .log(System.Logger.Level.INFO, "no native access: {0}", missing.getMessage());
            return null;
        }
    }

    private static Functions link(Linker linker, long futexNumber) {
        SymbolLookup lookup = linker.defaultLookup();
        var pointer = ValueLayout.ADDRESS;
        var word = ValueLayout.JAVA_INT;
        var wide = ValueLayout.JAVA_LONG;
        // syscall and prctl are variadic in C
        Linker.Option variadic = Linker.Option.firstVariadicArg(1);
        return new Functions(
                linker.downcallHandle(
                        find(lookup, "process_vm_readv"),
                        FunctionDescriptor.of(wide, word, pointer, wide, pointer, wide, wide),
                        Linker.Option.captureCallState("errno")),
                linker.downcallHandle(
                        find(lookup, "syscall"),
                        FunctionDescriptor.of(wide, wide, pointer, word, word, pointer),
                        variadic),
                linker.downcallHandle(
                        find(lookup, "syscall"),
                        FunctionDescriptor.of(wide, wide, pointer, word, word),
                        variadic),
                linker.downcallHandle(find(lookup, "sched_yield"), FunctionDescriptor.of(word)),
                linker.downcallHandle(
                        find(lookup, "prctl"), FunctionDescriptor.of(word, word, wide), variadic),
                linker.downcallHandle(find(lookup, "setsid"), FunctionDescriptor.of(word)),
                linker.downcallHandle(
                        find(lookup, "signal"), FunctionDescriptor.of(pointer, word, pointer)),
                linker.downcallHandle(
                        find(lookup, "setsockopt"),
                        FunctionDescriptor.of(word, word, word, word, pointer, word)),
                linker.downcallHandle(
                        find(lookup, "syscall"),
                        FunctionDescriptor.of(wide, wide, word, word),
                        variadic,
                        Linker.Option.captureCallState("errno")),
                linker.downcallHandle(
                        find(lookup, "kill"),
                        FunctionDescriptor.of(word, word, word),
                        Linker.Option.captureCallState("errno")),
                linker.downcallHandle(
                        find(lookup, "poll"), FunctionDescriptor.of(word, pointer, wide, word)),
                linker.downcallHandle(find(lookup, "close"), FunctionDescriptor.of(word, word)),
                linker.downcallHandle(
                        find(lookup, "socket"), FunctionDescriptor.of(word, word, word, word)),
                linker.downcallHandle(
                        find(lookup, "connect"), FunctionDescriptor.of(word, word, pointer, word)),
                linker.downcallHandle(
                        find(lookup, "getsockopt"),
                        FunctionDescriptor.of(word, word, word, word, pointer, pointer)),
                linker.downcallHandle(find(lookup, "geteuid"), FunctionDescriptor.of(word)),
                futexNumber);
    }

    private static MemorySegment find(SymbolLookup lookup, String name) {
        return lookup.find(name)
                .orElseThrow(
                        () -> new UnsupportedOperationException("the C library has no " + name));
    }

    private static IllegalStateException unexpected(Throwable cause) {
        return new IllegalStateException("a native call failed: " + cause, cause);
    }
}
