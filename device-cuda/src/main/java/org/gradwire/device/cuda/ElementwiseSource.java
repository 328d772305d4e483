package org.gradwire.device.cuda;

import org.gradwire.spi.device.ElementType;
import org.gradwire.spi.device.Operand;

import java.util.List;
import java.util.Objects;

/** The CUDA C++ source of an elementwise kernel, for the types and layouts of its operands. */
final class ElementwiseSource {
    /** The kernel that copies and converts. */
    static final String COPY = "copy";

    private static final String BODY =
            """
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
            """;

    /** As above, for four elements that follow each other; the last ones are read one by one. */
    private static final String VECTOR_BODY =
            """
            template <typename T> struct alignas(4 * sizeof(T)) Four { T v[4]; };
            extern "C" __global__ void gradwire_kernel(PARAMETERS, long long count) {
                unsigned n = (unsigned) count;
                unsigned fours = n / 4;
                ARRAYS
                for (unsigned q = blockIdx.x * blockDim.x + threadIdx.x; q < fours;
                        q += gridDim.x * blockDim.x) {
            FOURS
                    #pragma unroll
                    for (int j = 0; j < 4; j++) {
                        unsigned i = q * 4 + j;
            FOUR_LOADS        }
                    Four<RESULT> four;
                    #pragma unroll
                    for (int j = 0; j < 4; j++) {
                        four.v[j] = VALUE;
                    }
                    ((Four<RESULT>*) y)[q] = four;
                }
                unsigned i = fours * 4 + blockIdx.x * blockDim.x + threadIdx.x;
                if (i < n) {
                    const int j = 0;
            LOADS        y[i] = VALUE;
                }
            }
            """;

    private final String name;
    private final Operand result;
    private final List<Operand> inputs;
    private final boolean vectors;
    private final boolean raw; // elements are copied as they are

    /**
     * Describe a kernel.
     *
     * @param vectors whether four elements of each operand can be read at once
     */
    ElementwiseSource(String name, Operand result, List<Operand> inputs, boolean vectors) {
        this.name = name;
        this.result = result;
        this.inputs = inputs;
        this.vectors = vectors;
        this.raw = name.equals(COPY) && inputs.getFirst().type() == result.type();
    }

    /** {@return the source} */
    String text() {
        ElementType type = result.type();
        var parameters = new StringBuilder(parameter("y", result, false));
        for (int i = 0; i < inputs.size(); i++) {
            parameters.append(", ").append(parameter(input(i), inputs.get(i), true));
        }
        String body = vectors ? VECTOR_BODY : BODY;
        return KernelSource.prelude(type)
                + body.replace("PARAMETERS", parameters)
                        .replace("ARRAYS", arrays())
                        .replace("FOURS", fours())
                        .replace("FOUR_LOADS", loads(true))
                        .replace("LOADS", loads(false))
                        .replace("RESULT", KernelSource.stored(type))
                        .replace("POSITION", isStrided(result) ? "at(yl, i)" : "i")
                        .replace("VALUE", value());
    }

    private static String input(int i) {
        return String.valueOf((char) ('a' + i));
    }

    private static boolean isStrided(Operand operand) {
        return !operand.isNumber() && !Launch.isContiguous(operand) && !Launch.isSingle(operand);
    }

    private static String parameter(String name, Operand operand, boolean isInput) {
        if (operand.isNumber()) {
            return (operand.type().isFloating() ? "double " : "long long ") + name + "n";
        }
        String stored = KernelSource.stored(operand.type());
        String pointer = isInput ? "const %s* %sp".formatted(stored, name) : stored + "* " + name;
        return isStrided(operand) ? pointer + ", Layout " + name + "l" : pointer;
    }

    private String fours() {
        var fours = new StringBuilder();
        for (int i = 0; i < inputs.size(); i++) {
            if (ElementwiseKernels.form(inputs.get(i), result) == 'c') {
                String type = "Four<" + KernelSource.stored(inputs.get(i).type()) + ">";
                fours.append(
                        "        %s %sf = ((const %s*) %sp)[q];\n"
                                .formatted(type, input(i), type, input(i)));
            }
        }
        return fours.toString();
    }

    private String loads(boolean fromFour) {
        var loads = new StringBuilder();
        for (int i = 0; i < inputs.size(); i++) {
            loads.append(
                    "            %s[j] = %s;\n"
                            .formatted(input(i), load(input(i), inputs.get(i), fromFour)));
        }
        return loads.toString();
    }

    private String load(String input, Operand operand, boolean fromFour) {
        if (operand.isNumber()) {
            String number = "(%s) %sn".formatted(KernelSource.computed(operand.type()), input);
            return raw ? KernelSource.store(operand.type(), number) : number;
        }
        String element =
                switch (ElementwiseKernels.form(operand, result)) {
                    case '1' -> input + "p[0]";
                    case 'c' -> input + (fromFour ? "f.v[j]" : "p[i]");
                    default -> "%sp[at(%sl, i)]".formatted(input, input);
                };
        return raw ? element : KernelSource.load(operand.type(), element);
    }

    private String arrays() {
        var arrays = new StringBuilder();
        for (int i = 0; i < inputs.size(); i++) {
            ElementType type = inputs.get(i).type();
            arrays.append(raw ? KernelSource.stored(type) : KernelSource.computed(type))
                    .append(' ')
                    .append(input(i))
                    .append("[4]; ");
        }
        return arrays.toString();
    }

    private String value() {
        ElementType type = result.type();
        if (raw) {
            return "a[j]";
        }
        if (name.equals(COPY)) {
            return KernelSource.store(type, converted(type, inputs.getFirst().type()));
        }
        String expression = Objects.requireNonNull(Expressions.of(name, type));
        return KernelSource.store(
                type, "(" + expression.replaceAll("\\b([abcdef])\\b(?!\\()", "$1[j]") + ")");
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
