package org.gradwire.device.cuda;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/** Functions of the CUDA driver that share memory and events between processes. */
final class DriverSharing {
    /** Bytes of a handle of memory or of an event. */
    static final int HANDLE_BYTES = 64;

    private static final int LAZY_PEER_ACCESS = 1;

    private static final MemoryLayout HANDLE =
            MemoryLayout.structLayout(MemoryLayout.sequenceLayout(HANDLE_BYTES, JAVA_BYTE));

    private static final MethodHandle EXPORT_MEMORY =
            Driver.function("cuIpcGetMemHandle", ADDRESS, JAVA_LONG);
    private static final MethodHandle OPEN_MEMORY =
            Driver.function("cuIpcOpenMemHandle_v2", ADDRESS, HANDLE, JAVA_INT);
    private static final MethodHandle CLOSE_MEMORY =
            Driver.function("cuIpcCloseMemHandle", JAVA_LONG);
    private static final MethodHandle EXPORT_EVENT =
            Driver.function("cuIpcGetEventHandle", ADDRESS, ADDRESS);
    private static final MethodHandle OPEN_EVENT =
            Driver.function("cuIpcOpenEventHandle", ADDRESS, HANDLE);
    private static final MethodHandle RANGE =
            Driver.function("cuMemGetAddressRange_v2", ADDRESS, ADDRESS, JAVA_LONG);

    private DriverSharing() {}

    /** {@return the handle of a segment of memory} */
    static byte[] exportMemory(long segment) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment out = arena.allocate(HANDLE);
            Driver.check("cuIpcGetMemHandle", (int) EXPORT_MEMORY.invokeExact(out, segment));
            return out.toArray(JAVA_BYTE);
        } catch (Throwable e) {
            throw NativeLibrary.thrown(e);
        }
    }

    /** {@return the address of another process's segment} */
    static long openMemory(byte[] handle) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment out = arena.allocate(JAVA_LONG);
            int result =
                    (int)
                            OPEN_MEMORY.invokeExact(
                                    out, arena.allocateFrom(JAVA_BYTE, handle), LAZY_PEER_ACCESS);
            Driver.check("cuIpcOpenMemHandle", result);
            return out.get(JAVA_LONG, 0);
        } catch (Throwable e) {
            throw NativeLibrary.thrown(e);
        }
    }

    /** {@return the size of the segment at an address} */
    static long size(long segment) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment base = arena.allocate(JAVA_LONG);
            MemorySegment size = arena.allocate(JAVA_LONG);
            Driver.check("cuMemGetAddressRange", (int) RANGE.invokeExact(base, size, segment));
            return size.get(JAVA_LONG, 0) - (segment - base.get(JAVA_LONG, 0));
        } catch (Throwable e) {
            throw NativeLibrary.thrown(e);
        }
    }

    static void closeMemory(long segment) {
        try {
            Driver.check("cuIpcCloseMemHandle", (int) CLOSE_MEMORY.invokeExact(segment));
        } catch (Throwable e) {
            throw NativeLibrary.thrown(e);
        }
    }

    /** {@return the handle of an event that was created for other processes} */
    static byte[] exportEvent(MemorySegment event) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment out = arena.allocate(HANDLE);
            Driver.check("cuIpcGetEventHandle", (int) EXPORT_EVENT.invokeExact(out, event));
            return out.toArray(JAVA_BYTE);
        } catch (Throwable e) {
            throw NativeLibrary.thrown(e);
        }
    }

    /** {@return another process's event} */
    static MemorySegment openEvent(byte[] handle) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment out = arena.allocate(ADDRESS);
            int result = (int) OPEN_EVENT.invokeExact(out, arena.allocateFrom(JAVA_BYTE, handle));
            Driver.check("cuIpcOpenEventHandle", result);
            return out.get(ADDRESS, 0);
        } catch (Throwable e) {
            throw NativeLibrary.thrown(e);
        }
    }
}
