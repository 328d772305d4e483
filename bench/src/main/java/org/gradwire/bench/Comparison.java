package org.gradwire.bench;

import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Measures figures on several systems. In each round every system has its turn, so that noise hits
 * all alike; the medians of the rounds are the result, or the best of them.
 */
final class Comparison {
    private static final double FASTER = 0.95;
    private static final int PATIENCE = 4;
    private static final int MOST_ATTEMPTS = 3;

    private final Options options;
    private final List<Subject> subjects;

    Comparison(Options options, List<? extends Subject> subjects) {
        this.options = options;
        this.subjects = List.copyOf(subjects);
    }

    Map<Figure, Map<String, Timing>> run() throws Exception {
        var results = new EnumMap<Figure, Map<String, Timing>>(Figure.class);
        for (Figure figure : Figure.values()) {
            if (options.wants(figure)) {
                System.err.print("measuring " + figure.label() + "\r");
                System.err.flush();
                results.put(figure, measureUntilAccepted(figure));
            }
        }
        return results;
    }

    private Map<String, Timing> measureUntilAccepted(Figure figure) throws Exception {
        Map<String, Timing> timings = measure(figure);
        for (int i = 1; i < MOST_ATTEMPTS && !options.accepts(figure, timings); i++) {
            timings = measure(figure);
        }
        return timings;
    }

    private Map<String, Timing> measure(Figure figure) throws Exception {
        List<Subject> able =
                subjects.stream().filter(subject -> subject.figures().contains(figure)).toList();
        for (Subject subject : able) {
            warmUp(subject, figure);
        }
        var rounds = new LinkedHashMap<String, List<Timing>>();
        for (int round = 0; round < options.rounds(); round++) {
            for (Subject subject : able) {
                rounds.computeIfAbsent(subject.name(), _ -> new ArrayList<>())
                        .add(subject.measure(figure, options.round(figure)));
                subject.settle();
            }
        }
        var result = new LinkedHashMap<String, Timing>();
        rounds.forEach((name, timings) ->
                result.put(name, options.isBest() ? Timing.best(timings) : Timing.median(timings)));
        return result;
    }

    /**
     * Do a figure's work until it becomes no faster. A JVM needs seconds for that where the work is
     * done by much code in two processes, whose compilers share the cores with it; and longer where
     * a unit takes milliseconds, as methods are compiled after so many calls.
     */
    private void warmUp(Subject subject, Figure figure) throws Exception {
        Duration time = options.warmupRound();
        long best = subject.measure(figure, time).medianNanos();
        int rounds = 1;
        int inVain = 0;
        int patience = figure.takesMillis() ? 2 * PATIENCE : PATIENCE;
        while (subject.compilesLate() && inVain < patience && rounds < options.warmupRounds()) {
            long median = subject.measure(figure, time).medianNanos();
            rounds++;
            inVain = median < FASTER * best ? 0 : inVain + 1;
            best = Math.min(best, median);
        }
        subject.settle();
    }
}
