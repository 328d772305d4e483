package org.gradwire.attack;

import org.gradwire.attack.site.VictimMetrics;

import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The result table of the attack vectors. */
final class Report {
    private static final String HEAD =
            "%-36s %9s %9s %9s %11s | %6s %6s %8s %8s | %5s"
                    .formatted(
                            "attack vector",
                            "inputs",
                            "refused",
                            "served",
                            "connections",
                            "calls",
                            "failed",
                            "worst ms",
                            "p99 ms",
                            "s");

    private Report() {}

    static String head() {
        return HEAD;
    }

    /** {@return the outcomes of the inputs and of the honest client's calls, and the faults} */
    static String line(Result result) {
        var text =
                new StringBuilder(
                        String.format(
                                Locale.ROOT,
                                "%-36s %,9d %,9d %,9d %,11d | %,6d %,6d %8.1f %8.1f | %5.1f",
                                result.attackVector().name(),
                                result.inputCounts().inputs(),
                                result.inputCounts().refused(),
                                result.inputCounts().served(),
                                result.inputCounts().connections(),
                                result.client().calls(),
                                result.client().failures(),
                                result.client().worstMillis(),
                                result.client().p99Millis(),
                                result.seconds()));
        result.faults().forEach(fault -> text.append("\n    FAULT: ").append(fault));
        return text.toString();
    }

    /** {@return the victim's metrics before and after each attack vector} */
    static String metrics(List<Result> results) {
        var text = new StringBuilder("of the victim, before -> after");
        text.append(" (KiB; descriptors and threads: their number)\n");
        for (Result result : results) {
            text.append(String.format(Locale.ROOT, "%-36s", result.attackVector().name()));
            Map<String, Long> after = result.after().byName();
            result.before()
                    .byName()
                    .forEach((name, value) ->
                            text.append("  ")
                                    .append(name)
                                    .append(' ')
                                    .append(number(name, value))
                                    .append("->")
                                    .append(number(name, after.getOrDefault(name, 0L))));
            text.append('\n');
        }
        text.append(String.format(Locale.ROOT, "%-36s", "may grow by"));
        VictimMetrics.LIMITS
                .byName()
                .forEach((name, value) ->
                        text.append("  ").append(name).append(' ').append(number(name, value)));
        return text.toString();
    }

    private static String number(String name, long value) {
        boolean isCount = name.equals("descriptors") || name.equals("threads");
        return Long.toString(isCount ? value : value >> 10);
    }
}
