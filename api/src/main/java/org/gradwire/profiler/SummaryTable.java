package org.gradwire.profiler;

import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Formats a profile as a table. */
final class SummaryTable {
    /** The sums over the events of one name; times in nanoseconds. */
    private record Row(String name, int node, long count, long total, long own) {
        Row plus(ProfilerEvent event, long ownNanos) {
            int sameNode = node == event.nodeId() ? node : -1;
            return new Row(
                    name, sameNode, count + 1, total + event.duration().toNanos(), own + ownNanos);
        }
    }

    private SummaryTable() {}

    static String of(Profile profile) {
        List<Row> rows = rows(profile);
        int width = Math.max(4, rows.stream().mapToInt(row -> row.name.length()).max().orElse(0));
        var text = new StringBuilder(line(width, "name", "calls", "total", "mean", "own", "node"));
        for (Row row : rows) {
            text.append(
                    line(
                            width,
                            row.name,
                            row.count,
                            time(row.total),
                            time(row.total / row.count),
                            time(row.own),
                            row.node < 0 ? "*" : row.node));
        }
        if (profile.dropped() > 0) {
            text.append(profile.dropped()).append(" more events were not kept\n");
        }
        return text.toString();
    }

    private static List<Row> rows(Profile profile) {
        Map<Long, Long> ofChildren = new HashMap<>();
        for (ProfilerEvent event : profile.events()) {
            ofChildren.merge(event.parent(), event.duration().toNanos(), Long::sum);
        }
        Map<String, Row> rows = new LinkedHashMap<>();
        for (ProfilerEvent event : profile.events()) {
            // Children may run in parallel, and longer than their parent.
            long own =
                    Math.max(
                            0,
                            event.duration().toNanos() - ofChildren.getOrDefault(event.id(), 0L));
            rows.computeIfAbsent(event.name(), name -> new Row(name, event.nodeId(), 0, 0, 0));
            rows.computeIfPresent(event.name(), (_, row) -> row.plus(event, own));
        }
        return rows.values().stream()
                .sorted(Comparator.comparingLong(Row::total).reversed())
                .toList();
    }

    private static String line(int width, String name, Object... cells) {
        return name
                + " ".repeat(width - name.length())
                + String.format(Locale.ROOT, "  %8s  %12s  %12s  %12s  %5s\n", cells);
    }

    private static String time(long nanos) {
        double micros = nanos / 1e3;
        return micros < 1e4
                ? String.format(Locale.ROOT, "%.1f us", micros)
                : String.format(Locale.ROOT, "%.3f ms", micros / 1e3);
    }
}
