package org.gradwire.generator;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** Source of {@code TensorMethods}, which has the operators that are methods of a tensor. */
final class MethodsSource {
    private static final String HEADER =
            """
            package org.gradwire.tensor;

            import org.jspecify.annotations.Nullable;

            import java.util.List;

            /**
             * The operators that are methods of a {@link Tensor}; the same as in {@link Ops}, where this
             * tensor is {@code self}.
             */
            public sealed interface TensorMethods permits Tensor {
            """;

    private MethodsSource() {}

    static String of(List<Row> rows) {
        return rows.stream()
                .flatMap(row -> row.forms().stream().map(form -> method(row, form)))
                .collect(Collectors.joining("\n", HEADER + "\n", "}\n"));
    }

    private static String method(Row row, Form form) {
        List<Parameter> own =
                row.schema().parameters().stream().filter(form::hasParameter).toList();
        String call =
                "Ops.%s(%s)"
                        .formatted(
                                row.javaName(),
                                row.schema().parameters().stream()
                                        .map(parameter -> argument(parameter, form))
                                        .collect(Collectors.joining(", ")));
        return row.comment()
                        .of(form, own.stream().map(Parameter::name).collect(Collectors.toSet()))
                        .source()
                + """
                    default %s %s(%s) {
                        return %s;
                    }
                """
                        .formatted(
                                result(row),
                                row.javaName(),
                                declarations(own, form),
                                row.returnsPair() ? "ValuesAndIndices.of(" + call + ")" : call);
    }

    private static String result(Row row) {
        if (row.returnsPair()) {
            return "ValuesAndIndices";
        }
        return row.schema().isList() ? "List<Tensor>" : "Tensor";
    }

    private static String argument(Parameter parameter, Form form) {
        String value = form.fixed().get(parameter.name());
        if (value != null) {
            return parameter.type().expression(value);
        }
        return parameter.isSelf() ? "(Tensor) this" : parameter.name();
    }

    /** Only integers at the end may be given without an array. */
    private static String declarations(List<Parameter> own, Form form) {
        Set<Parameter> arrays =
                own.stream().filter(p -> p.type().isIntegers()).collect(Collectors.toSet());
        return own.stream()
                .map(parameter -> {
                    if (arrays.equals(Set.of(parameter)) && parameter.equals(own.getLast())) {
                        return "int... " + parameter.name();
                    }
                    return form.fixed().isEmpty()
                            ? parameter.declaration()
                            : parameter.type().bare() + " " + parameter.name();
                })
                .collect(Collectors.joining(", "));
    }
}
