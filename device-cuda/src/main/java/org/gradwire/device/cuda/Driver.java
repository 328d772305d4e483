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

/**
 * Functions of the CUDA driver that find devices and report errors. Those that run work are in
 * {@link DriverMemory} and {@link DriverQueue}. See NVIDIA, "CUDA Driver API".
 */
final class Driver {
    static final int SUCCESS = 0;
    static final int OUT_OF_MEMORY = 2;
    static final int ALREADY_ENABLED = 704;

    private static final int MAJOR = 75; // attributes of a device
    private static final int MINOR = 76;
    private static final int MULTIPROCESSORS = 16;
    private static final int NAME_BYTES = 256;
    private static final int UUID_BYTES = 16;

    /** The driver's library; null where there is none. */
    static final @Nullable NativeLibrary LIBRARY =
            NativeLibrary.find(new CudaSettings().libraries(), "libcuda.so.1", "nvcuda.dll")
                    .orElse(null);

    private Driver() {}

    /** The functions; initialized only where the library exists. */
    private static final class Functions {
        static final MethodHandle INIT = function("cuInit", JAVA_INT);
        static final MethodHandle COUNT = function("cuDeviceGetCount", ADDRESS);
        static final MethodHandle GET = function("cuDeviceGet", ADDRESS, JAVA_INT);
        static final MethodHandle NAME = function("cuDeviceGetName", ADDRESS, JAVA_INT, JAVA_INT);
        static final MethodHandle UUID = function("cuDeviceGetUuid_v2", ADDRESS, JAVA_INT);
        static final MethodHandle TOTAL = function("cuDeviceTotalMem_v2", ADDRESS, JAVA_INT);
        static final MethodHandle ATTRIBUTE =
                function("cuDeviceGetAttribute", ADDRESS, JAVA_INT, JAVA_INT);
        static final MethodHandle RETAIN = function("cuDevicePrimaryCtxRetain", ADDRESS, JAVA_INT);
        static final MethodHandle SET_CURRENT = function("cuCtxSetCurrent", ADDRESS);
        static final MethodHandle SYNCHRONIZE = function("cuCtxSynchronize");
        static final MethodHandle CAN_ACCESS =
                function("cuDeviceCanAccessPeer", ADDRESS, JAVA_INT, JAVA_INT);
        static final MethodHandle ENABLE_ACCESS =
                function("cuCtxEnablePeerAccess", ADDRESS, JAVA_INT);
        static final MethodHandle ERROR_NAME = function("cuGetErrorName", JAVA_INT, ADDRESS);
        static final MethodHandle ERROR_TEXT = function("cuGetErrorString", JAVA_INT, ADDRESS);
        static final MethodHandle VERSION = function("cuDriverGetVersion", ADDRESS);
    }

    /** {@return a function of the driver} */
    static MethodHandle function(String name, MemoryLayout... parameters) {
        NativeLibrary library = LIBRARY;
        if (library == null) {
            throw new UnsatisfiedLinkError("there is no CUDA driver");
        }
        return library.intFunction(name, parameters);
    }

    /** {@return the result of initializing the driver} */
    static int initialize() {
        try {
            return (int) Functions.INIT.invokeExact(0);
        } catch (Throwable e) {
            throw NativeLibrary.thrown(e);
        }
    }

    /** {@return the driver's version, such as 13000} */
    static int version() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment out = arena.allocate(JAVA_INT);
            check("cuDriverGetVersion", (int) Functions.VERSION.invokeExact(out));
            return out.get(JAVA_INT, 0);
        } catch (Throwable e) {
            throw NativeLibrary.thrown(e);
        }
    }

    /** {@return the number of devices} */
    static int count() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment out = arena.allocate(JAVA_INT);
            check("cuDeviceGetCount", (int) Functions.COUNT.invokeExact(out));
            return out.get(JAVA_INT, 0);
        } catch (Throwable e) {
            throw NativeLibrary.thrown(e);
        }
    }

    /**
     * The properties of a device.
     *
     * @param handle of the driver
     * @param uuid 16 bytes, the same in all processes of the machine
     * @param capability compute capability, 90 for 9.0
     */
    record Properties(
            int handle, String name, byte[] uuid, long memory, int capability, int processors) {}

    /** {@return the properties of a device} */
    static Properties properties(int index) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment out = arena.allocate(NAME_BYTES);
            check("cuDeviceGet", (int) Functions.GET.invokeExact(out, index));
            int handle = out.get(JAVA_INT, 0);
            check("cuDeviceGetName", (int) Functions.NAME.invokeExact(out, NAME_BYTES, handle));
            String name = out.getString(0);
            check("cuDeviceGetUuid", (int) Functions.UUID.invokeExact(out, handle));
            byte[] uuid = out.asSlice(0, UUID_BYTES).toArray(JAVA_BYTE);
            check("cuDeviceTotalMem", (int) Functions.TOTAL.invokeExact(out, handle));
            long memory = out.get(JAVA_LONG, 0);
            int capability = attribute(out, MAJOR, handle) * 10 + attribute(out, MINOR, handle);
            int processors = attribute(out, MULTIPROCESSORS, handle);
            return new Properties(handle, name, uuid, memory, capability, processors);
        } catch (Throwable e) {
            throw NativeLibrary.thrown(e);
        }
    }

    private static int attribute(MemorySegment out, int attribute, int handle) throws Throwable {
        check(
                "cuDeviceGetAttribute",
                (int) Functions.ATTRIBUTE.invokeExact(out, attribute, handle));
        return out.get(JAVA_INT, 0);
    }

    /** {@return the context of a device, which the libraries of this process share} */
    static MemorySegment retainContext(int handle) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment out = arena.allocate(ADDRESS);
            check("cuDevicePrimaryCtxRetain", (int) Functions.RETAIN.invokeExact(out, handle));
            return out.get(ADDRESS, 0);
        } catch (Throwable e) {
            throw NativeLibrary.thrown(e);
        }
    }

    /** Make a context that of this thread's following calls. */
    static void setCurrent(MemorySegment context) {
        try {
            check("cuCtxSetCurrent", (int) Functions.SET_CURRENT.invokeExact(context));
        } catch (Throwable e) {
            throw NativeLibrary.thrown(e);
        }
    }

    /** Wait for all work of the current context. */
    static void synchronize() {
        try {
            check("cuCtxSynchronize", (int) Functions.SYNCHRONIZE.invokeExact());
        } catch (Throwable e) {
            throw NativeLibrary.thrown(e);
        }
    }

    /** Enable the current context's device to access another's memory, where the hardware can. */
    static void enableAccess(int handle, int peerHandle, MemorySegment peerContext) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment out = arena.allocate(JAVA_INT);
            check(
                    "cuDeviceCanAccessPeer",
                    (int) Functions.CAN_ACCESS.invokeExact(out, handle, peerHandle));
            if (out.get(JAVA_INT, 0) != 0) {
                int result = (int) Functions.ENABLE_ACCESS.invokeExact(peerContext, 0);
                check("cuCtxEnablePeerAccess", result == ALREADY_ENABLED ? SUCCESS : result);
            }
        } catch (Throwable e) {
            throw NativeLibrary.thrown(e);
        }
    }

    /**
     * Check the result of a call.
     *
     * @throws DeviceException when it is not success
     */
    static void check(String function, int result) {
        if (result != SUCCESS) {
            throw failure(function, result);
        }
    }

    /** {@return the failure for a result} */
    static DeviceException failure(String function, int result) {
        return new DeviceException(
                function,
                result,
                text(Functions.ERROR_NAME, result),
                text(Functions.ERROR_TEXT, result));
    }

    private static String text(MethodHandle function, int result) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment out = arena.allocate(ADDRESS);
            int known = (int) function.invokeExact(result, out);
            return known == SUCCESS ? NativeLibrary.text(out.get(ADDRESS, 0)) : "unknown";
        } catch (Throwable e) {
            throw NativeLibrary.thrown(e);
        }
    }
}
