package org.gradwire.device.cuda;

import org.gradwire.device.cuda.RowSteps.Input;
import org.gradwire.device.cuda.RowSteps.Kind;
import org.gradwire.spi.device.ElementType;
import org.gradwire.spi.device.Operand;

import java.util.List;

/** The CUDA C++ of kernels of rows, made of their steps for the types and layouts of operands. */
final class RowSource {
    private static final int SHARED_BYTES = 32 << 10; // of a block, for rows that are read twice

    // Threads after the last row compute that row too, as all must wait for each other.
    private static final String KERNEL =
            """
            #if __CUDA_ARCH__ >= 700 // a layout that lambdas refer to needs no copy
            #define LAYOUT const __grid_constant__ Layout
            #else
            #define LAYOUT const Layout
            #endif
            extern "C" __global__ void gradwire_kernel(PARAMETERS, long long rows, long long length) {
                unsigned n = (unsigned) length;
            SHARED    for (long long first = (long long) blockIdx.x * blockDim.y; first < rows;
                        first += (long long) gridDim.x * blockDim.y) {
                    bool own = first + threadIdx.y < rows;
                    unsigned row = (unsigned) (own ? first + threadIdx.y : rows - 1);
            PLACES        STEPS
                }
            }
            """;

    private final RowSteps steps;
    private final Operand result;
    private final List<Operand> inputs;
    private final long length;
    private final StringBuilder parameters = new StringBuilder();
    private final StringBuilder macros = new StringBuilder();
    private final StringBuilder shared = new StringBuilder();
    private final StringBuilder places = new StringBuilder(); // computed once for each row
    private final StringBuilder copies = new StringBuilder();

    /** Describe a kernel by its operands, without the length of a row, and that. */
    RowSource(RowSteps steps, Operand result, List<Operand> inputs, long length) {
        this.steps = steps;
        this.result = result;
        this.inputs = inputs;
        this.length = length;
    }

    /** {@return the longest row of which a block can keep all that is read more than once} */
    int room() {
        ElementType type = result.type();
        long rows = steps.inputs().stream().filter(this::isReadAgain).count();
        int bytes = type == ElementType.FLOAT64 ? Double.BYTES : Float.BYTES;
        return rows == 0 || !type.isFloating() ? 0 : (int) (SHARED_BYTES / bytes / rows);
    }

    private boolean isReadAgain(Input input) {
        String read = input.macro() + "(t)";
        return input.kind() == Kind.ROW
                && steps.text().indexOf(read) != steps.text().lastIndexOf(read);
    }

    /** {@return whether the elements of a row are apart, and those of several rows adjacent} */
    boolean areColumns() {
        boolean columns = steps.rowsOf() == RowSteps.RESULT;
        if (columns && !isColumn(result)) {
            return false;
        }
        for (int i = 0; i < inputs.size(); i++) {
            Operand input = inputs.get(i);
            if (isOfRow(i) && !Launch.isSingle(input)) {
                if (!isColumn(input)) {
                    return false;
                }
                columns = true;
            }
        }
        return columns;
    }

    private boolean isColumn(Operand operand) {
        int last = operand.sizes().length - 1;
        return hasRows(operand) && operand.strides()[last] != 1 && operand.strides()[last - 1] == 1;
    }

    /** {@return whether an input has elements for each row, as the result has} */
    private boolean isOfRow(int input) {
        return switch (steps.inputs().get(input).kind()) {
            case ROW, FROM -> true;
            case COLUMN -> isWhole(inputs.get(input));
            case EACH, ANY -> false;
        };
    }

    /** {@return whether the last of several dimensions is a row} */
    private boolean hasRows(Operand operand) {
        int dims = operand.sizes().length;
        return dims > 1 && operand.sizes()[dims - 1] == length;
    }

    /** {@return a key: kernels with equal ones have the same source} */
    String key(String name, boolean kept) {
        var key = new StringBuilder(name).append(' ').append(result.type());
        key.append(formOfResult());
        for (int i = 0; i < inputs.size(); i++) {
            Operand input = inputs.get(i);
            key.append(' ').append(input.type()).append(form(i));
            key.append(isWhole(input) ? 'w' : ' ');
        }
        return key.append(kept ? "kept" : "").toString();
    }

    /**
     * {@return n for a number, 1 for one element, c for contiguous ones, r for rows that are apart,
     * s for others}
     */
    private char form(int input) {
        Operand operand = inputs.get(input);
        if (operand.isNumber()) {
            return 'n';
        }
        if (Launch.isSingle(operand)) {
            return '1';
        }
        if (Launch.isContiguous(operand)) {
            return 'c';
        }
        return isOfRow(input) && hasRows(operand) ? 'r' : 's';
    }

    private char formOfResult() {
        if (Launch.isContiguous(result)) {
            return 'c';
        }
        return steps.rowsOf() == RowSteps.RESULT && hasRows(result) ? 'r' : 's';
    }

    private static boolean hasLayout(char form) {
        return form == 'r' || form == 's';
    }

    /** {@return whether an operand has as many elements as the result} */
    private boolean isWhole(Operand operand) {
        return operand.count() == result.count();
    }

    /** Add the operands to a launch, in the order of the kernel's parameters. */
    void addTo(Launch launch) {
        launch.address(result);
        if (hasLayout(formOfResult())) {
            launch.layout(result);
        }
        for (int i = 0; i < inputs.size(); i++) {
            Operand input = inputs.get(i);
            if (input.isNumber()) {
                launch.number(input);
            } else {
                launch.address(input);
                if (hasLayout(form(i))) {
                    launch.layout(input);
                }
            }
        }
    }

    /**
     * {@return the source; to be called once}
     *
     * @param kept whether rows are kept in shared memory
     */
    String source(boolean kept) {
        addResult();
        for (int i = 0; i < inputs.size(); i++) {
            addInput(i, kept && isReadAgain(steps.inputs().get(i)));
        }
        if (!copies.isEmpty()) {
            places.append("        __syncthreads(); EACH(t) { ").append(copies);
            places.append("} __syncthreads();\n");
        }
        return KernelSource.prelude(result.type())
                + RowFunctions.BLOCK
                + macros
                + KERNEL.replace("PARAMETERS", parameters)
                        .replace("SHARED", shared)
                        .replace("PLACES", places)
                        .replace("STEPS", steps.text());
    }

    private void addResult() {
        ElementType type = result.type();
        char form = formOfResult();
        parameters.append(KernelSource.stored(type)).append("* y");
        if (hasLayout(form)) {
            parameters.append(", LAYOUT yl");
        }
        String write = "if (own) { y[%s] = " + KernelSource.store(type, "(v)") + "; }";
        String anywhere = hasLayout(form) ? "at(yl, (i))" : "(i)";
        macros.append("#define PUT(i, v) ").append(write.formatted(anywhere)).append('\n');
        if (form == 'r') {
            addPlace("y");
            macros.append("#define Y(t, v) ").append(write.formatted(place("y"))).append('\n');
        } else {
            macros.append("#define Y(t, v) PUT(row * n + (t), v)\n");
        }
        String stored =
                "((%s) %s)".formatted(KernelSource.stored(type), KernelSource.store(type, "(v)"));
        macros.append("#define ROUNDED(v) %s\n".formatted(KernelSource.load(type, stored)));
    }

    private void addInput(int i, boolean kept) {
        Input input = steps.inputs().get(i);
        String name = input.parameter();
        char form = form(i);
        parameters.append(", ").append(parameter(i));
        if (form == 'r') {
            addPlace(name);
        }
        macros.append(
                "#define %s%s(%s) %s\n"
                        .formatted(
                                kept ? "READ_" : "",
                                input.macro(),
                                input.kind() == Kind.FROM ? "t, more" : "t",
                                element(i)));
        if (kept) {
            macros.append("#define %s(t) %s_row[t]\n".formatted(input.macro(), name));
            shared.append("    __shared__ C %s_row[%d];\n".formatted(name, room()));
            copies.append("%s_row[t] = READ_%s(t); ".formatted(name, input.macro()));
        }
    }

    /** Add the position of an operand's row, and the distance of its elements. */
    private void addPlace(String name) {
        places.append(
                "        long long %1$s_at = row_at(%1$sl, row);\n        int %1$s_step = %1$sl.strides[%1$sl.dims - 1];\n"
                        .formatted(name));
    }

    private static String place(String name) {
        return "%1$s_at + (long long) (t) * %1$s_step".formatted(name);
    }

    private String parameter(int i) {
        Operand operand = inputs.get(i);
        String name = steps.inputs().get(i).parameter();
        if (operand.isNumber()) {
            return (operand.type().isFloating() ? "double " : "long long ") + name;
        }
        String pointer = "const %s* %s".formatted(KernelSource.stored(operand.type()), name);
        return hasLayout(form(i)) ? pointer + ", LAYOUT " + name + "l" : pointer;
    }

    private String element(int i) {
        Input input = steps.inputs().get(i);
        Operand operand = inputs.get(i);
        String name = input.parameter();
        if (operand.isNumber()) {
            return "((%s) %s)".formatted(KernelSource.computed(operand.type()), name);
        }
        String index = index(input.kind(), isWhole(operand));
        String place =
                switch (form(i)) {
                    case '1' -> "0";
                    case 'c' -> index;
                    case 'r' -> place(name);
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
