package org.gradwire.generator;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Source of {@code OperatorIndex}, which has the names of the rows of each family. */
final class IndexSource {
    private IndexSource() {}

    static Map<String, List<Row>> byFamily(List<Row> rows) {
        return rows.stream()
                .collect(Collectors.groupingBy(Row::family, TreeMap::new, Collectors.toList()));
    }

    static String of(List<Row> rows) {
        String imports =
                byFamily(rows).keySet().stream()
                        .map("import org.gradwire.tensor.operator.%s;\n"::formatted)
                        .collect(Collectors.joining());
        String groups =
                byFamily(rows).entrySet().stream()
                        .map(each -> group(each.getKey(), each.getValue()))
                        .collect(Collectors.joining(",\n"));
        return """
        package org.gradwire.tensor.operator.library;

        %s
        import java.util.List;

        /** The families of rows, with the names of their operators. */
        final class OperatorIndex {
            static final List<RowGroup> GROUPS =
                    List.of(
        %s);

            private OperatorIndex() {}
        }
        """
                .formatted(imports, groups);
    }

    private static String group(String family, List<Row> rows) {
        return rows.stream()
                .map(row -> '"' + row.schema().name() + '"')
                .collect(
                        Collectors.joining(
                                ", ",
                                "                new RowGroup(%s.class, List.of(".formatted(family),
                                "))"));
    }
}
