package org.gradwire.generator;

import java.util.List;
import java.util.stream.Collectors;

/** Source of {@code Ops}, which has a function for each row. */
final class FunctionsSource {
    private static final String HEADER =
            """
            package org.gradwire.tensor;

            import org.gradwire.rpc.Builtin;
            import org.gradwire.tensor.dispatch.Dispatcher;
            import org.gradwire.tensor.dispatch.OperatorHandle;
            import org.jspecify.annotations.Nullable;

            import java.util.List;

            /**
             * The tensor operators as static functions. Each can be called on another worker by name:
             * {@code rpc.rpcSync("worker1", Ops::add, a, b)}. Most operators are methods of {@link
             * Tensor} too.
             *
             * <p>Shapes broadcast as in NumPy. Types are promoted as in PyTorch: operands of a later
             * category (bool, integral, floating) decide; of those of the same category tensors that have
             * dimensions, then tensors that have none, then Java numbers; of those the widest. Dimensions
             * may be counted from the end with negative numbers. Shapes and types that do not fit are
             * {@link IllegalArgumentException}s that name them, indices out of range {@link
             * IndexOutOfBoundsException}s.
             */
            public final class Ops {

                private Ops() {}
            """;
    private static final String LIST =
            """

                @SuppressWarnings("unchecked") // what the row declares
                private static List<Tensor> list(Object result) {
                    return (List<Tensor>) result;
                }
            """;

    private FunctionsSource() {}

    static String of(List<Row> rows) {
        return rows.stream()
                        .map(FunctionsSource::function)
                        .collect(Collectors.joining("\n", HEADER + "\n", LIST))
                + IndexSource.byFamily(rows).entrySet().stream()
                        .map(each -> handles(each.getKey(), each.getValue()))
                        .collect(Collectors.joining())
                + "}\n";
    }

    private static String function(Row row) {
        Schema schema = row.schema();
        String call =
                "%s.%s.call(%s)"
                        .formatted(
                                holder(row.family()),
                                row.constant(),
                                schema.parameters().stream()
                                        .map(Parameter::name)
                                        .collect(Collectors.joining(", ")));
        return row.comment().source()
                + """
                    @Builtin("%s")
                    public static %s %s(%s) {
                        return %s;
                    }
                """
                        .formatted(
                                schema.name(),
                                schema.isList() ? "List<Tensor>" : "Tensor",
                                row.javaName(),
                                schema.parameters().stream()
                                        .map(Parameter::declaration)
                                        .collect(Collectors.joining(", ")),
                                schema.isList() ? "list(" + call + ")" : "(Tensor) " + call);
    }

    /** A family of rows is initialized when one of its functions is called first. */
    private static String handles(String family, List<Row> rows) {
        return rows.stream()
                .map(row ->
                        "        static final OperatorHandle %s = Dispatcher.find(\"%s\");\n"
                                .formatted(row.constant(), row.schema().name()))
                .collect(
                        Collectors.joining(
                                "",
                                "\n    private static final class %s {\n".formatted(holder(family)),
                                "    }\n"));
    }

    private static String holder(String family) {
        return family.replaceFirst("Rows$", "") + "Handles";
    }
}
