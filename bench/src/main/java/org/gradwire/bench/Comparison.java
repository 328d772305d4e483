package org.gradwire.bench;

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
    private final Options options;
    private final List<Subject> subjects;

    Comparison(Options options, List<Subject> subjects) {
        this.options = options;
        this.subjects = List.copyOf(subjects);
    }

    Map<Figure, Map<String, Timing>> run() throws Exception {
        var results = new EnumMap<Figure, Map<String, Timing>>(Figure.class);
        for (Figure figure : Figure.values()) {
            if (options.wants(figure)) {
                System.err.print("measuring " + figure.label() + "\r");
                System.err.flush();
                results.put(figure, measure(figure));
            }
        }
        return results;
    }

    private Map<String, Timing> measure(Figure figure) throws Exception {
        List<Subject> able =
                subjects.stream().filter(subject -> subject.figures().contains(figure)).toList();
        for (Subject subject : able) {
            subject.measure(figure, options.warmup(subject.compilesLate()));
            subject.settle();
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
}
