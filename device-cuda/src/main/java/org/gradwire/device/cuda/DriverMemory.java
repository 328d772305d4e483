package org.gradwire.device.cuda;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/** Functions of the CUDA driver that allocate and copy memory, in the current context. */
final class DriverMemory {
    private static final int PORTABLE = 1; // pinned memory is known to all contexts

    private static final MethodHandle ALLOCATE =
            Driver.function("cuMemAlloc_v2", ADDRESS, JAVA_LONG);
    private static final MethodHandle FREE = Driver.function("cuMemFree_v2", JAVA_LONG);
    private static final MethodHandle INFO = Driver.function("cuMemGetInfo_v2", ADDRESS, ADDRESS);
    private static final MethodHandle HOST_ALLOCATE =
            Driver.function("cuMemHostAlloc", ADDRESS, JAVA_LONG, JAVA_INT);
    private static final MethodHandle HOST_FREE = Driver.function("cuMemFreeHost", ADDRESS);
    private static final MethodHandle TO_DEVICE =
            Driver.function("cuMemcpyHtoDAsync_v2", JAVA_LONG, ADDRESS, JAVA_LONG, ADDRESS);
    private static final MethodHandle TO_HOST =
            Driver.function("cuMemcpyDtoHAsync_v2", ADDRESS, JAVA_LONG, JAVA_LONG, ADDRESS);
    private static final MethodHandle WITHIN =
            Driver.function("cuMemcpyDtoDAsync_v2", JAVA_LONG, JAVA_LONG, JAVA_LONG, ADDRESS);
    private static final MethodHandle ACROSS =
            Driver.function(
                    "cuMemcpyPeerAsync",
                    JAVA_LONG,
                    ADDRESS,
                    JAVA_LONG,
                    ADDRESS,
                    JAVA_LONG,
                    ADDRESS);
    private static final MethodHandle SET =
            Driver.function("cuMemsetD8Async", JAVA_LONG, JAVA_BYTE, JAVA_LONG, ADDRESS);

    private DriverMemory() {}

    /** {@return the address of new memory; 0 when the device does not have enough} */
    static long allocate(long bytes) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment out = arena.allocate(JAVA_LONG);
            int result = (int) ALLOCATE.invokeExact(out, bytes);
            if (result == Driver.OUT_OF_MEMORY) {
                return 0;
            }
            Driver.check("cuMemAlloc", result);
            return out.get(JAVA_LONG, 0);
        } catch (Throwable e) {
            throw NativeLibrary.thrown(e);
        }
    }

    static void free(long address) {
        try {
            Driver.check("cuMemFree", (int) FREE.invokeExact(address));
        } catch (Throwable e) {
            throw NativeLibrary.thrown(e);
        }
    }

    /** {@return the free bytes of the device} */
    static long available() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment free = arena.allocate(JAVA_LONG);
            MemorySegment total = arena.allocate(JAVA_LONG);
            Driver.check("cuMemGetInfo", (int) INFO.invokeExact(free, total));
            return free.get(JAVA_LONG, 0);
        } catch (Throwable e) {
            throw NativeLibrary.thrown(e);
        }
    }

    /** {@return pinned host memory, which devices access directly} */
    @SuppressWarnings("restricted") // the memory was allocated with this size
    static MemorySegment allocatePinned(long bytes) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment out = arena.allocate(ADDRESS);
            Driver.check("cuMemHostAlloc", (int) HOST_ALLOCATE.invokeExact(out, bytes, PORTABLE));
            return out.get(ADDRESS, 0).reinterpret(bytes);
        } catch (Throwable e) {
            throw NativeLibrary.thrown(e);
        }
    }

    static void freePinned(MemorySegment memory) {
        try {
            Driver.check("cuMemFreeHost", (int) HOST_FREE.invokeExact(memory));
        } catch (Throwable e) {
            throw NativeLibrary.thrown(e);
        }
    }

    /** Copy from native memory of the host, in a stream. */
    static void copyToDevice(long target, MemorySegment source, long bytes, MemorySegment stream) {
        try {
            Driver.check(
                    "cuMemcpyHtoDAsync",
                    (int) TO_DEVICE.invokeExact(target, source, bytes, stream));
        } catch (Throwable e) {
            throw NativeLibrary.thrown(e);
        }
    }

    /** Copy to native memory of the host, in a stream. */
    static void copyToHost(MemorySegment target, long source, long bytes, MemorySegment stream) {
        try {
            Driver.check(
                    "cuMemcpyDtoHAsync", (int) TO_HOST.invokeExact(target, source, bytes, stream));
        } catch (Throwable e) {
            throw NativeLibrary.thrown(e);
        }
    }

    /** Copy within a device, in a stream. */
    static void copyWithin(long target, long source, long bytes, MemorySegment stream) {
        try {
            Driver.check(
                    "cuMemcpyDtoDAsync", (int) WITHIN.invokeExact(target, source, bytes, stream));
        } catch (Throwable e) {
            throw NativeLibrary.thrown(e);
        }
    }

    /** Copy from one device to another, in a stream of either. */
    static void copyAcross(
            long target,
            MemorySegment targetContext,
            long source,
            MemorySegment sourceContext,
            long bytes,
            MemorySegment stream) {
        try {
            Driver.check(
                    "cuMemcpyPeerAsync",
                    (int)
                            ACROSS.invokeExact(
                                    target, targetContext, source, sourceContext, bytes, stream));
        } catch (Throwable e) {
            throw NativeLibrary.thrown(e);
        }
    }

    /** Set bytes to 0, in a stream. */
    static void clear(long address, long bytes, MemorySegment stream) {
        try {
            Driver.check(
                    "cuMemsetD8Async", (int) SET.invokeExact(address, (byte) 0, bytes, stream));
        } catch (Throwable e) {
            throw NativeLibrary.thrown(e);
        }
    }
}
