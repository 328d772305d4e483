package org.gradwire.backend.tensorpipe.os;

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

/**
 * The functions of Linux's C library that {@link LibC}, {@link Futex}, {@link Pidfd} and {@link
 * NativeSockets} call, linked together through the FFM API.
 *
 * @param futexNumber number of the system call
 */
@SuppressWarnings("restricted") // downcalls are its purpose
record NativeFunctions(
        MethodHandle readMemory,
        MethodHandle futexWait,
        MethodHandle futexWake,
        MethodHandle yield,
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
        long futexNumber) {

    private static final MemoryLayout CAPTURED = Linker.Option.captureStateLayout();
    private static final VarHandle ERRNO =
            CAPTURED.varHandle(MemoryLayout.PathElement.groupElement("errno"));

    private static final @Nullable NativeFunctions LINKED = link();

    /** {@return whether the functions could be linked} */
    static boolean areLinked() {
        return LINKED != null;
    }

    /**
     * {@return the functions}
     *
     * @throws IllegalStateException if they could not be linked
     */
    static NativeFunctions linked() {
        NativeFunctions functions = LINKED;
        if (functions == null) {
            throw new IllegalStateException("the C library's functions are not available");
        }
        return functions;
    }

    /** {@return memory for the error number of calls; for one thread at a time} */
    static MemorySegment errorPlace(Arena arena) {
        return arena.allocate(CAPTURED);
    }

    /** {@return the error number of the last call with this memory} */
    static int error(MemorySegment errorPlace) {
        return (int) ERRNO.get(errorPlace, 0L);
    }

    /** {@return the failure of a downcall that threw, which does not occur} */
    static IllegalStateException unexpected(Throwable cause) {
        return new IllegalStateException("a native call failed: " + cause, cause);
    }

    private static @Nullable NativeFunctions link() {
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
            System.getLogger(NativeFunctions.class.getPackageName())
                    .log(System.Logger.Level.INFO, "no native access: {0}", missing.getMessage());
            return null;
        }
    }

    private static NativeFunctions link(Linker linker, long futexNumber) {
        SymbolLookup lookup = linker.defaultLookup();
        var pointer = ValueLayout.ADDRESS;
        var word = ValueLayout.JAVA_INT;
        var wide = ValueLayout.JAVA_LONG;
        // syscall is variadic in C
        Linker.Option variadic = Linker.Option.firstVariadicArg(1);
        return new NativeFunctions(
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
}
