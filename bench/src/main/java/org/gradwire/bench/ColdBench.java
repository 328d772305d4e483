package org.gradwire.bench;

import org.gradwire.bench.cold.ColdMetric;
import org.gradwire.bench.cold.ColdRun;
import org.gradwire.bench.process.TemporaryDirectories;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/**
 * {@code ./gradwire bench --cold}: fresh pairs of processes, from their start to the first answered
 * call and on, with Gradwire, PyTorch and gRPC, in turns.
 */
final class ColdBench {
    private static final String NOTE =
            " fresh pairs of processes of each system: medians, and the worst. x: how many times better gradwire is, above"
                    + " 1, by the medians. start: from the start of both processes to the first answered call;"
                    + " the first call is the last part of it. until2x: the number of the call that begins 10 in sequence whose median is"
                    + " at most twice that of the last 200 of 3,000. grpc runs on the class path with the JVM's"
                    + " defaults, and has no backward passes.";

    private final Map<String, List<ColdRun>> runs;
    private final List<ColdMetric> metrics;

    /** Create a report of the runs of each system. */
    ColdBench(Map<String, List<ColdRun>> runs, List<ColdMetric> metrics) {
        this.runs = runs;
        this.metrics = List.copyOf(metrics);
    }

    /** Measure, and print the results. */
    static void run(Options options) throws IOException {
        Path folder = Files.createTempDirectory("gradwire-cold");
        try {
            var systems = ColdSystems.wanted(options, folder);
            Map<String, List<ColdRun>> runs = new LinkedHashMap<>();
            for (int turn = 0; turn < options.turns(); turn++) {
                for (ColdSystems.Pair pair : systems) {
                    runs.computeIfAbsent(pair.name(), _ -> new ArrayList<>()).add(pair.run(turn));
                }
            }
            List<ColdMetric> metrics =
                    Arrays.stream(ColdMetric.values())
                            .filter(metric -> options.selects(metric.label()))
                            .toList();
            new ColdBench(runs, metrics).print(options);
        } finally {
            TemporaryDirectories.delete(folder);
        }
    }

    private void print(Options options) throws IOException {
        table(options.isMarkdown()).forEach(System.out::println);
        System.out.println();
        System.out.println(options.turns() + NOTE);
        if (options.json().isPresent()) {
            Files.write(options.json().get(), json());
        }
    }

    /** {@return the table, aligned, or in Markdown} */
    List<String> table(boolean markdown) {
        List<List<String>> rows = new ArrayList<>();
        rows.add(
                Stream.concat(Stream.of("", "unit"), runs.keySet().stream().flatMap(this::heading))
                        .toList());
        for (ColdMetric metric : metrics) {
            rows.add(
                    Stream.concat(
                                    Stream.of(metric.label(), metric.unit()),
                                    runs.keySet().stream().flatMap(system -> cells(metric, system)))
                            .toList());
        }
        return Report.lines(rows, markdown);
    }

    private Stream<String> heading(String system) {
        return isCompared(system) ? Stream.of(system, "worst", "x") : Stream.of(system, "worst");
    }

    private boolean isCompared(String system) {
        return !system.equals(Report.OURS) && runs.containsKey(Report.OURS);
    }

    private Stream<String> cells(ColdMetric metric, String system) {
        List<ColdRun> measured = runs.getOrDefault(system, List.of());
        if (!metric.isIn(measured)) {
            return heading(system).map(_ -> "");
        }
        Result median = median(metric, measured);
        Stream<String> cells = Stream.of(median.text(), worst(metric, measured).text());
        return isCompared(system) ? Stream.concat(cells, ratio(metric, median)) : cells;
    }

    private Stream<String> ratio(ColdMetric metric, Result theirs) {
        Result ours = median(metric, runs.getOrDefault(Report.OURS, List.of()));
        return Stream.of(String.format(Locale.ROOT, "%.2f", ours.timesBetterThan(theirs)));
    }

    private static Result median(ColdMetric metric, List<ColdRun> runs) {
        return new Result(metric.label() + ".p50", metric.median(runs), metric.unit(), true);
    }

    private static Result worst(ColdMetric metric, List<ColdRun> runs) {
        return new Result(metric.label() + ".max", metric.worst(runs), metric.unit(), true);
    }

    /** {@return a line for each median and worst of each system} */
    List<String> json() {
        List<String> lines = new ArrayList<>();
        for (ColdMetric metric : metrics) {
            runs.forEach((system, measured) -> {
                if (metric.isIn(measured)) {
                    lines.add(median(metric, measured).json(system));
                    lines.add(worst(metric, measured).json(system));
                }
            });
        }
        return lines;
    }
}
