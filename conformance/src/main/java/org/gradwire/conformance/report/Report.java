package org.gradwire.conformance.report;

import org.gradwire.conformance.mutants.Mutants;
import org.gradwire.conformance.rules.Rule;
import org.gradwire.conformance.rules.Rules;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The results of a run. */
record Report(Run run, List<Entry> entries, List<Kill> kills) {
    private static final List<String> KNOWN =
            Stream.concat(
                            Rules.ALL.stream().map(Rule::id),
                            Mutants.ALL.stream().map(mutant -> mutant.name()))
                    .toList();

    /** The order of ids: rules and mutants in the order of their lists, all others by name. */
    static final Comparator<String> ORDER =
            Comparator.<String>comparingInt(KNOWN::indexOf)
                    .thenComparing(Comparator.naturalOrder());

    /** {@return the names of the backends, sorted} */
    List<String> backends() {
        return List.copyOf(
                entries.stream()
                        .map(Entry::backend)
                        .collect(Collectors.toCollection(TreeSet::new)));
    }

    List<Entry> of(String backend) {
        return entries.stream().filter(entry -> entry.backend().equals(backend)).toList();
    }

    /** {@return the number of entries with a result, by kind} */
    static long count(List<Entry> entries, String result) {
        return entries.stream().filter(entry -> entry.result().equals(result)).count();
    }

    /** {@return the ids of a backend's skipped tests, by reason} */
    static Map<String, List<String>> skipped(List<Entry> entries) {
        Map<String, List<String>> ids = new TreeMap<>();
        for (Entry entry : entries) {
            if (entry.result().equals("skipped")) {
                ids.computeIfAbsent(plain(entry.reason()), _ -> new ArrayList<>()).add(entry.id());
            }
        }
        return ids;
    }

    /** {@return a reason without the name of its exception} */
    static String plain(String reason) {
        return reason.replaceFirst("^[\\w.]+(?:Exception|Error): (?:Assumption failed: )?", "");
    }

    /** {@return the entries with a result} */
    List<Entry> with(String result) {
        return entries.stream().filter(entry -> entry.result().equals(result)).toList();
    }

    /** {@return a console line for each broken recommendation and backend} */
    List<String> warnings() {
        return with("warning").stream()
                .map(entry -> "conformance warning: " + plain(entry.reason()))
                .toList();
    }

    /** {@return the console line for a backend} */
    String summary(String backend) {
        List<Entry> own = of(backend);
        String kinds =
                Arrays.stream(Kind.values())
                        .map(kind -> counted(kind, own))
                        .filter(text -> !text.isEmpty())
                        .collect(Collectors.joining(", "));
        return "conformance of %s: %s; %s"
                .formatted(backend.isEmpty() ? "no named backend" : backend, kinds, results(own));
    }

    /** {@return the console line for all tests, whose sums equal JUnit's} */
    String total(Path page) {
        return "conformance: %d tests in all; %s; report in %s"
                .formatted(entries.size(), results(entries), page);
    }

    private static String results(List<Entry> entries) {
        return "%d passed, %d failed, %d with a warning, %d skipped"
                .formatted(
                        count(entries, "passed"),
                        count(entries, "failed"),
                        count(entries, "warning"),
                        count(entries, "skipped"));
    }

    private static String counted(Kind kind, List<Entry> own) {
        long ids = own.stream().filter(entry -> entry.is(kind)).map(Entry::id).distinct().count();
        return ids == 0 ? "" : ids + " " + kind.plural();
    }

    /** Write the NDJSON file, and the page next to it; {@return the page} */
    Path write(Path ndjson) throws IOException {
        Path folder = ndjson.toAbsolutePath().getParent();
        if (folder != null) {
            Files.createDirectories(folder);
        }
        Stream<String> lines =
                Stream.of(
                                Stream.of(run.toJson()),
                                entries.stream().map(Entry::toJson),
                                kills.stream().map(Kill::toJson))
                        .flatMap(part -> part);
        Files.write(ndjson, lines.toList());
        String name = ndjson.getFileName().toString().replaceFirst("\\.(nd)?json$", "") + ".html";
        Path page = ndjson.resolveSibling(name);
        Files.writeString(page, HtmlReport.of(this));
        return page;
    }
}
