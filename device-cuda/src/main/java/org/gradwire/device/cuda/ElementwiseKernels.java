package org.gradwire.device.cuda;

import org.gradwire.spi.device.ElementType;
import org.gradwire.spi.device.Operand;
import org.jspecify.annotations.Nullable;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Objects;

/** Kernels that compute each element of the result from one element of each input. */
final class ElementwiseKernels {
    private static final String COPY = "copy";
    private static final int THREADS = 256;
    private static final int EACH = 4; // elements of a thread at a time
    private static final int BLOCKS_PER_PROCESSOR = 32;

    private ElementwiseKernels() {}

    static boolean has(String name, ElementType type) {
        return name.equals(COPY) || Expressions.of(name, type) != null;
    }

    /** Run a kernel; false for a layout of too many dimensions. */
    static boolean run(CudaDevice device, String name, Operand result, List<Operand> inputs) {
        if (!Launch.fits(result) || !inputs.stream().allMatch(Launch::fits)) {
            return false;
        }
        if (isPlainCopy(name, result, inputs)) {
            copy(result, inputs.getFirst());
            return true;
        }
        CudaStream stream = device.stream();
        long count = result.count();
        MemorySegment kernel =
                device.kernels().get(key(name, result, inputs), () -> source(name, result, inputs));
        synchronized (stream.launches()) {
            Launch launch = new Launch(stream);
            add(launch, result);
            for (Operand input : inputs) {
                add(launch, input);
            }
            long blocks = (count + THREADS * EACH - 1) / (THREADS * EACH);
            int most = device.properties().processors() * BLOCKS_PER_PROCESSOR;
            launch.integer(count).run(kernel, (int) Math.min(blocks, most), 1, THREADS, 1);
        }
        return true;
    }

    private static boolean isPlainCopy(String name, Operand result, List<Operand> inputs) {
        Operand input = inputs.getFirst();
        return name.equals(COPY)
                && !input.isNumber()
                && input.type() == result.type()
                && input.count() == result.count()
                && Launch.isContiguous(result)
                && Launch.isContiguous(input);
    }

    private static void copy(Operand result, Operand input) {
        int bytes = result.type().bytes();
        input.memory()
                .copyTo(
                        input.offset() * bytes,
                        result.memory(),
                        result.offset() * bytes,
                        result.count() * bytes);
    }

    private static void add(Launch launch, Operand operand) {
        if (operand.isNumber()) {
            launch.number(operand);
            return;
        }
        launch.address(operand);
        if (!Launch.isContiguous(operand) && !Launch.isSingle(operand)) {
            launch.layout(operand);
        }
    }

    /** {@return what distinguishes the sources: the function, and type and layout of operands} */
    private static String key(String name, Operand result, List<Operand> inputs) {
        var key = new StringBuilder(name);
        addKey(key, result, result);
        for (Operand input : inputs) {
            addKey(key, input, result);
        }
        return key.toString();
    }

    private static void addKey(StringBuilder key, Operand operand, Operand result) {
        key.append(' ').append(operand.type()).append(form(operand, result));
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

    private static String source(String name, Operand result, List<Operand> inputs) {
        ElementType type = result.type();
        boolean raw = name.equals(COPY) && inputs.getFirst().type() == type;
        var parameters = new StringBuilder(parameter("y", result, false));
        var loads = new StringBuilder();
        for (int i = 0; i < inputs.size(); i++) {
            String input = String.valueOf((char) ('a' + i));
            parameters.append(", ").append(parameter(input, inputs.get(i), true));
            loads.append(
                    "            %s[j] = %s;\n"
                            .formatted(input, load(input, inputs.get(i), result, raw)));
        }
        String position = form(result, result) == 's' ? "at(yl, i)" : "i";
        String value = value(name, type, inputs.getFirst().type(), raw);
        return KernelSource.prelude(type)
                + """
                extern "C" __global__ void gradwire_kernel(PARAMETERS, long long count) {
                    unsigned n = (unsigned) count;
                    unsigned step = gridDim.x * blockDim.x * 4;
                    for (unsigned first = blockIdx.x * blockDim.x * 4 + threadIdx.x; first < n;
                            first += step) {
                        ARRAYS
                        #pragma unroll
                        for (int j = 0; j < 4; j++) {
                            unsigned i = first + j * blockDim.x;
                            if (i < n) {
                LOADS            }
                        }
                        #pragma unroll
                        for (int j = 0; j < 4; j++) {
                            unsigned i = first + j * blockDim.x;
                            if (i < n) {
                                y[POSITION] = VALUE;
                            }
                        }
                    }
                }
                """
                        .replace("PARAMETERS", parameters)
                        .replace("ARRAYS", arrays(inputs, type, raw))
                        .replace("LOADS", loads)
                        .replace("POSITION", position)
                        .replace("VALUE", value);
    }

    private static String parameter(String name, Operand operand, boolean isInput) {
        if (operand.isNumber()) {
            return (operand.type().isFloating() ? "double " : "long long ") + name + "n";
        }
        String pointer =
                (isInput ? "const " : "")
                        + KernelSource.stored(operand.type())
                        + "* "
                        + name
                        + (isInput ? "p" : "");
        boolean strided = !Launch.isContiguous(operand) && !Launch.isSingle(operand);
        return strided ? pointer + ", Layout " + name + "l" : pointer;
    }

    private static String load(String name, Operand operand, Operand result, boolean raw) {
        if (operand.isNumber()) {
            String number = "(" + KernelSource.computed(operand.type()) + ") " + name + "n";
            return raw ? KernelSource.store(operand.type(), number) : number;
        }
        String element =
                switch (form(operand, result)) {
                    case '1' -> name + "p[0]";
                    case 'c' -> name + "p[i]";
                    default -> name + "p[at(" + name + "l, i)]";
                };
        return raw ? element : KernelSource.load(operand.type(), element);
    }

    private static String arrays(List<Operand> inputs, ElementType type, boolean raw) {
        var arrays = new StringBuilder();
        for (int i = 0; i < inputs.size(); i++) {
            ElementType input = inputs.get(i).type();
            arrays.append(raw ? KernelSource.stored(type) : KernelSource.computed(input))
                    .append(' ')
                    .append((char) ('a' + i))
                    .append("[4]; ");
        }
        return arrays.toString();
    }

    private static String value(String name, ElementType type, ElementType from, boolean raw) {
        if (raw) {
            return "a[j]";
        }
        if (name.equals(COPY)) {
            return KernelSource.store(type, converted(type, from));
        }
        String expression = Objects.requireNonNull(expression(name, type));
        return KernelSource.store(type, expression);
    }

    private static @Nullable String expression(String name, ElementType type) {
        String expression = Expressions.of(name, type);
        return expression == null
                ? null
                : "(" + expression.replaceAll("\\b([abcd])\\b(?!\\()", "$1[j]") + ")";
    }

    /** {@return {@code a} converted as Java's casts do} */
    private static String converted(ElementType type, ElementType from) {
        if (type == ElementType.BOOL) {
            return "a[j] != 0";
        }
        if (!from.isFloating() || type.isFloating()) {
            return "(C) a[j]";
        }
        String limit = type == ElementType.INT32 ? "2147483648.0" : "9223372036854775808.0";
        String most = type == ElementType.INT32 ? "2147483647" : "9223372036854775807LL";
        return "a[j] != a[j] ? (C) 0 : a[j] >= %s ? (C) %s : a[j] <= -%s ? (C) (-%s - 1) : (C) a[j]"
                .formatted(limit, most, limit, most);
    }
}
