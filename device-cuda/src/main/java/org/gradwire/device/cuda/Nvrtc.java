package org.gradwire.device.cuda;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import org.gradwire.spi.device.DeviceException;
import org.jspecify.annotations.Nullable;

import java.lang.foreign.Arena;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/** NVIDIA's compiler of kernels at run time. See NVIDIA, "NVRTC". */
final class Nvrtc {
    private static final int COMPILATION_FAILED = 6;

    private static final @Nullable NativeLibrary LIBRARY =
            NativeLibrary.find(
                            new CudaSettings().libraries(),
                            "libnvrtc.so.13",
                            "libnvrtc.so.12",
                            "libnvrtc.so")
                    .orElse(null);

    private Nvrtc() {}

    private static final class Functions {
        static final MethodHandle CREATE =
                function(
                        "nvrtcCreateProgram",
                        ADDRESS,
                        ADDRESS,
                        ADDRESS,
                        JAVA_INT,
                        ADDRESS,
                        ADDRESS);
        static final MethodHandle COMPILE =
                function("nvrtcCompileProgram", ADDRESS, JAVA_INT, ADDRESS);
        static final MethodHandle LOG_SIZE = function("nvrtcGetProgramLogSize", ADDRESS, ADDRESS);
        static final MethodHandle LOG = function("nvrtcGetProgramLog", ADDRESS, ADDRESS);
        static final MethodHandle CUBIN_SIZE = function("nvrtcGetCUBINSize", ADDRESS, ADDRESS);
        static final MethodHandle CUBIN = function("nvrtcGetCUBIN", ADDRESS, ADDRESS);
        static final MethodHandle DESTROY = function("nvrtcDestroyProgram", ADDRESS);
        static final MethodHandle VERSION = function("nvrtcVersion", ADDRESS, ADDRESS);

        private static MethodHandle function(String name, MemoryLayout... parameters) {
            NativeLibrary library = LIBRARY;
            if (library == null) {
                throw new UnsatisfiedLinkError("there is no NVRTC");
            }
            return library.intFunction(name, parameters);
        }
    }

    /** {@return whether the library was found} */
    static boolean exists() {
        return LIBRARY != null;
    }

    /** {@return the version, such as 13.0} */
    static String version() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment major = arena.allocate(JAVA_INT);
            MemorySegment minor = arena.allocate(JAVA_INT);
            check("nvrtcVersion", (int) Functions.VERSION.invokeExact(major, minor));
            return major.get(JAVA_INT, 0) + "." + minor.get(JAVA_INT, 0);
        } catch (Throwable e) {
            throw NativeLibrary.thrown(e);
        }
    }

    /**
     * Compile a program.
     *
     * @param capability of the device, 90 for 9.0
     * @return its machine code
     */
    static byte[] compile(String source, int capability) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment out = arena.allocate(ADDRESS);
            check(
                    "nvrtcCreateProgram",
                    (int)
                            Functions.CREATE.invokeExact(
                                    out,
                                    arena.allocateFrom(source),
                                    arena.allocateFrom("gradwire.cu"),
                                    0,
                                    MemorySegment.NULL,
                                    MemorySegment.NULL));
            MemorySegment program = out.get(ADDRESS, 0);
            try {
                return compile(arena, program, capability);
            } finally {
                check("nvrtcDestroyProgram", (int) Functions.DESTROY.invokeExact(out));
            }
        } catch (Throwable e) {
            throw NativeLibrary.thrown(e);
        }
    }

    private static byte[] compile(Arena arena, MemorySegment program, int capability)
            throws Throwable {
        String[] options = {"--gpu-architecture=sm_" + capability, "--std=c++17"};
        MemorySegment texts = arena.allocate(ADDRESS, options.length);
        for (int i = 0; i < options.length; i++) {
            texts.setAtIndex(ADDRESS, i, arena.allocateFrom(options[i]));
        }
        int result = (int) Functions.COMPILE.invokeExact(program, options.length, texts);
        if (result == COMPILATION_FAILED) {
            MemorySegment log =
                    read(arena, "nvrtcGetProgramLog", Functions.LOG_SIZE, Functions.LOG, program);
            throw failure("nvrtcCompileProgram", result, log.getString(0));
        }
        check("nvrtcCompileProgram", result);
        return read(arena, "nvrtcGetCUBIN", Functions.CUBIN_SIZE, Functions.CUBIN, program)
                .toArray(JAVA_BYTE);
    }

    private static MemorySegment read(
            Arena arena,
            String function,
            MethodHandle size,
            MethodHandle contents,
            MemorySegment program)
            throws Throwable {
        MemorySegment out = arena.allocate(JAVA_LONG);
        check(function + "Size", (int) size.invokeExact(program, out));
        MemorySegment bytes = arena.allocate(Math.max(out.get(JAVA_LONG, 0), 1));
        check(function, (int) contents.invokeExact(program, bytes));
        return bytes;
    }

    private static void check(String function, int result) {
        if (result != 0) {
            throw failure(function, result, "see the results of nvrtcResult");
        }
    }

    private static DeviceException failure(String function, int result, String problem) {
        return new DeviceException(function, result, "NVRTC_ERROR", problem);
    }
}
