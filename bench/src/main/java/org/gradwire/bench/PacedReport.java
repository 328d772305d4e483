package org.gradwire.bench;

import org.gradwire.bench.paced.PacedMetric;
import org.gradwire.bench.paced.PacedRun;

import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;

/** The report of {@link PacedBench}: the medians of each system. */
final class PacedReport {
    private static final double REQUIRED = 2;
    private static final String NOTE =
            " turns, medians, of 10,000 calls of add on two 2x2 tensors in a second. async1: one thread starts them without"
                    + " waiting, at most 64 at a time; sync4: four threads wait for each. cpu: the processor time of all"
                    + " processes, for gradwire with the media driver. x: how many times better gradwire is, above 1. A system"
                    + " that is too slow makes the same number of calls at a lower rate. Processors for all processes: ";

    private final Map<Metric, Map<String, List<PacedRun>>> runs;

    /** Create a report of the runs of each system. */
    PacedReport(Map<Metric, Map<String, List<PacedRun>>> runs) {
        this.runs = runs;
    }

    void print(Options options) throws IOException {
        Report.lines(rows(), options.isMarkdown()).forEach(System.out::println);
        System.out.println();
        System.out.println(options.turns() + NOTE + Runtime.getRuntime().availableProcessors());
        required().forEach(System.out::println);
        if (options.json().isPresent()) {
            Files.write(options.json().get(), json());
        }
    }

    /** {@return the rows of the table, the first with the names of the systems} */
    List<List<String>> rows() {
        List<List<String>> rows = new ArrayList<>();
        runs.forEach((metric, bySystem) -> {
            if (rows.isEmpty()) {
                rows.add(row("", "unit", bySystem, name -> name, _ -> "x"));
            }
            for (PacedMetric number : PacedMetric.values()) {
                rows.add(
                        row(
                                metric.label() + "." + number.label(),
                                number.unit(),
                                bySystem,
                                name -> result(metric, number, bySystem, name).text(),
                                name -> ratio(metric, number, bySystem, name)));
            }
        });
        return rows;
    }

    private static List<String> row(
            String name,
            String unit,
            Map<String, List<PacedRun>> bySystem,
            Function<String, String> text,
            Function<String, String> ratio) {
        List<String> row = new ArrayList<>(List.of(name, unit));
        for (String system : bySystem.keySet()) {
            row.add(text.apply(system));
            if (!system.equals(Report.OURS)) {
                row.add(ratio.apply(system));
            }
        }
        return row;
    }

    private static Result result(
            Metric metric,
            PacedMetric number,
            Map<String, List<PacedRun>> bySystem,
            String system) {
        return new Result(
                metric.label() + "." + number.label(),
                number.median(bySystem.getOrDefault(system, List.of())),
                number.unit(),
                number.lessIsBetter());
    }

    private static String ratio(
            Metric metric,
            PacedMetric number,
            Map<String, List<PacedRun>> bySystem,
            String system) {
        return bySystem.containsKey(Report.OURS)
                ? String.format(Locale.ROOT, "%.2f", timesBetter(metric, number, bySystem, system))
                : "";
    }

    private static double timesBetter(
            Metric metric,
            PacedMetric number,
            Map<String, List<PacedRun>> bySystem,
            String system) {
        return result(metric, number, bySystem, Report.OURS)
                .timesBetterThan(result(metric, number, bySystem, system));
    }

    /** {@return a line for each way of calling: how many times less processor time it takes} */
    List<String> required() {
        List<String> lines = new ArrayList<>();
        runs.forEach((metric, bySystem) ->
                bySystem.keySet().stream()
                        .filter(system -> !system.equals(Report.OURS))
                        .filter(_ -> bySystem.containsKey(Report.OURS))
                        .mapToDouble(system ->
                                timesBetter(metric, PacedMetric.PROCESSORS, bySystem, system))
                        .min()
                        .ifPresent(least -> lines.add(line(metric, least))));
        return lines;
    }

    private static String line(Metric metric, double least) {
        return String.format(
                Locale.ROOT,
                "%s: the best other system takes %.2f times as much processor time; required: %.0f",
                metric.label(),
                least,
                REQUIRED);
    }

    /** {@return a line for each number of each system} */
    List<String> json() {
        List<String> lines = new ArrayList<>();
        runs.forEach((metric, bySystem) ->
                bySystem.keySet()
                        .forEach(system -> {
                            for (PacedMetric number : PacedMetric.values()) {
                                lines.add(result(metric, number, bySystem, system).json(system));
                            }
                        }));
        return lines;
    }
}
