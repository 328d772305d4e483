package org.gradwire.tensor.kernel.matrix;

import org.gradwire.rpc.RpcConfigurationException;
import org.gradwire.tensor.kernel.element.Elements;
import org.gradwire.tensor.kernel.element.MatrixProduct;
import org.gradwire.tensor.kernel.memory.CachePrefetch;
import org.gradwire.tensor.kernel.memory.NativeMemory;
import org.jspecify.annotations.Nullable;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.Optional;

/**
 * Matrix products of OpenBLAS, through the foreign function API.
 *
 * <p>Small products are critical calls, which may be given arrays but hold up the collector while
 * they run; those that take about a millisecond or more are ordinary calls, for which arrays are
 * copied to native memory.
 */
public final class OpenBlas {
    private static final int ROW_MAJOR = 101;
    private static final int NO_TRANSPOSE = 111;
    private static final int TRANSPOSE = 112;

    /** Multiplications that take about a millisecond. */
    private static final long LARGE = 64_000_000;

    private static final Optional<SymbolLookup> LIBRARY;

    /** The exception for an invalid setting, which each use throws. */
    private static final @Nullable RpcConfigurationException REFUSED;

    static {
        Optional<SymbolLookup> library = Optional.empty();
        RpcConfigurationException refused = null;
        try {
            library = BlasLibrary.load();
        } catch (RpcConfigurationException e) {
            refused = e;
        }
        LIBRARY = library;
        REFUSED = refused;
    }

    private OpenBlas() {}

    /** The functions, as constants that the compiler sees through. Touched only when available. */
    private static final class Functions {
        static final MethodHandle SGEMM = gemm("cblas_sgemm", ValueLayout.JAVA_FLOAT);
        static final MethodHandle DGEMM = gemm("cblas_dgemm", ValueLayout.JAVA_DOUBLE);
        static final MethodHandle SGEMM_CRITICAL =
                gemm("cblas_sgemm", ValueLayout.JAVA_FLOAT, Linker.Option.critical(true));
        static final MethodHandle DGEMM_CRITICAL =
                gemm("cblas_dgemm", ValueLayout.JAVA_DOUBLE, Linker.Option.critical(true));
    }

    @SuppressWarnings("restricted") // the signature is that of CBLAS
    private static MethodHandle gemm(String name, ValueLayout number, Linker.Option... options) {
        var integer = ValueLayout.JAVA_INT;
        var address = ValueLayout.ADDRESS;
        return Linker.nativeLinker()
                .downcallHandle(
                        LIBRARY.orElseThrow().findOrThrow(name),
                        FunctionDescriptor.ofVoid(
                                integer, integer, integer, integer, integer, integer, number,
                                address, integer, address, integer, number, address, integer),
                        options);
    }

    /**
     * {@return whether the library was found and could be loaded}
     *
     * @throws RpcConfigurationException when a setting of it is invalid
     */
    public static boolean available() {
        if (REFUSED != null) {
            throw new RpcConfigurationException(String.valueOf(REFUSED.getMessage()));
        }
        return LIBRARY.isPresent();
    }

    /** {@return whether the library has products of this element type} */
    public static boolean multiplies(Elements<?> elements) {
        return elements.layout() instanceof ValueLayout.OfFloat
                || elements.layout() instanceof ValueLayout.OfDouble;
    }

    public static void multiply(
            Elements<?> elements,
            MatrixProduct p,
            Object a,
            int ao,
            Object b,
            int bo,
            Object c,
            int co) {
        NativeMemory memory = NativeMemory.installed();
        if (p.multiplications() >= LARGE && memory != null) {
            multiplyLarge(elements, memory, p, a, ao, b, bo, c, co);
        } else {
            MemorySegment left = segment(elements, a, ao);
            MemorySegment right = segment(elements, b, bo);
            CachePrefetch.read(left, (long) p.aSpan() * elements.bytes());
            CachePrefetch.read(right, (long) p.bSpan() * elements.bytes());
            call(elements, true, p, left, right, segment(elements, c, co));
        }
    }

    private static void multiplyLarge(
            Elements<?> elements,
            NativeMemory memory,
            MatrixProduct p,
            Object a,
            int ao,
            Object b,
            int bo,
            Object c,
            int co) {
        int bytes = elements.bytes();
        try (var left = new NativeCopy(memory, segment(elements, a, ao), (long) p.aSpan() * bytes);
                var right =
                        new NativeCopy(memory, segment(elements, b, bo), (long) p.bSpan() * bytes);
                var result =
                        new NativeCopy(
                                memory, segment(elements, c, co), (long) p.cSpan() * bytes)) {
            call(elements, false, p, left.segment(), right.segment(), result.segment());
            result.copyBack();
        }
    }

    private static MemorySegment segment(Elements<?> elements, Object base, int offset) {
        MemorySegment whole =
                switch (base) {
                    case MemorySegment segment -> segment;
                    case float[] array -> MemorySegment.ofArray(array);
                    case double[] array -> MemorySegment.ofArray(array);
                    default -> throw new AssertionError("no product of " + base.getClass());
                };
        return offset == 0 ? whole : whole.asSlice((long) offset * elements.bytes());
    }

    private static void call(
            Elements<?> elements,
            boolean critical,
            MatrixProduct p,
            MemorySegment a,
            MemorySegment b,
            MemorySegment c) {
        int transposeA = p.aTransposed() ? TRANSPOSE : NO_TRANSPOSE;
        int transposeB = p.bTransposed() ? TRANSPOSE : NO_TRANSPOSE;
        try {
            if (elements.layout() instanceof ValueLayout.OfFloat) {
                float beta = p.accumulate() ? 1 : 0;
                if (critical) {
                    Functions.SGEMM_CRITICAL.invokeExact(
                            ROW_MAJOR,
                            transposeA,
                            transposeB,
                            p.m(),
                            p.n(),
                            p.k(),
                            1f,
                            a,
                            p.aStride(),
                            b,
                            p.bStride(),
                            beta,
                            c,
                            p.cStride());
                } else {
                    Functions.SGEMM.invokeExact(
                            ROW_MAJOR,
                            transposeA,
                            transposeB,
                            p.m(),
                            p.n(),
                            p.k(),
                            1f,
                            a,
                            p.aStride(),
                            b,
                            p.bStride(),
                            beta,
                            c,
                            p.cStride());
                }
            } else {
                double beta = p.accumulate() ? 1 : 0;
                if (critical) {
                    Functions.DGEMM_CRITICAL.invokeExact(
                            ROW_MAJOR,
                            transposeA,
                            transposeB,
                            p.m(),
                            p.n(),
                            p.k(),
                            1d,
                            a,
                            p.aStride(),
                            b,
                            p.bStride(),
                            beta,
                            c,
                            p.cStride());
                } else {
                    Functions.DGEMM.invokeExact(
                            ROW_MAJOR,
                            transposeA,
                            transposeB,
                            p.m(),
                            p.n(),
                            p.k(),
                            1d,
                            a,
                            p.aStride(),
                            b,
                            p.bStride(),
                            beta,
                            c,
                            p.cStride());
                }
            }
        } catch (Throwable e) {
            throw new AssertionError("a C function threw", e);
        }
    }

    /** A native segment: the operand itself if it is native, else a copy that is released. */
    private static final class NativeCopy implements AutoCloseable {
        private final MemorySegment original;
        private final NativeMemory.@Nullable Slab slab;
        private final long bytes;

        NativeCopy(NativeMemory memory, MemorySegment original, long bytes) {
            this.original = original;
            this.bytes = bytes;
            this.slab = original.isNative() ? null : memory.allocate(bytes);
            if (slab != null) {
                MemorySegment.copy(original, 0, slab.segment(), 0, bytes);
            }
        }

        MemorySegment segment() {
            return slab == null ? original : slab.segment();
        }

        void copyBack() {
            if (slab != null) {
                MemorySegment.copy(slab.segment(), 0, original, 0, bytes);
            }
        }

        @Override
        public void close() {
            if (slab != null) {
                slab.release();
            }
        }
    }
}
