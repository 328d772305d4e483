package org.gradwire.bench;

import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Measures metrics on several systems. Each round measures every system in sequence, so that noise
 * affects all alike; the result is the median of the rounds, or the best.
 */
final class Comparison {
    private static final double FASTER = 0.95;
    private static final int PATIENCE = 4;
    private static final int NETWORK_PATIENCE = 16;
    private static final int MOST_ATTEMPTS = 3;

    private final Options options;
    private final List<Subject> subjects;

    Comparison(Options options, List<? extends Subject> subjects) {
        this.options = options;
        this.subjects = List.copyOf(subjects);
    }

    Map<Metric, Map<String, Timing>> run() throws Exception {
        var results = new EnumMap<Metric, Map<String, Timing>>(Metric.class);
        for (Metric metric : Metric.values()) {
            if (options.wants(metric)) {
                System.err.print("measuring " + metric.label() + "\r");
                System.err.flush();
                results.put(metric, measureUntilAccepted(metric));
            }
        }
        return results;
    }

    private Map<String, Timing> measureUntilAccepted(Metric metric) throws Exception {
        Map<String, Timing> timings = measure(metric);
        for (int i = 1; i < MOST_ATTEMPTS && !options.accepts(metric, timings); i++) {
            timings = measure(metric);
        }
        return timings;
    }

    private Map<String, Timing> measure(Metric metric) throws Exception {
        List<Subject> able =
                subjects.stream().filter(subject -> subject.metrics().contains(metric)).toList();
        for (Subject subject : able) {
            warmUp(subject, metric);
        }
        var rounds = new LinkedHashMap<String, List<Timing>>();
        for (int round = 0; round < options.rounds(); round++) {
            for (Subject subject : able) {
                rounds.computeIfAbsent(subject.name(), _ -> new ArrayList<>())
                        .add(subject.measure(metric, options.round(metric)));
                subject.settle();
            }
        }
        var result = new LinkedHashMap<String, Timing>();
        rounds.forEach((name, timings) ->
                result.put(name, options.isBest() ? Timing.best(timings) : Timing.median(timings)));
        return result;
    }

    /**
     * Warm up until a metric's work stops becoming faster. This takes seconds if much code in two
     * processes shares the cores with two JIT compilers, and longer if a unit takes milliseconds,
     * since methods are compiled by call count. Between hosts the media drivers of both compile
     * too. Reductions stay slow for seconds before their vector loops are compiled.
     */
    private void warmUp(Subject subject, Metric metric) throws Exception {
        Duration time = options.warmupRound();
        long best = subject.measure(metric, time).medianNanos();
        int rounds = 1;
        int inVain = 0;
        int patience = patience(metric);
        while (subject.compilesLate() && inVain < patience && rounds < options.warmupRounds()) {
            long median = subject.measure(metric, time).medianNanos();
            rounds++;
            inVain = median < FASTER * best ? 0 : inVain + 1;
            best = Math.min(best, median);
        }
        subject.settle();
    }

    private static int patience(Metric metric) {
        return metric.mode() == Mode.NETWORK || metric.mode() == Mode.COLLECTIVES
                ? NETWORK_PATIENCE
                : metric.takesMillis() ? 2 * PATIENCE : PATIENCE;
    }
}
