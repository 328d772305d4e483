package org.gradwire.conformance.report;

import static org.gradwire.conformance.report.Html.escape;
import static org.gradwire.conformance.report.Html.time;

import org.gradwire.conformance.rules.Seed;
import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The report as an HTML page: failures first, then a table for each kind with a row for each id and
 * a column for each backend, then the kill matrices.
 */
final class HtmlReport {
    private static final List<String> WORST_FIRST =
            List.of("failed", "warning", "skipped", "passed");

    private final StringBuilder page = new StringBuilder(Html.HEAD);
    private final Report report;

    private HtmlReport(Report report) {
        this.report = report;
    }

    static String of(Report report) {
        var html = new HtmlReport(report);
        html.appendRun();
        html.appendCards();
        html.appendFindings("Failed", "failed");
        html.appendFindings("Warnings: recommendations that are not kept", "warning");
        for (Kind kind : Kind.values()) {
            html.appendTable(kind);
        }
        html.appendSkipped();
        html.page.append(MatrixTable.of(report.kills()));
        return html.page.append(Html.TAIL).toString();
    }

    private void appendRun() {
        Run run = report.run();
        page.append("<h1>Gradwire conformance report</h1>\n");
        page.append(
                "<p class=soft>Gradwire %s · Java %s · %s, %d processors<br>%s, took %s · seed of the rules %d%s</p>%n"
                        .formatted(
                                escape(run.gradwire()),
                                escape(run.jdk()),
                                escape(run.os()),
                                run.processors(),
                                run.started(),
                                time(run.took().toMillis()),
                                Seed.get(),
                                run.kitSettings().isEmpty()
                                        ? ""
                                        : " · " + escape(run.kitSettings().toString())));
    }

    private void appendCards() {
        page.append("<div class=cards>\n");
        for (String backend : report.backends()) {
            List<Entry> own = report.of(backend);
            page.append(
                    "<div class=\"card %s\"><b>%s</b><ul>"
                            .formatted(
                                    Report.count(own, "failed") > 0 ? "failed" : "passed",
                                    escape(backend.isEmpty() ? "(no backend)" : backend)));
            for (String result : List.of("passed", "failed", "warning", "skipped")) {
                long count = Report.count(own, result);
                if (count > 0) {
                    page.append("<li class=%s>%d %s</li>".formatted(result, count, result));
                }
            }
            page.append(
                    "<li><small>%s of tests</small></li></ul></div>%n"
                            .formatted(time(own.stream().mapToLong(Entry::millis).sum())));
        }
        page.append("</div>\n");
    }

    private void appendFindings(String heading, String result) {
        List<Entry> findings = report.with(result);
        if (findings.isEmpty()) {
            return;
        }
        page.append("<h2 class=%s>%s</h2>%n".formatted(result, heading));
        for (Entry entry : findings) {
            page.append(
                    "<div class=\"finding %s\"><b>%s</b> over <b>%s</b>%s<pre>%s</pre></div>%n"
                            .formatted(
                                    result,
                                    escape(entry.id()),
                                    escape(entry.backend()),
                                    entry.seed().isEmpty() ? "" : ", seed " + escape(entry.seed()),
                                    escape(Report.plain(entry.reason()))));
        }
    }

    private void appendTable(Kind kind) {
        Map<String, Map<String, Entry>> byId = new TreeMap<>(Report.ORDER);
        Map<String, String> titles = new TreeMap<>();
        for (Entry entry : report.entries()) {
            if (entry.is(kind)) {
                byId.computeIfAbsent(entry.id(), _ -> new TreeMap<>())
                        .merge(entry.backend(), entry, HtmlReport::worse);
                titles.putIfAbsent(entry.id(), entry.title());
            }
        }
        if (byId.isEmpty()) {
            return;
        }
        List<String> backends =
                report.backends().stream()
                        .filter(name -> byId.values().stream().anyMatch(c -> c.containsKey(name)))
                        .toList();
        page.append(
                "<details%s><summary>%s <small>%d</small></summary>%n<div class=wide><table><tr><th>id</th>"
                        .formatted(kind == Kind.RULE ? " open" : "", kind.heading(), byId.size()));
        backends.forEach(backend -> page.append("<th>%s</th>".formatted(escape(backend))));
        page.append("<th></th></tr>\n");
        byId.forEach((id, cells) -> {
            page.append("<tr><td class=id>%s</td>".formatted(escape(id)));
            backends.forEach(backend -> appendCell(cells.get(backend)));
            page.append(
                    "<td class=text>%s</td></tr>%n".formatted(escape(titles.getOrDefault(id, ""))));
        });
        page.append("</table></div></details>\n");
    }

    private static Entry worse(Entry one, Entry other) {
        return WORST_FIRST.indexOf(one.result()) <= WORST_FIRST.indexOf(other.result())
                ? one
                : other;
    }

    private void appendCell(@Nullable Entry entry) {
        if (entry == null) {
            page.append("<td></td>");
            return;
        }
        String seed = entry.seed().isEmpty() ? "" : ", seed " + escape(entry.seed());
        page.append(
                "<td class=%s title=\"%s\">%s <small>%s%s</small></td>"
                        .formatted(
                                entry.result(),
                                escape(Report.plain(entry.reason())),
                                mark(entry.result()),
                                entry.result().equals("passed") ? time(entry.millis()) : "",
                                seed));
    }

    private static String mark(String result) {
        return switch (result) {
            case "passed" -> "✓";
            case "failed" -> "✗ failed";
            case "warning" -> "! warning";
            default -> "skipped";
        };
    }

    private void appendSkipped() {
        page.append("<h2>Skipped, and why</h2>\n");
        boolean isAny = false;
        for (String backend : report.backends()) {
            for (var skipped : Report.skipped(report.of(backend)).entrySet()) {
                isAny = true;
                page.append(
                        "<p><b>%s</b>: %s <span class=soft>— %s</span></p>%n"
                                .formatted(
                                        escape(backend),
                                        escape(skipped.getKey()),
                                        escape(String.join(", ", skipped.getValue()))));
            }
        }
        page.append(isAny ? "" : "<p>Nothing was skipped.</p>\n");
    }
}
