package org.gradwire.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Ratio by which a system must be better than another between two hosts, by the median.
 *
 * @param calls for small calls
 * @param echo for the echo
 */
record RequiredRatio(String system, String other, double calls, double echo) {

    /** {@return a line for each metric that both systems have, with the ratio that it has} */
    List<String> lines(Map<Metric, Map<String, Timing>> results) {
        List<String> lines = new ArrayList<>();
        results.forEach((metric, bySystem) -> {
            Timing ours = bySystem.get(system);
            Timing theirs = bySystem.get(other);
            if (ours != null && theirs != null) {
                lines.add(line(metric, ours, theirs));
            }
        });
        return lines;
    }

    private String line(Metric metric, Timing ours, Timing theirs) {
        Result median = Result.of(metric, ours).getFirst();
        double ratio = median.timesBetterThan(Result.of(metric, theirs).getFirst());
        return String.format(
                Locale.ROOT,
                "%s: %s is %.2f times better than %s; required: %.0f",
                median.name(),
                system,
                ratio,
                other,
                metric == Metric.NET_ECHO_8_MIB ? echo : calls);
    }
}
