package org.gradwire.device.cuda;

import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import org.gradwire.device.cuda.Cublas.Matrix;
import org.gradwire.spi.device.ElementType;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** A handle of cuBLAS for one stream. Locked by its user. */
final class CublasHandle {
    private static final long WORKSPACE = 32 << 20; // what NVIDIA advises for Hopper

    private final MemorySegment handle;
    private final CudaMemory workspace;
    private final MemorySegment floats;
    private final MemorySegment doubles;

    CublasHandle(CudaStream stream) {
        this.workspace = new CudaMemory(stream.device, WORKSPACE);
        this.handle = handle(stream, workspace);
        Arena arena = Arena.ofAuto();
        this.floats = arena.allocateFrom(JAVA_FLOAT, 0, 1);
        this.doubles = arena.allocateFrom(JAVA_DOUBLE, 0, 1);
    }

    private static MemorySegment handle(CudaStream stream, CudaMemory workspace) {
        try {
            stream.device.enter();
            MemorySegment handle = Cublas.create();
            try {
                Cublas.configure(handle, stream.handle(), workspace.use(stream), WORKSPACE);
                return handle;
            } catch (RuntimeException e) {
                Cublas.destroy(handle);
                throw e;
            }
        } catch (RuntimeException e) {
            workspace.release();
            throw e;
        }
    }

    /** Multiply column-major matrices, or batches of them. */
    void multiply(
            ElementType type,
            boolean tf32,
            boolean accumulate,
            int m,
            int n,
            int k,
            int batch,
            Matrix a,
            Matrix b,
            Matrix c) {
        boolean wide = type == ElementType.FLOAT64;
        MemorySegment one = wide ? doubles.asSlice(Double.BYTES) : floats.asSlice(Float.BYTES);
        MemorySegment zero = wide ? doubles : floats;
        Cublas.multiply(
                handle,
                m,
                n,
                k,
                batch,
                one,
                accumulate ? one : zero,
                dataType(type),
                wide
                        ? Cublas.COMPUTE_64F
                        : tf32 && type == ElementType.FLOAT32
                                ? Cublas.COMPUTE_32F_TF32
                                : Cublas.COMPUTE_32F,
                a,
                b,
                c);
    }

    private static int dataType(ElementType type) {
        return switch (type) {
            case FLOAT32 -> 0;
            case FLOAT64 -> 1;
            case FLOAT16 -> 2;
            case BFLOAT16 -> 14;
            default -> throw new IllegalArgumentException("cuBLAS has no products of " + type);
        };
    }
}
