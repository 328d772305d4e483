package org.gradwire.device.cuda;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/** Functions of the CUDA driver for streams, events, modules and launches. */
final class DriverQueue {
    /** An event without a time, which costs less. */
    static final int NO_TIMING = 2;

    /** An event that other processes can wait for. */
    static final int INTERPROCESS = 4;

    private static final int NON_BLOCKING = 1; // not ordered with the default stream

    private static final MethodHandle STREAM_CREATE =
            Driver.function("cuStreamCreate", ADDRESS, JAVA_INT);
    private static final MethodHandle STREAM_DESTROY =
            Driver.function("cuStreamDestroy_v2", ADDRESS);
    private static final MethodHandle STREAM_SYNCHRONIZE =
            Driver.function("cuStreamSynchronize", ADDRESS);
    private static final MethodHandle STREAM_WAIT =
            Driver.function("cuStreamWaitEvent", ADDRESS, ADDRESS, JAVA_INT);
    private static final MethodHandle EVENT_CREATE =
            Driver.function("cuEventCreate", ADDRESS, JAVA_INT);
    private static final MethodHandle EVENT_RECORD =
            Driver.function("cuEventRecord", ADDRESS, ADDRESS);
    private static final MethodHandle EVENT_SYNCHRONIZE =
            Driver.function("cuEventSynchronize", ADDRESS);
    private static final MethodHandle EVENT_DESTROY = Driver.function("cuEventDestroy_v2", ADDRESS);
    private static final MethodHandle MODULE_LOAD =
            Driver.function("cuModuleLoadData", ADDRESS, ADDRESS);
    private static final MethodHandle MODULE_UNLOAD = Driver.function("cuModuleUnload", ADDRESS);
    private static final MethodHandle MODULE_FUNCTION =
            Driver.function("cuModuleGetFunction", ADDRESS, ADDRESS, ADDRESS);
    private static final MethodHandle LAUNCH =
            Driver.function(
                    "cuLaunchKernel",
                    ADDRESS,
                    JAVA_INT,
                    JAVA_INT,
                    JAVA_INT,
                    JAVA_INT,
                    JAVA_INT,
                    JAVA_INT,
                    JAVA_INT,
                    ADDRESS,
                    ADDRESS,
                    ADDRESS);

    private DriverQueue() {}

    static MemorySegment createStream() {
        return created("cuStreamCreate", STREAM_CREATE, NON_BLOCKING);
    }

    static MemorySegment createEvent(int flags) {
        return created("cuEventCreate", EVENT_CREATE, flags);
    }

    private static MemorySegment created(String name, MethodHandle function, int flags) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment out = arena.allocate(ADDRESS);
            Driver.check(name, (int) function.invokeExact(out, flags));
            return out.get(ADDRESS, 0);
        } catch (Throwable e) {
            throw NativeLibrary.thrown(e);
        }
    }

    /** Wait for all work of a stream. */
    static void synchronize(MemorySegment stream) {
        call("cuStreamSynchronize", STREAM_SYNCHRONIZE, stream);
    }

    /** Wait for an event's last record. */
    static void await(MemorySegment event) {
        call("cuEventSynchronize", EVENT_SYNCHRONIZE, event);
    }

    static void destroyStream(MemorySegment stream) {
        call("cuStreamDestroy", STREAM_DESTROY, stream);
    }

    static void destroyEvent(MemorySegment event) {
        call("cuEventDestroy", EVENT_DESTROY, event);
    }

    private static void call(String name, MethodHandle function, MemorySegment handle) {
        try {
            Driver.check(name, (int) function.invokeExact(handle));
        } catch (Throwable e) {
            throw NativeLibrary.thrown(e);
        }
    }

    /** Record all work of a stream so far in an event. */
    static void record(MemorySegment event, MemorySegment stream) {
        try {
            Driver.check("cuEventRecord", (int) EVENT_RECORD.invokeExact(event, stream));
        } catch (Throwable e) {
            throw NativeLibrary.thrown(e);
        }
    }

    /** Order the following work of a stream after an event's last record. */
    static void await(MemorySegment stream, MemorySegment event) {
        try {
            Driver.check("cuStreamWaitEvent", (int) STREAM_WAIT.invokeExact(stream, event, 0));
        } catch (Throwable e) {
            throw NativeLibrary.thrown(e);
        }
    }

    /** {@return a kernel of a module, which stays loaded} */
    static MemorySegment load(byte[] image, String kernel) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment out = arena.allocate(ADDRESS);
            MemorySegment bytes = arena.allocate(image.length + 1L, Long.BYTES);
            MemorySegment.copy(image, 0, bytes, JAVA_BYTE, 0, image.length);
            Driver.check("cuModuleLoadData", (int) MODULE_LOAD.invokeExact(out, bytes));
            return function(out.get(ADDRESS, 0), kernel);
        } catch (Throwable e) {
            throw NativeLibrary.thrown(e);
        }
    }

    private static MemorySegment function(MemorySegment module, String kernel) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment out = arena.allocate(ADDRESS);
            Driver.check(
                    "cuModuleGetFunction",
                    (int) MODULE_FUNCTION.invokeExact(out, module, arena.allocateFrom(kernel)));
            return out.get(ADDRESS, 0);
        } catch (Throwable e) {
            call("cuModuleUnload", MODULE_UNLOAD, module);
            throw NativeLibrary.thrown(e);
        }
    }

    /**
     * Launch a kernel, in a stream.
     *
     * @param blocksX blocks in the first of two dimensions
     * @param threadsX threads of a block in the first of two dimensions
     * @param parameters addresses of the arguments
     */
    static void launch(
            MemorySegment kernel,
            int blocksX,
            int blocksY,
            int threadsX,
            int threadsY,
            MemorySegment stream,
            MemorySegment parameters) {
        try {
            int result =
                    (int)
                            LAUNCH.invokeExact(
                                    kernel,
                                    blocksX,
                                    blocksY,
                                    1,
                                    threadsX,
                                    threadsY,
                                    1,
                                    0,
                                    stream,
                                    parameters,
                                    MemorySegment.NULL);
            Driver.check("cuLaunchKernel", result);
        } catch (Throwable e) {
            throw NativeLibrary.thrown(e);
        }
    }
}
