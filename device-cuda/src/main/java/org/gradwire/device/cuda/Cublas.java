package org.gradwire.device.cuda;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import org.gradwire.spi.device.DeviceException;
import org.jspecify.annotations.Nullable;

import java.lang.foreign.Arena;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/** NVIDIA's library of matrix products. See NVIDIA, "cuBLAS". */
final class Cublas {
    static final int COMPUTE_32F = 68;
    static final int COMPUTE_32F_TF32 = 77;
    static final int COMPUTE_64F = 70;

    private static final int DEFAULT_ALGORITHM = -1;

    private static final @Nullable NativeLibrary LIBRARY = find();

    private Cublas() {}

    private static @Nullable NativeLibrary find() {
        var directories = new CudaSettings().libraries();
        for (String version : new String[] {".13", ".12", ""}) {
            // the light library is looked for by the other one, which may lie elsewhere
            var _ = NativeLibrary.find(directories, "libcublasLt.so" + version);
            var library = NativeLibrary.find(directories, "libcublas.so" + version);
            if (library.isPresent()) {
                return library.get();
            }
        }
        return null;
    }

    private static final class Functions {
        static final MethodHandle CREATE = function("cublasCreate_v2", ADDRESS);
        static final MethodHandle DESTROY = function("cublasDestroy_v2", ADDRESS);
        static final MethodHandle SET_STREAM = function("cublasSetStream_v2", ADDRESS, ADDRESS);
        static final MethodHandle SET_WORKSPACE =
                function("cublasSetWorkspace_v2", ADDRESS, JAVA_LONG, JAVA_LONG);
        static final MethodHandle MULTIPLY =
                function(
                        "cublasGemmEx",
                        ADDRESS,
                        JAVA_INT,
                        JAVA_INT,
                        JAVA_INT,
                        JAVA_INT,
                        JAVA_INT,
                        ADDRESS,
                        JAVA_LONG,
                        JAVA_INT,
                        JAVA_INT,
                        JAVA_LONG,
                        JAVA_INT,
                        JAVA_INT,
                        ADDRESS,
                        JAVA_LONG,
                        JAVA_INT,
                        JAVA_INT,
                        JAVA_INT,
                        JAVA_INT);
        static final MethodHandle MULTIPLY_BATCH =
                function(
                        "cublasGemmStridedBatchedEx",
                        ADDRESS,
                        JAVA_INT,
                        JAVA_INT,
                        JAVA_INT,
                        JAVA_INT,
                        JAVA_INT,
                        ADDRESS,
                        JAVA_LONG,
                        JAVA_INT,
                        JAVA_INT,
                        JAVA_LONG,
                        JAVA_LONG,
                        JAVA_INT,
                        JAVA_INT,
                        JAVA_LONG,
                        ADDRESS,
                        JAVA_LONG,
                        JAVA_INT,
                        JAVA_INT,
                        JAVA_LONG,
                        JAVA_INT,
                        JAVA_INT,
                        JAVA_INT);

        private static MethodHandle function(String name, MemoryLayout... parameters) {
            NativeLibrary library = LIBRARY;
            if (library == null) {
                throw new UnsatisfiedLinkError("there is no cuBLAS");
            }
            return library.intFunction(name, parameters);
        }
    }

    /** {@return whether the library was found} */
    static boolean exists() {
        return LIBRARY != null;
    }

    /** {@return a handle for the current context} */
    static MemorySegment create() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment out = arena.allocate(ADDRESS);
            check("cublasCreate", (int) Functions.CREATE.invokeExact(out));
            return out.get(ADDRESS, 0);
        } catch (Throwable e) {
            throw NativeLibrary.thrown(e);
        }
    }

    static void destroy(MemorySegment handle) {
        try {
            check("cublasDestroy", (int) Functions.DESTROY.invokeExact(handle));
        } catch (Throwable e) {
            throw NativeLibrary.thrown(e);
        }
    }

    /** Set the stream of a handle, and its memory for intermediate results. */
    static void configure(MemorySegment handle, MemorySegment stream, long memory, long bytes) {
        try {
            check("cublasSetStream", (int) Functions.SET_STREAM.invokeExact(handle, stream));
            check(
                    "cublasSetWorkspace",
                    (int) Functions.SET_WORKSPACE.invokeExact(handle, memory, bytes));
        } catch (Throwable e) {
            throw NativeLibrary.thrown(e);
        }
    }

    /**
     * A column-major matrix of a product.
     *
     * @param step elements from one stored column to the next
     * @param batchStep elements from one matrix of a batch to the next
     */
    record Matrix(long address, boolean transposed, int step, long batchStep) {
        int operation() {
            return transposed ? 1 : 0;
        }
    }

    /**
     * Multiply column-major matrices: {@code c = alpha a b + beta c}.
     *
     * @param type of all elements, a {@code cudaDataType}
     * @param compute a {@code cublasComputeType_t}
     */
    static void multiply(
            MemorySegment handle,
            int m,
            int n,
            int k,
            int batch,
            MemorySegment alpha,
            MemorySegment beta,
            int type,
            int compute,
            Matrix a,
            Matrix b,
            Matrix c) {
        try {
            int result =
                    batch == 1
                            ? (int)
                                    Functions.MULTIPLY.invokeExact(
                                            handle,
                                            a.operation(),
                                            b.operation(),
                                            m,
                                            n,
                                            k,
                                            alpha,
                                            a.address,
                                            type,
                                            a.step,
                                            b.address,
                                            type,
                                            b.step,
                                            beta,
                                            c.address,
                                            type,
                                            c.step,
                                            compute,
                                            DEFAULT_ALGORITHM)
                            : (int)
                                    Functions.MULTIPLY_BATCH.invokeExact(
                                            handle,
                                            a.operation(),
                                            b.operation(),
                                            m,
                                            n,
                                            k,
                                            alpha,
                                            a.address,
                                            type,
                                            a.step,
                                            a.batchStep,
                                            b.address,
                                            type,
                                            b.step,
                                            b.batchStep,
                                            beta,
                                            c.address,
                                            type,
                                            c.step,
                                            c.batchStep,
                                            batch,
                                            compute,
                                            DEFAULT_ALGORITHM);
            check(batch == 1 ? "cublasGemmEx" : "cublasGemmStridedBatchedEx", result);
        } catch (Throwable e) {
            throw NativeLibrary.thrown(e);
        }
    }

    private static void check(String function, int result) {
        if (result != 0) {
            throw new DeviceException(
                    function,
                    result,
                    name(result),
                    "the library refused the product, or the device failed before");
        }
    }

    private static String name(int result) {
        return switch (result) {
            case 1 -> "CUBLAS_STATUS_NOT_INITIALIZED";
            case 3 -> "CUBLAS_STATUS_ALLOC_FAILED";
            case 7 -> "CUBLAS_STATUS_INVALID_VALUE";
            case 8 -> "CUBLAS_STATUS_ARCH_MISMATCH";
            case 13 -> "CUBLAS_STATUS_EXECUTION_FAILED";
            case 14 -> "CUBLAS_STATUS_INTERNAL_ERROR";
            case 15 -> "CUBLAS_STATUS_NOT_SUPPORTED";
            default -> "cublasStatus_t";
        };
    }
}
