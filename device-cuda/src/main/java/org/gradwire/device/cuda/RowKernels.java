package org.gradwire.device.cuda;

import org.gradwire.device.cuda.RowSteps.Input;
import org.gradwire.device.cuda.RowSteps.Kind;
import org.gradwire.spi.device.ElementType;
import org.gradwire.spi.device.Operand;

import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * Kernels in which the threads of a block compute a row of the result from rows of the inputs, or
 * several rows that are short.
 */
final class RowKernels {
    private static final int MOST_THREADS = 256;
    private static final int MOST_BLOCKS = 65_535;
    private static final int SHORT = 32; // as many threads run together, so that fewer idle
    private static final int SHARED_BYTES = 32 << 10; // of a block, for rows that are read twice

    private static final String BLOCK =
            """
            #define EACH(t) for (unsigned t = threadIdx.x; t < n; t += blockDim.x)
            struct Two { C x, y; };
            // The same result for all threads of a row, of which there is a power of two.
            template <typename T, typename Join> __device__ T joined(T mine, Join join) {
                __shared__ T parts[256];
                unsigned at = threadIdx.y * blockDim.x + threadIdx.x;
                __syncthreads();
                parts[at] = mine;
                __syncthreads();
                for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
                    if (threadIdx.x < half) {
                        parts[at] = join(parts[at], parts[at + half]);
                    }
                    __syncthreads();
                }
                return parts[threadIdx.y * blockDim.x];
            }
            // The sum of this thread's number and those of the threads before it in a row.
            __device__ C scanned(C mine, C& all) {
                __shared__ C parts[256];
                unsigned at = threadIdx.y * blockDim.x + threadIdx.x;
                __syncthreads();
                parts[at] = mine;
                __syncthreads();
                for (unsigned step = 1; step < blockDim.x; step *= 2) {
                    C before = threadIdx.x >= step ? parts[at - step] : N(0);
                    __syncthreads();
                    parts[at] += before;
                    __syncthreads();
                }
                all = parts[threadIdx.y * blockDim.x + blockDim.x - 1];
                return parts[at];
            }
            template <typename Term> __device__ C sum(Term term, unsigned n) {
                C mine = N(0);
                EACH(t) { mine += term(t); }
                return joined(mine, [](C x, C y) { return x + y; });
            }
            template <typename Term> __device__ Two sum_two(Term term, unsigned n) {
                Two mine = {N(0), N(0)};
                EACH(t) { Two next = term(t); mine.x += next.x; mine.y += next.y; }
                return joined(mine, [](Two a, Two b) { return Two {a.x + b.x, a.y + b.y}; });
            }
            template <typename Term> __device__ C largest(Term term, unsigned n) {
                C mine = term(0);
                EACH(t) { C next = term(t); mine = next > mine || next != next ? next : mine; }
                return joined(mine, [](C x, C y) { return x > y || x != x ? x : y; });
            }
            template <typename Term> __device__ C smallest(Term term, unsigned n) {
                C mine = term(0);
                EACH(t) { C next = term(t); mine = next < mine || next != next ? next : mine; }
                return joined(mine, [](C x, C y) { return x < y || x != x ? x : y; });
            }
            template <typename Term> __device__ C product(Term term, unsigned n) {
                C mine = N(1);
                EACH(t) { mine *= term(t); }
                return joined(mine, [](C x, C y) { return x * y; });
            }
            """;

    // Threads after the last row compute that row too, as all must wait for each other.
    private static final String KERNEL =
            """
            extern "C" __global__ void gradwire_kernel(PARAMETERS, long long rows, long long length) {
                unsigned n = (unsigned) length;
            SHARED    for (long long first = (long long) blockIdx.x * blockDim.y; first < rows;
                        first += (long long) gridDim.x * blockDim.y) {
                    bool own = first + threadIdx.y < rows;
                    unsigned row = (unsigned) (own ? first + threadIdx.y : rows - 1);
            KEEP        STEPS
                }
            }
            """;

    private RowKernels() {}

    static boolean has(String name, ElementType type) {
        return RowSteps.has(name, type);
    }

    /** Run a kernel; its last input is the length of a row. */
    static boolean run(CudaDevice device, String name, Operand result, List<Operand> inputs) {
        List<Operand> given = inputs.subList(0, inputs.size() - 1);
        if (!Launch.fits(result) || !given.stream().allMatch(Launch::fits)) {
            return false;
        }
        RowSteps steps = RowSteps.of(name);
        long length = inputs.getLast().integer();
        long rows = rows(steps, result, given, length);
        int threads = steps.oneThread() ? 1 : threads(length);
        int together = threads < SHORT ? MOST_THREADS / threads : 1;
        boolean kept = together == 1 && length <= room(steps, result.type());
        String key = key(name, result, given) + (kept ? "kept" : "");
        MemorySegment kernel = device.kernels().get(key, () -> source(steps, result, given, kept));
        long blocks = Math.min((rows + together - 1) / together, MOST_BLOCKS);
        CudaStream stream = device.stream();
        synchronized (stream.launches()) {
            Launch launch = new Launch(stream);
            add(launch, result, result);
            for (Operand input : given) {
                add(launch, input, result);
            }
            launch.integer(rows).integer(length).run(kernel, (int) blocks, 1, threads, together);
        }
        return true;
    }

    /** {@return the longest row of which a block can keep all that is read more than once} */
    private static int room(RowSteps steps, ElementType type) {
        long rows = steps.inputs().stream().filter(input -> isReadAgain(steps, input)).count();
        int bytes = type == ElementType.FLOAT64 ? Double.BYTES : Float.BYTES;
        return rows == 0 || !type.isFloating() ? 0 : (int) (SHARED_BYTES / bytes / rows);
    }

    private static boolean isReadAgain(RowSteps steps, Input input) {
        String read = input.macro() + "(t)";
        return input.kind() == Kind.ROW
                && steps.text().indexOf(read) != steps.text().lastIndexOf(read);
    }

    private static long rows(RowSteps steps, Operand result, List<Operand> inputs, long length) {
        return switch (steps.rowsOf()) {
            case RowSteps.RESULT -> result.count() / length;
            case RowSteps.RESULTS -> result.count();
            default -> inputs.get(steps.rowsOf()).count();
        };
    }

    private static int threads(long length) {
        int threads = 1;
        while (threads < length && threads < MOST_THREADS) {
            threads *= 2;
        }
        return threads;
    }

    private static void add(Launch launch, Operand operand, Operand result) {
        if (operand.isNumber()) {
            launch.number(operand);
            return;
        }
        launch.address(operand);
        if (form(operand, result) == 's') {
            launch.layout(operand);
        }
    }

    /** {@return a key: kernels with equal ones have the same source} */
    private static String key(String name, Operand result, List<Operand> inputs) {
        var key = new StringBuilder(name).append(' ').append(result.type());
        key.append(form(result, result));
        for (Operand input : inputs) {
            key.append(' ').append(input.type()).append(form(input, result));
            key.append(isWhole(input, result) ? 'w' : ' ');
        }
        return key.toString();
    }

    /** {@return n for a number, 1 for one element, c for contiguous ones, s for others} */
    private static char form(Operand operand, Operand result) {
        if (operand.isNumber()) {
            return 'n';
        }
        if (Launch.isSingle(operand) && operand != result) {
            return '1';
        }
        return Launch.isContiguous(operand) ? 'c' : 's';
    }

    /** {@return whether an operand has as many elements as the result} */
    private static boolean isWhole(Operand operand, Operand result) {
        return operand.count() == result.count();
    }

    private static String source(
            RowSteps steps, Operand result, List<Operand> inputs, boolean kept) {
        ElementType type = result.type();
        boolean strided = form(result, result) == 's';
        var parameters =
                new StringBuilder(
                        KernelSource.stored(type) + "* y" + (strided ? ", Layout yl" : ""));
        var macros = new StringBuilder("#define Y(t, v) PUT(row * n + (t), v)\n");
        macros.append(
                "#define PUT(i, v) if (own) { y[%s] = %s; }\n"
                        .formatted(
                                strided ? "at(yl, (i))" : "(i)", KernelSource.store(type, "(v)")));
        String stored =
                "((%s) %s)".formatted(KernelSource.stored(type), KernelSource.store(type, "(v)"));
        macros.append("#define ROUNDED(v) %s\n".formatted(KernelSource.load(type, stored)));
        var shared = new StringBuilder();
        var keep = new StringBuilder();
        for (int i = 0; i < inputs.size(); i++) {
            Input input = steps.inputs().get(i);
            Operand operand = inputs.get(i);
            parameters.append(", ").append(parameter(input.parameter(), operand, result));
            String parts = input.kind() == Kind.FROM ? "t, more" : "t";
            boolean isKept = kept && isReadAgain(steps, input);
            macros.append(
                    "#define %s%s(%s) %s\n"
                            .formatted(
                                    isKept ? "READ_" : "",
                                    input.macro(),
                                    parts,
                                    element(input, operand, result)));
            if (isKept) {
                macros.append(
                        "#define %s(t) %s_row[t]\n".formatted(input.macro(), input.parameter()));
                shared.append(
                        "    __shared__ C %s_row[%d];\n"
                                .formatted(input.parameter(), room(steps, type)));
                keep.append("%s_row[t] = READ_%s(t); ".formatted(input.parameter(), input.macro()));
            }
        }
        String copies =
                keep.isEmpty()
                        ? ""
                        : "        __syncthreads(); EACH(t) { %s} __syncthreads();\n"
                                .formatted(keep);
        return KernelSource.prelude(type)
                + BLOCK
                + macros
                + KERNEL.replace("PARAMETERS", parameters)
                        .replace("SHARED", shared)
                        .replace("KEEP", copies)
                        .replace("STEPS", steps.text());
    }

    private static String parameter(String name, Operand operand, Operand result) {
        if (operand.isNumber()) {
            return (operand.type().isFloating() ? "double " : "long long ") + name;
        }
        String pointer = "const %s* %s".formatted(KernelSource.stored(operand.type()), name);
        return form(operand, result) == 's' ? pointer + ", Layout " + name + "l" : pointer;
    }

    private static String element(Input input, Operand operand, Operand result) {
        String name = input.parameter();
        if (operand.isNumber()) {
            return "((%s) %s)".formatted(KernelSource.computed(operand.type()), name);
        }
        String index = index(input.kind(), isWhole(operand, result));
        String place =
                switch (form(operand, result)) {
                    case '1' -> "0";
                    case 'c' -> index;
                    default -> "at(" + name + "l, " + index + ")";
                };
        String more = input.kind() == Kind.FROM ? " + (more)" : "";
        return KernelSource.load(operand.type(), name + "[" + place + more + "]");
    }

    private static String index(Kind kind, boolean whole) {
        return switch (kind) {
            case ROW, FROM -> "row * n + (t)";
            case COLUMN -> whole ? "row * n + (t)" : "(t)";
            case EACH -> "row";
            case ANY -> "(t)";
        };
    }
}
