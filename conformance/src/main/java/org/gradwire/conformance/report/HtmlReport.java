package org.gradwire.conformance.report;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The report as a page: a table for each kind, with a row for each id and a column for each
 * backend.
 */
final class HtmlReport {
    private static final String HEAD =
            """
            <!doctype html>
            <html lang="en"><head><meta charset="utf-8"><title>Gradwire conformance report</title>
            <style>
            body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 60rem; padding: 0 1rem; color: #222; }
            table { border-collapse: collapse; width: 100%; margin-bottom: 2rem; }
            th, td { border: 1px solid #ddd; padding: .25rem .6rem; text-align: left; vertical-align: top; }
            th { background: #f4f4f4; }
            td.passed { background: #e7f6e9; } td.failed { background: #fde2e0; } td.skipped { background: #fdf5d9; }
            small { color: #666; } pre { white-space: pre-wrap; margin: 0; font-size: 12px; }
            </style></head><body>
            <h1>Gradwire conformance report</h1>
            """;

    private HtmlReport() {}

    static String of(List<Entry> entries) {
        var page = new StringBuilder(HEAD);
        page.append(
                "<p>%s. Java %s on %s.</p>%n"
                        .formatted(
                                summary(entries),
                                Runtime.version(),
                                escape(System.getProperty("os.name", "?"))));
        Map<String, List<Entry>> byKind = new TreeMap<>();
        for (Entry entry : entries) {
            byKind.computeIfAbsent(entry.kind(), _ -> new ArrayList<>()).add(entry);
        }
        byKind.forEach((kind, rows) -> appendTable(page, kind, rows));
        return page.append("</body></html>\n").toString();
    }

    private static String summary(List<Entry> entries) {
        Map<String, Integer> counts = new TreeMap<>();
        entries.forEach(entry -> counts.merge(entry.result(), 1, Integer::sum));
        return counts.toString().replaceAll("[{}]", "").replace("=", " ");
    }

    private static void appendTable(StringBuilder page, String kind, List<Entry> rows) {
        var backends = new TreeSet<String>();
        Map<String, Map<String, Entry>> byId = new TreeMap<>();
        for (Entry row : rows) {
            backends.add(row.backend());
            byId.computeIfAbsent(row.id(), _ -> new TreeMap<>())
                    .merge(row.backend(), row, HtmlReport::worse);
        }
        page.append("<h2>%s</h2>%n<table><tr><th>id</th>".formatted(escape(kind)));
        backends.forEach(backend -> page.append("<th>%s</th>".formatted(escape(backend))));
        page.append("</tr>\n");
        byId.forEach((id, cells) -> {
            page.append("<tr><td>%s</td>".formatted(escape(id)));
            backends.forEach(backend -> appendCell(page, cells.get(backend)));
            page.append("</tr>\n");
        });
        page.append("</table>\n");
    }

    private static Entry worse(Entry one, Entry other) {
        return one.result().equals("failed") ? one : other;
    }

    private static void appendCell(StringBuilder page, @Nullable Entry entry) {
        if (entry == null) {
            page.append("<td></td>");
            return;
        }
        page.append(
                "<td class=\"%s\">%s <small>%d ms%s</small>"
                        .formatted(
                                entry.result(),
                                entry.result(),
                                entry.millis(),
                                entry.seed().isEmpty() ? "" : ", seed " + escape(entry.seed())));
        if (!entry.reason().isEmpty()) {
            page.append("<pre>%s</pre>".formatted(escape(entry.reason())));
        }
        page.append("</td>");
    }

    private static String escape(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }
}
