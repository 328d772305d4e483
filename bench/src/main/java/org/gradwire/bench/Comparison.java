package org.gradwire.bench;

import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Measures metrics on several systems. Each round measures every system in sequence, and metrics
 * that are compared with each other too, so that noise affects all alike; the result is the median
 * of the rounds, or the best.
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
        for (List<Metric> metrics : turns()) {
            System.err.print("measuring " + metrics.getFirst().label() + "\r");
            System.err.flush();
            results.putAll(measureUntilAccepted(metrics));
        }
        return results;
    }

    /** {@return the wanted metrics; those in one list are compared with each other} */
    private List<List<Metric>> turns() {
        List<List<Metric>> turns = new ArrayList<>();
        List<Metric> calls = new ArrayList<>();
        for (Metric metric : Metric.values()) {
            if (options.wants(metric)) {
                if (MemberCalls.METRICS.contains(metric)) {
                    calls.add(metric);
                } else {
                    turns.add(List.of(metric));
                }
            }
        }
        if (!calls.isEmpty()) {
            turns.add(calls);
        }
        return turns;
    }

    private Map<Metric, Map<String, Timing>> measureUntilAccepted(List<Metric> metrics)
            throws Exception {
        Map<Metric, Map<String, Timing>> timings = measure(metrics);
        for (int i = 1; i < MOST_ATTEMPTS && !accepts(timings); i++) {
            timings = measure(metrics);
        }
        return timings;
    }

    private boolean accepts(Map<Metric, Map<String, Timing>> timings) {
        return timings.entrySet().stream()
                .allMatch(entry -> options.accepts(entry.getKey(), entry.getValue()));
    }

    private Map<Metric, Map<String, Timing>> measure(List<Metric> metrics) throws Exception {
        for (Metric metric : metrics) {
            for (Subject subject : able(metric)) {
                warmUp(subject, metric);
            }
        }
        var rounds = new EnumMap<Metric, Map<String, List<Timing>>>(Metric.class);
        metrics.forEach(metric -> rounds.put(metric, new LinkedHashMap<>()));
        for (int round = 0; round < options.rounds(); round++) {
            for (Metric metric : metrics) {
                addRound(metric, Objects.requireNonNull(rounds.get(metric)));
            }
        }
        var results = new EnumMap<Metric, Map<String, Timing>>(Metric.class);
        rounds.forEach((metric, bySystem) -> results.put(metric, summaries(bySystem)));
        return results;
    }

    private List<Subject> able(Metric metric) {
        return subjects.stream().filter(subject -> subject.metrics().contains(metric)).toList();
    }

    private void addRound(Metric metric, Map<String, List<Timing>> rounds) throws Exception {
        for (Subject subject : able(metric)) {
            rounds.computeIfAbsent(subject.name(), _ -> new ArrayList<>())
                    .add(subject.measure(metric, options.round(metric)));
            subject.settle();
        }
    }

    private Map<String, Timing> summaries(Map<String, List<Timing>> rounds) {
        var summaries = new LinkedHashMap<String, Timing>();
        rounds.forEach((name, timings) ->
                summaries.put(
                        name, options.isBest() ? Timing.best(timings) : Timing.median(timings)));
        return summaries;
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
