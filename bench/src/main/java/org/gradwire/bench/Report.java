package org.gradwire.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The results as a table, and as lines of JSON. */
final class Report {
    /** The reference system of the comparison. */
    static final String OURS = "gradwire";

    private final List<String> systems;
    private final Map<Metric, Map<String, Timing>> results;

    Report(List<String> systems, Map<Metric, Map<String, Timing>> results) {
        this.systems = List.copyOf(systems);
        this.results = results;
    }

    /** Print the table and a note, and write the file of the options. */
    void print(Options options, String note) throws IOException {
        table(options.isMarkdown()).forEach(System.out::println);
        System.out.println();
        System.out.println(note);
        if (options.json().isPresent()) {
            Files.write(options.json().get(), json());
        }
    }

    List<String> json() {
        List<String> lines = new ArrayList<>();
        results.forEach((metric, bySystem) ->
                bySystem.forEach((system, timing) ->
                        Result.of(metric, timing)
                                .forEach(result -> lines.add(result.json(system)))));
        return lines;
    }

    /** {@return the table, aligned, or in Markdown} */
    List<String> table(boolean markdown) {
        List<List<String>> rows = new ArrayList<>();
        rows.add(heading());
        results.forEach((metric, bySystem) -> rows.addAll(rows(metric, bySystem)));
        return lines(rows, markdown);
    }

    /**
     * {@return rows of cells as lines, aligned, or in Markdown; the first two columns are texts}
     */
    static List<String> lines(List<List<String>> rows, boolean markdown) {
        return markdown ? markdown(rows) : aligned(rows);
    }

    private List<String> heading() {
        return Stream.concat(
                        Stream.of("", "unit"),
                        systems.stream()
                                .flatMap(system ->
                                        system.equals(OURS)
                                                ? Stream.of(system)
                                                : Stream.of(system, "x")))
                .toList();
    }

    private List<List<String>> rows(Metric metric, Map<String, Timing> bySystem) {
        List<List<String>> rows = new ArrayList<>();
        for (int part = 0; part < parts(metric, bySystem); part++) {
            List<String> row = new ArrayList<>();
            for (String system : systems) {
                addCells(row, metric, bySystem, system, part);
            }
            rows.add(row);
        }
        return rows;
    }

    private static int parts(Metric metric, Map<String, Timing> bySystem) {
        return bySystem.values().stream()
                .findFirst()
                .map(timing -> Result.of(metric, timing).size())
                .orElse(0);
    }

    private static void addCells(
            List<String> row,
            Metric metric,
            Map<String, Timing> bySystem,
            String system,
            int part) {
        Timing timing = bySystem.get(system);
        Timing ours = bySystem.get(OURS);
        if (row.isEmpty()) {
            Result any = Result.of(metric, bySystem.values().iterator().next()).get(part);
            row.add(any.name());
            row.add(any.unit());
        }
        if (timing == null) {
            row.addAll(system.equals(OURS) ? List.of("") : List.of("", ""));
            return;
        }
        Result result = Result.of(metric, timing).get(part);
        row.add(result.text());
        if (!system.equals(OURS)) {
            row.add(
                    ours == null
                            ? ""
                            : String.format(
                                    Locale.ROOT,
                                    "%.2f",
                                    Result.of(metric, ours).get(part).timesBetterThan(result)));
        }
    }

    private static List<String> markdown(List<List<String>> rows) {
        List<String> lines = new ArrayList<>();
        for (List<String> row : rows) {
            lines.add("| " + String.join(" | ", row) + " |");
        }
        lines.add(
                1,
                "|---|---|"
                        + rows.getFirst().stream()
                                .skip(2)
                                .map(_ -> "--:|")
                                .collect(Collectors.joining()));
        return lines;
    }

    private static List<String> aligned(List<List<String>> rows) {
        List<String> lines = new ArrayList<>();
        for (List<String> row : rows) {
            var line = new StringBuilder();
            for (int column = 0; column < row.size(); column++) {
                line.append(cell(rows, row, column));
            }
            lines.add(line.toString().stripTrailing());
        }
        return lines;
    }

    private static String cell(List<List<String>> rows, List<String> row, int column) {
        int width = rows.stream().mapToInt(any -> any.get(column).length()).max().orElse(1);
        String format = (column < 2 ? "%-" : "%") + Math.max(1, width) + "s  ";
        return String.format(Locale.ROOT, format, row.get(column));
    }
}
