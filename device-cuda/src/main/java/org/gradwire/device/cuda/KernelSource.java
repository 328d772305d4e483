package org.gradwire.device.cuda;

import org.gradwire.spi.device.ElementType;

/** The parts that the CUDA C++ sources of all kernels share. */
final class KernelSource {
    /** The name of the one kernel of each source. */
    static final String NAME = "gradwire_kernel";

    /** Dimensions of a {@code Layout}, after adjacent ones were merged. */
    static final int DIMENSIONS = 8;

    /** Bytes of a {@code Layout}. */
    static final int LAYOUT_BYTES = Integer.BYTES * (1 + 2 * DIMENSIONS);

    /** Offset of the strides, in ints, from the start of a {@code Layout}. */
    static final int STRIDES = 1 + DIMENSIONS;

    private static final String LAYOUT =
            """
            struct Layout { int dims; int sizes[8]; int strides[8]; };
            // The position of the i-th element in row-major order.
            __device__ __forceinline__ long long at(const Layout& l, unsigned i) {
                long long position = 0;
                for (int d = l.dims - 1; d > 0; d--) {
                    unsigned rest = i / (unsigned) l.sizes[d];
                    position += (long long) (i - rest * (unsigned) l.sizes[d]) * l.strides[d];
                    i = rest;
                }
                return position + (long long) i * l.strides[0];
            }
            """;

    private static final String HALF =
            """
            #ifdef GRADWIRE_FAKE
            #define FROM_HALF(h) fake_h2f(h)
            #define TO_HALF(f) fake_f2h(f)
            #else
            __device__ __forceinline__ float FROM_HALF(unsigned short h) {
                float f;
                asm("cvt.f32.f16 %0, %1;" : "=f"(f) : "h"(h));
                return f;
            }
            __device__ __forceinline__ unsigned short TO_HALF(float f) {
                unsigned short h;
                asm("cvt.rn.f16.f32 %0, %1;" : "=h"(h) : "f"(f));
                return h;
            }
            #endif
            __device__ __forceinline__ float FROM_BFLOAT(unsigned short h) {
                return __int_as_float((int) ((unsigned) h << 16));
            }
            __device__ __forceinline__ unsigned short TO_BFLOAT(float f) {
                unsigned bits = (unsigned) __float_as_int(f);
                unsigned upper = bits >> 16;
                return f != f ? upper | 0x40 : (bits + 0x7fff + (upper & 1)) >> 16;
            }
            """;

    private static final String FUNCTIONS =
            """
            #define N(x) ((C) (x))
            #define INFINITE (N(1) / N(0))
            __device__ __forceinline__ C remainder_of(C a, C b) {
                C rest = F(fmod)(a, b);
                return rest != N(0) && (b < N(0)) != (rest < N(0)) ? rest + b : rest;
            }
            __device__ __forceinline__ C gelu_tanh_slope_of(C a, C tangent) {
                C inner = N(0.79788456080286535588) * (N(1) + N(3 * 0.044715) * a * a);
                return (N(1) + tangent) / N(2)
                    + a * (N(1) - tangent * tangent) * inner / N(2);
            }
            """;

    private KernelSource() {}

    /** {@return the type in memory} */
    static String stored(ElementType type) {
        return switch (type) {
            case BOOL -> "unsigned char";
            case INT32 -> "int";
            case INT64 -> "long long";
            case FLOAT16, BFLOAT16 -> "unsigned short";
            case FLOAT32 -> "float";
            case FLOAT64 -> "double";
        };
    }

    /** {@return the type of computations} */
    static String computed(ElementType type) {
        return switch (type) {
            case BOOL, INT32 -> "int";
            case INT64 -> "long long";
            case FLOAT16, BFLOAT16, FLOAT32 -> "float";
            case FLOAT64 -> "double";
        };
    }

    /** {@return an element as a number of computations} */
    static String load(ElementType type, String element) {
        return switch (type) {
            case FLOAT16 -> "FROM_HALF(" + element + ")";
            case BFLOAT16 -> "FROM_BFLOAT(" + element + ")";
            default -> element;
        };
    }

    /** {@return a number of computations as an element} */
    static String store(ElementType type, String number) {
        return switch (type) {
            case FLOAT16 -> "TO_HALF(" + number + ")";
            case BFLOAT16 -> "TO_BFLOAT(" + number + ")";
            case BOOL -> "((" + number + ") != 0)";
            default -> number;
        };
    }

    /**
     * {@return the definitions before a kernel that computes in a type, named {@code C} in it} The
     * wide type {@code W} is float64, or {@code C} for integers.
     */
    static String prelude(ElementType type) {
        String c = computed(type);
        String suffix = c.equals("float") ? "#define F(name) name##f\n" : "#define F(name) name\n";
        return "typedef %s C;\ntypedef %s W;\n".formatted(c, type.isFloating() ? "double" : c)
                + suffix
                + LAYOUT
                + HALF
                + (type.isFloating() ? FUNCTIONS : "#define N(x) ((C) (x))\n");
    }
}
