package org.gradwire.device.cuda;

import org.gradwire.spi.device.ElementType;
import org.gradwire.spi.device.Operand;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Kernels in which the threads of a block compute a row of the result from rows of the inputs. */
final class RowKernels {
    private static final int MOST_THREADS = 256;
    private static final int MOST_BLOCKS = 65_535;
    private static final int SHARED_BYTES = 32 << 10; // of a block, for the rows of its inputs

    /** The steps of each kernel; {@code A(t)} and {@code B(t)} are elements of the inputs' rows. */
    private static final Map<String, String> STEPS =
            Map.of(
                    "softmax",
                            """
                            C top = largest([&](unsigned t) { return A(t); }, n);
                            C all = sum([&](unsigned t) { return F(exp)(A(t) - top); }, n);
                            EACH(t) { Y(t, F(exp)(A(t) - top) / all); }
                            """,
                    "log_softmax",
                            """
                            C top = largest([&](unsigned t) { return A(t); }, n);
                            C all = sum([&](unsigned t) { return F(exp)(A(t) - top); }, n);
                            C shift = top + F(log)(all);
                            EACH(t) { Y(t, A(t) - shift); }
                            """,
                    "softmax_gradient",
                            """
                            C dot = sum([&](unsigned t) { return A(t) * B(t); }, n);
                            EACH(t) { Y(t, B(t) * (A(t) - dot)); }
                            """,
                    "log_softmax_gradient",
                            """
                            C all = sum([&](unsigned t) { return A(t); }, n);
                            EACH(t) { Y(t, A(t) - F(exp)(B(t)) * all); }
                            """);

    private static final String BLOCK =
            """
            #define EACH(t) for (unsigned t = threadIdx.x; t < n; t += blockDim.x)
            // The same result for all threads of a block; blocks have a power of two of them.
            template <typename Join> __device__ C joined(C mine, Join join) {
                __shared__ C parts[256];
                __syncthreads();
                parts[threadIdx.x] = mine;
                __syncthreads();
                for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
                    if (threadIdx.x < half) {
                        parts[threadIdx.x] =
                            join(parts[threadIdx.x], parts[threadIdx.x + half]);
                    }
                    __syncthreads();
                }
                return parts[0];
            }
            template <typename Term> __device__ C sum(Term term, unsigned n) {
                C mine = N(0);
                EACH(t) { mine += term(t); }
                return joined(mine, [](C x, C y) { return x + y; });
            }
            template <typename Term> __device__ C largest(Term term, unsigned n) {
                C mine = -INFINITE;
                EACH(t) { C next = term(t); mine = next > mine || next != next ? next : mine; }
                return joined(mine, [](C x, C y) { return x > y || x != x ? x : y; });
            }
            """;

    private RowKernels() {}

    static boolean has(String name, ElementType type) {
        return type.isFloating() && STEPS.containsKey(name);
    }

    /** Run a kernel; its last input is the length of a row. */
    static boolean run(CudaDevice device, String name, Operand result, List<Operand> inputs) {
        List<Operand> tensors = inputs.subList(0, inputs.size() - 1);
        if (!Launch.fits(result)
                || !tensors.stream().allMatch(x -> Launch.fits(x) && !x.isNumber())) {
            return false;
        }
        long length = inputs.getLast().integer();
        long rows = result.count() / length;
        boolean kept = length * tensors.size() * bytes(result.type()) <= SHARED_BYTES;
        var key =
                new StringBuilder(name)
                        .append(' ')
                        .append(result.type())
                        .append(kept ? " kept " : " ")
                        .append(form(result));
        for (Operand tensor : tensors) {
            key.append(form(tensor));
        }
        CudaStream stream = device.stream();
        MemorySegment kernel =
                device.kernels().get(key.toString(), () -> source(name, result, tensors, kept));
        synchronized (stream.launches()) {
            Launch launch = new Launch(stream).address(result).layout(result);
            for (Operand tensor : tensors) {
                launch.address(tensor).layout(tensor);
            }
            launch.integer(rows)
                    .integer(length)
                    .run(kernel, (int) Math.min(rows, MOST_BLOCKS), 1, threads(length), 1);
        }
        return true;
    }

    /** {@return the bytes of a number of computations} */
    private static int bytes(ElementType type) {
        return type == ElementType.FLOAT64 ? Double.BYTES : Float.BYTES;
    }

    private static int threads(long length) {
        int threads = 32;
        while (threads < length && threads < MOST_THREADS) {
            threads *= 2;
        }
        return threads;
    }

    private static char form(Operand operand) {
        return Launch.isContiguous(operand) ? 'c' : 's';
    }

    private static String source(String name, Operand result, List<Operand> inputs, boolean kept) {
        ElementType type = result.type();
        String stored = KernelSource.stored(type);
        var parameters = new StringBuilder(stored + "* y, Layout yl");
        var macros =
                new StringBuilder(
                        "#define Y(t, v) y[%s] = %s\n"
                                .formatted(position("y", result), KernelSource.store(type, "v")));
        var arrays = new StringBuilder();
        var loads = new StringBuilder();
        int room = SHARED_BYTES / bytes(type) / inputs.size();
        for (int i = 0; i < inputs.size(); i++) {
            String input = String.valueOf((char) ('a' + i));
            if (kept) {
                arrays.append("    __shared__ C %s_row[%d];\n".formatted(input, room));
                loads.append(
                        "%s_row[t] = %s0(t); ".formatted(input, input.toUpperCase(Locale.ROOT)));
            }
            parameters.append(", const %s* %s, Layout %sl".formatted(stored, input, input));
            String element = "%s[%s]".formatted(input, position(input, inputs.get(i)));
            macros.append(
                    "#define %s0(t) %s\n#define %s(t) %s\n"
                            .formatted(
                                    input.toUpperCase(Locale.ROOT),
                                    KernelSource.load(type, element),
                                    input.toUpperCase(Locale.ROOT),
                                    kept
                                            ? input + "_row[t]"
                                            : input.toUpperCase(Locale.ROOT) + "0(t)"));
        }
        return KernelSource.prelude(type)
                + BLOCK
                + macros
                + """
                extern "C" __global__ void gradwire_kernel(PARAMETERS, long long rows, long long length) {
                    unsigned n = (unsigned) length;
                ARRAYS    for (long long row = blockIdx.x; row < rows; row += gridDim.x) {
                        LOADS
                        STEPS
                    }
                }
                """
                        .replace("PARAMETERS", parameters)
                        .replace("ARRAYS", arrays)
                        .replace("LOADS", kept ? "EACH(t) { " + loads + "}" : "")
                        .replace("STEPS", String.valueOf(STEPS.get(name)));
    }

    private static String position(String name, Operand operand) {
        return form(operand) == 'c'
                ? "row * n + (t)"
                : "at(%sl, (unsigned) (row * n) + (t))".formatted(name);
    }
}
