package org.gradwire.conformance.report;

import org.gradwire.conformance.harness.Case;
import org.gradwire.conformance.harness.ReportKeys;
import org.gradwire.conformance.harness.SpecProperty;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.reporting.ReportEntry;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
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
    private static final String PATH = "conformance.report";

    /** Tests that are made while the plan runs say what they are in their names. */
    private static final Pattern DYNAMIC = Pattern.compile("^(rule|broken) ([^:]+):");

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
            case ABORTED -> add(test, "skipped", reason);
            case FAILED -> add(test, "failed", reason);
        }
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
        String backend = said.getOrDefault(ReportKeys.BACKEND, "");
        String seed = said.getOrDefault(ReportKeys.SEED, "");
        return Optional.of(new Entry(backend, id, kind, end.result, end.reason, seed, end.millis));
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
        Path json = Path.of(System.getProperty(PATH, "target/conformance-report.json"));
        try {
            if (json.toAbsolutePath().getParent() != null) {
                Files.createDirectories(json.toAbsolutePath().getParent());
            }
            Files.write(json, entries.stream().map(Entry::toJson).toList());
            String page = json.getFileName().toString().replaceFirst("\\.json$", "") + ".html";
            Files.writeString(json.resolveSibling(page), HtmlReport.of(entries));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write the conformance report " + json, e);
        }
        long failed = entries.stream().filter(entry -> entry.result().equals("failed")).count();
        long skipped = entries.stream().filter(entry -> entry.result().equals("skipped")).count();
        System.out.printf(
                "conformance: %d passed, %d failed, %d skipped; report in %s%n",
                entries.size() - failed - skipped, failed, skipped, json);
    }
}
