package org.gradwire.conformance.report;

import org.gradwire.conformance.harness.ReportKeys;
import org.gradwire.conformance.rules.RecommendationException;
import org.jspecify.annotations.Nullable;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.reporting.ReportEntry;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Writes the report of a run of JUnit and jqwik: a line for each test, and one for each class or
 * test factory that failed as a whole. The sums equal JUnit's. A run may have several test plans,
 * as Surefire makes one for each class where it forks; the report then grows with each.
 *
 * <p>System property {@code conformance.report} sets the file, by default {@code
 * target/conformance-report.ndjson}; the page is written next to it. JUnit instantiates the
 * listener through its public constructor.
 */
public final class ReportListener implements TestExecutionListener {
    static final String PATH = "conformance.report";

    private final Instant start = Instant.now();
    private final Map<String, Long> started = new ConcurrentHashMap<>();
    private final Map<String, Map<String, String>> published = new ConcurrentHashMap<>();
    private final List<Ended> ended = new ArrayList<>(); // of this plan; guarded by this
    private final List<Entry> entries = new ArrayList<>(); // of finished plans; guarded by this
    private volatile @Nullable TestPlan plan;

    /** A finished test. Its entries may be published later: jqwik does so. */
    private record Ended(TestIdentifier test, String result, String reason, long millis) {}

    /** For the ServiceLoader. */
    public ReportListener() {}

    @Override
    public void testPlanExecutionStarted(TestPlan newPlan) {
        plan = newPlan;
    }

    private TestPlan plan() {
        return Objects.requireNonNull(plan, "JUnit has not started a test plan");
    }

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
        if (test.isTest()) {
            add(test, "skipped", reason);
        }
        plan().getDescendants(test).stream()
                .filter(TestIdentifier::isTest)
                .forEach(within -> add(within, "skipped", reason));
    }

    @Override
    public void executionFinished(TestIdentifier test, TestExecutionResult result) {
        String reason = result.getThrowable().map(String::valueOf).orElse("");
        switch (result.getStatus()) {
            case SUCCESSFUL -> {
                if (test.isTest()) {
                    add(test, "passed", "");
                }
            }
            case ABORTED -> add(test, aborted(result), reason);
            case FAILED -> add(test, "failed", reason);
        }
    }

    /** {@return the result of an aborted test: a warning or a skip} */
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

    private Entry entry(Ended end, TestNames names) {
        Map<String, String> said =
                new HashMap<>(published.getOrDefault(end.test.getUniqueId(), Map.of()));
        end.test
                .getParentId()
                .map(published::get)
                .ifPresent(parent -> parent.forEach(said::putIfAbsent));
        names.describe(end.test, said);
        return new Entry(
                said.getOrDefault(ReportKeys.BACKEND, ""),
                said.getOrDefault(ReportKeys.ID, ""),
                said.getOrDefault(ReportKeys.KIND, ""),
                TestNames.title(end.test),
                end.result,
                end.reason,
                said.getOrDefault(ReportKeys.SEED, ""),
                end.millis);
    }

    /** {@return the verdicts of rules on mutants, from the published entries} */
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
                        .thenComparing(Kill::mutant)
                        .thenComparing(Kill::rule));
        return kills;
    }

    @Override
    public synchronized void testPlanExecutionFinished(TestPlan finished) {
        if (ended.isEmpty()) {
            return;
        }
        var names = new TestNames(finished);
        ended.forEach(end -> entries.add(entry(end, names)));
        ended.clear();
        var report = new Report(Run.ended(start), List.copyOf(entries), kills());
        Path lines = Path.of(System.getProperty(PATH, "target/conformance-report.ndjson"));
        try {
            Path page = report.write(lines);
            report.warnings().forEach(System.out::println);
            report.backends().forEach(name -> System.out.println(report.summary(name)));
            System.out.println(report.total(page));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write the conformance report " + lines, e);
        }
    }
}
