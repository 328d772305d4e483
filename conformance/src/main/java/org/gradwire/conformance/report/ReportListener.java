package org.gradwire.conformance.report;

import org.gradwire.conformance.harness.Case;
import org.gradwire.conformance.harness.ReportKeys;
import org.gradwire.conformance.harness.SpecProperty;
import org.gradwire.conformance.rules.RecommendationException;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.reporting.ReportEntry;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Method;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Writes down what JUnit and jqwik ran: a line for each test that stands for a rule, a case, a
 * property or a broken backend. Nothing is in the report that did not run or was not skipped.
 *
 * <p>Files go to the path in system property {@code conformance.report}, by default {@code
 * target/conformance-report.json}, and the page beside it. JUnit makes the listener; the public
 * constructor is there for it.
 */
public final class ReportListener implements TestExecutionListener {
    static final String PATH = "conformance.report";

    /** Tests that are made while the plan runs say what they are in their names. */
    private static final Pattern DYNAMIC = Pattern.compile("^(rule|broken) ([^:]+): ?(.*)");

    private final Instant start = Instant.now();
    private final Map<String, Long> started = new ConcurrentHashMap<>();
    private final Map<String, Map<String, String>> published = new ConcurrentHashMap<>();
    private final List<Ended> ended = new ArrayList<>(); // guarded by this

    /** A test that has ended. What it said of itself may come a little later: jqwik does so. */
    private record Ended(TestIdentifier test, String result, String reason, long millis) {}

    /** For the ServiceLoader. */
    public ReportListener() {}

    @Override
    public void executionStarted(TestIdentifier test) {
        started.put(test.getUniqueId(), System.nanoTime());
    }

    @Override
    public void reportingEntryPublished(TestIdentifier test, ReportEntry entry) {
        published
                .computeIfAbsent(test.getUniqueId(), _ -> new ConcurrentHashMap<>())
                .putAll(entry.getKeyValuePairs());
    }

    @Override
    public void executionSkipped(TestIdentifier test, String reason) {
        add(test, "skipped", reason);
    }

    @Override
    public void executionFinished(TestIdentifier test, TestExecutionResult result) {
        String reason = result.getThrowable().map(String::valueOf).orElse("");
        switch (result.getStatus()) {
            case SUCCESSFUL -> add(test, "passed", "");
            case ABORTED -> add(test, aborted(result), reason);
            case FAILED -> add(test, "failed", reason);
        }
    }

    /** {@return what it means that a test was aborted} */
    private static String aborted(TestExecutionResult result) {
        return result.getThrowable().filter(RecommendationException.class::isInstance).isPresent()
                ? "warning"
                : "skipped";
    }

    private void add(TestIdentifier test, String result, String reason) {
        long start = started.getOrDefault(test.getUniqueId(), System.nanoTime());
        long millis = (System.nanoTime() - start) / 1_000_000;
        synchronized (this) {
            ended.add(new Ended(test, result, reason, millis));
        }
    }

    /** {@return the line of a test; empty for a container, and for a test of something else} */
    private Optional<Entry> entry(Ended end) {
        Map<String, String> said =
                new HashMap<>(published.getOrDefault(end.test.getUniqueId(), Map.of()));
        describe(end.test, said);
        String id = said.get(ReportKeys.ID);
        String kind = said.get(ReportKeys.KIND);
        if (id == null || kind == null) {
            return Optional.empty();
        }
        return Optional.of(
                new Entry(
                        said.getOrDefault(ReportKeys.BACKEND, ""),
                        id,
                        kind,
                        title(end.test),
                        end.result,
                        end.reason,
                        said.getOrDefault(ReportKeys.SEED, ""),
                        end.millis));
    }

    /** {@return what a test says of itself: its text, or the words of its method's name} */
    private static String title(TestIdentifier test) {
        Matcher dynamic = DYNAMIC.matcher(test.getDisplayName());
        return dynamic.find()
                ? dynamic.group(3)
                : test.getDisplayName()
                        .replaceFirst("\\(.*", "")
                        .replaceAll("([a-z0-9])([A-Z])", "$1 $2")
                        .replace("_", ", ")
                        .toLowerCase(Locale.ROOT);
    }

    /** {@return what tests said of rules that met broken backends} */
    private List<Kill> kills() {
        List<Kill> kills = new ArrayList<>();
        for (Map<String, String> said : published.values()) {
            String backend = said.getOrDefault(ReportKeys.BACKEND, "");
            said.forEach((key, verdict) -> {
                if (key.startsWith(ReportKeys.KILL)) {
                    String[] names = key.substring(ReportKeys.KILL.length()).split("\\.", 2);
                    kills.add(new Kill(backend, names[0], names[names.length - 1], verdict));
                }
            });
        }
        kills.sort(
                Comparator.comparing(Kill::backend)
                        .thenComparing(Kill::flaw)
                        .thenComparing(Kill::rule));
        return kills;
    }

    private void describe(TestIdentifier test, Map<String, String> said) {
        Matcher dynamic = DYNAMIC.matcher(test.getDisplayName());
        if (dynamic.find()) {
            said.putIfAbsent(ReportKeys.KIND, dynamic.group(1));
            said.putIfAbsent(ReportKeys.ID, dynamic.group(2));
            test.getParentId()
                    .map(published::get)
                    .ifPresent(parent -> parent.forEach(said::putIfAbsent));
        }
        Optional<Method> method =
                test.getSource()
                        .filter(MethodSource.class::isInstance)
                        .map(source -> ((MethodSource) source).getJavaMethod());
        method.map(m -> m.getAnnotation(Case.class))
                .ifPresent(annotation -> {
                    said.putIfAbsent(ReportKeys.ID, annotation.value());
                    said.putIfAbsent(ReportKeys.KIND, Kind.CASE.text());
                });
        method.map(m -> m.getAnnotation(SpecProperty.class))
                .ifPresent(annotation -> {
                    said.putIfAbsent(ReportKeys.ID, annotation.value());
                    said.putIfAbsent(ReportKeys.KIND, Kind.PROPERTY.text());
                });
    }

    @Override
    public synchronized void testPlanExecutionFinished(TestPlan plan) {
        List<Entry> entries = ended.stream().flatMap(end -> entry(end).stream()).toList();
        if (entries.isEmpty()) {
            return;
        }
        var report = new Report(Run.ended(start), entries, kills());
        Path json = Path.of(System.getProperty(PATH, "target/conformance-report.json"));
        try {
            Path page = report.write(json);
            report.warnings().forEach(System.out::println);
            report.backends().forEach(name -> System.out.println(report.summary(name, page)));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write the conformance report " + json, e);
        }
    }
}
