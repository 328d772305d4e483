package org.gradwire.checkpoint.cli;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** Rows of named values, as text in columns or as JSON. */
final class Table {
    private final List<Map<String, Object>> rows = new ArrayList<>();

    /** Add a row. */
    void add(Map<String, Object> row) {
        rows.add(new LinkedHashMap<>(row));
    }

    /** {@return the rows, for JSON} */
    List<Map<String, Object>> rows() {
        return rows;
    }

    /** {@return columns as wide as their widest value, under their names} */
    String text() {
        if (rows.isEmpty()) {
            return "";
        }
        List<String> names = List.copyOf(rows.getFirst().keySet());
        List<List<String>> lines = new ArrayList<>();
        lines.add(names);
        rows.forEach(row -> lines.add(row.values().stream().map(Table::text).toList()));
        return lines.stream().map(line -> format(line, lines)).collect(Collectors.joining("\n"));
    }

    private static String text(Object value) {
        return value instanceof Double number
                ? String.format(Locale.ROOT, "%.6g", number)
                : value.toString();
    }

    private static String format(List<String> line, List<List<String>> lines) {
        var text = new StringBuilder();
        for (int c = 0; c < line.size(); c++) {
            int column = c;
            int width = lines.stream().mapToInt(each -> each.get(column).length()).max().orElse(0);
            text.append(line.get(c)).repeat(' ', width - line.get(c).length() + 2);
        }
        return text.toString().stripTrailing();
    }
}
