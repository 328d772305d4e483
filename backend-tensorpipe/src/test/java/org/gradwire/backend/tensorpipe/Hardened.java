package org.gradwire.backend.tensorpipe;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/**
 * Runs a program as in a hardened container: a seccomp filter, inherited by its children, makes
 * {@code process_vm_readv} and {@code pidfd_open} fail with EPERM. This process becomes the program
 * ({@code exec}). Needs no privilege.
 */
final class Hardened {
    private static final int PR_SET_NO_NEW_PRIVS = 38;
    private static final int PR_SET_SECCOMP = 22;
    private static final long FILTER_MODE = 2;

    // An instruction of the filter: code and jumps in the lower half, the operand in the upper one.
    private static final long LOAD_CALL_NUMBER = 0x20;
    private static final long JUMP_IF_EQUAL = 0x15;
    private static final long RETURN = 0x06;
    private static final long ALLOW = 0x7fff0000L;
    private static final long FAIL_WITH_EPERM = 0x00050001L;
    private static final long PIDFD_OPEN = 434;

    private Hardened() {}

    /**
     * Install the filter and become a program.
     *
     * @param args its path and arguments
     */
    public static void main(String[] args) throws Throwable {
        try (Arena arena = Arena.ofConfined()) {
            control(PR_SET_NO_NEW_PRIVS, 1, MemorySegment.NULL);
            control(PR_SET_SECCOMP, FILTER_MODE, filter(arena));
            become(arena, args);
        }
    }

    private static MemorySegment filter(Arena arena) {
        long readMemory = System.getProperty("os.arch").equals("aarch64") ? 270 : 310;
        long[] instructions = {
            LOAD_CALL_NUMBER,
            jumpIfEqual(readMemory, 2),
            jumpIfEqual(PIDFD_OPEN, 1),
            RETURN | ALLOW << 32,
            RETURN | FAIL_WITH_EPERM << 32
        };
        MemorySegment program = arena.allocate(16, 8); // struct sock_fprog
        program.set(ValueLayout.JAVA_SHORT, 0, (short) instructions.length);
        program.set(
                ValueLayout.ADDRESS, 8, arena.allocateFrom(ValueLayout.JAVA_LONG, instructions));
        return program;
    }

    private static long jumpIfEqual(long number, long over) {
        return JUMP_IF_EQUAL | over << 16 | number << 32;
    }

    @SuppressWarnings("restricted") // the signature is that of prctl(2)
    private static void control(int what, long value, MemorySegment more) throws Throwable {
        MethodHandle prctl =
                Linker.nativeLinker()
                        .downcallHandle(
                                Linker.nativeLinker().defaultLookup().findOrThrow("prctl"),
                                FunctionDescriptor.of(
                                        ValueLayout.JAVA_INT,
                                        ValueLayout.JAVA_INT,
                                        ValueLayout.JAVA_LONG,
                                        ValueLayout.ADDRESS,
                                        ValueLayout.JAVA_LONG,
                                        ValueLayout.JAVA_LONG),
                                Linker.Option.firstVariadicArg(1));
        if ((int) prctl.invokeExact(what, value, more, 0L, 0L) != 0) {
            throw new IllegalStateException("prctl " + what + " was refused");
        }
    }

    @SuppressWarnings("restricted") // the signature is that of execv(3)
    private static void become(Arena arena, String[] command) throws Throwable {
        MemorySegment arguments = arena.allocate(ValueLayout.ADDRESS, command.length + 1L);
        for (int i = 0; i < command.length; i++) {
            arguments.setAtIndex(ValueLayout.ADDRESS, i, arena.allocateFrom(command[i]));
        }
        MethodHandle execv =
                Linker.nativeLinker()
                        .downcallHandle(
                                Linker.nativeLinker().defaultLookup().findOrThrow("execv"),
                                FunctionDescriptor.of(
                                        ValueLayout.JAVA_INT,
                                        ValueLayout.ADDRESS,
                                        ValueLayout.ADDRESS));
        int failure = (int) execv.invokeExact(arena.allocateFrom(command[0]), arguments);
        throw new IllegalStateException(command[0] + " does not start: " + failure);
    }
}
