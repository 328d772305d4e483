package org.gradwire.conformance.report;

import static org.gradwire.conformance.report.Html.escape;

import org.gradwire.conformance.rules.Rule;
import org.gradwire.conformance.rules.Rules;
import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The kill matrices: a row for each mutant, a column for each rule. */
final class MatrixTable {
    private MatrixTable() {}

    static String of(List<Kill> kills) {
        if (kills.isEmpty()) {
            return "";
        }
        var html =
                new StringBuilder(
                        """
                        <h2>Kill matrix</h2>
                        <p>Each row is a mutant, a backend that is broken on purpose; each column is a rule. <span class=caught>&nbsp;●&nbsp;</span> the rule killed it,
                        <span class="passed-on">○</span> it survived the rule, ◐ the rule blamed another rule, – the rule does not apply to this backend, empty: not run.</p>
                        """);
        Map<String, Map<String, Map<String, String>>> byBackend = new TreeMap<>();
        for (Kill kill : kills) {
            byBackend
                    .computeIfAbsent(kill.backend(), _ -> new TreeMap<>(Report.ORDER))
                    .computeIfAbsent(kill.mutant(), _ -> new TreeMap<>())
                    .put(kill.rule(), kill.verdict());
        }
        byBackend.forEach((backend, rows) -> append(html, backend, rows));
        return html.toString();
    }

    private static void append(
            StringBuilder html, String backend, Map<String, Map<String, String>> rows) {
        html.append("<h3>over %s</h3>%n".formatted(escape(backend)));
        html.append("<div class=wide><table class=matrix><tr><th class=id></th>");
        for (Rule rule : Rules.ALL) {
            html.append(
                    "<th class=rule title=\"%s\">%s</th>"
                            .formatted(escape(rule.text()), rule.id()));
        }
        html.append("</tr>\n");
        rows.forEach((mutant, verdicts) -> {
            html.append("<tr><td class=id>%s</td>".formatted(escape(mutant)));
            Rules.ALL.forEach(rule -> html.append(cell(verdicts.get(rule.id()))));
            html.append("</tr>\n");
        });
        html.append("</table></div>\n");
    }

    private static String cell(@Nullable String verdict) {
        return switch (verdict) {
            case "caught" -> "<td class=caught>●</td>";
            case "passed" -> "<td class=\"passed-on\">○</td>";
            case "blamed" -> "<td class=\"passed-on\">◐</td>";
            case "skipped" -> "<td>–</td>";
            case null, default -> "<td class=none></td>";
        };
    }
}
