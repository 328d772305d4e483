package org.gradwire.conformance.test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.conformance.flaws.Flaw;
import org.gradwire.conformance.flaws.Flaws;
import org.gradwire.conformance.flaws.KillMatrix;
import org.gradwire.conformance.harness.BackendUnderTest;
import org.gradwire.conformance.harness.ReportKeys;
import org.gradwire.conformance.rules.Rule;
import org.gradwire.conformance.rules.Rules;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * The kit itself is tested: each broken backend is caught by the rules it breaks, with a message
 * that names the rule, and each rule catches at least one. They wait more than they work, so
 * several run at a time.
 */
@Execution(ExecutionMode.CONCURRENT)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class BrokenBackendsTest {
    private static final int LEAST_FLAWS = 25;

    private final List<KillMatrix> matrices = new CopyOnWriteArrayList<>();

    @TestFactory
    Stream<DynamicTest> overInproc(TestReporter reporter) {
        return broken(Backends.inproc(), reporter);
    }

    @TestFactory
    Stream<DynamicTest> overTensorpipe(TestReporter reporter) {
        return broken(tensorpipe(), reporter);
    }

    static BackendUnderTest tensorpipe() {
        return Backends.tensorpipe()
                .withSettings(Map.of("gradwire.tensorpipe.connect-timeout", "2s"));
    }

    private Stream<DynamicTest> broken(BackendUnderTest backend, TestReporter reporter) {
        KillMatrix matrix = matrix(backend);
        matrices.add(matrix);
        return tests(matrix, backend, flaw -> !isAboutTheProcess(flaw), reporter);
    }

    /** {@return a test for each of some broken backends} */
    static Stream<DynamicTest> tests(
            KillMatrix matrix,
            BackendUnderTest backend,
            Predicate<Flaw> which,
            TestReporter reporter) {
        reporter.publishEntry(ReportKeys.BACKEND, backend.name());
        return Flaws.ALL.stream()
                .filter(which)
                .map(flaw ->
                        DynamicTest.dynamicTest(
                                "broken %s: is caught by %s".formatted(flaw, flaw.breaks()),
                                () -> run(matrix, flaw, reporter)));
    }

    /** {@return whether a broken backend is for {@link ProcessRulesTest}} */
    static boolean isAboutTheProcess(Flaw flaw) {
        return Rules.ALONE.stream().anyMatch(rule -> flaw.breaks().contains(rule.id()));
    }

    static KillMatrix matrix(BackendUnderTest backend) {
        return new KillMatrix(
                Backends.provider(backend),
                backend.withTimes(Duration.ofMillis(500), Duration.ofSeconds(2))
                        .withMaxMessageBytes(4 << 20)
                        .withCapabilities(backend.capabilities().withPorts(Flaw.PORT_KEY)));
    }

    private static void run(KillMatrix matrix, Flaw flaw, TestReporter reporter) {
        try {
            matrix.run(flaw);
        } finally {
            matrix.verdicts(flaw)
                    .forEach((rule, verdict) ->
                            reporter.publishEntry(
                                    ReportKeys.KILL + flaw + "." + rule, verdict.text()));
        }
    }

    @Test
    void thereAreEnoughOfThemAndEachIsNamedOnce() {
        Set<String> names = new HashSet<>();
        for (Flaw flaw : Flaws.ALL) {
            assertTrue(names.add(flaw.name()), flaw + " is there twice");
        }
        assertTrue(names.size() >= LEAST_FLAWS, "only " + names.size());
    }

    @AfterAll
    void everyRuleHasAKiller() {
        Set<String> killers = new HashSet<>();
        for (KillMatrix matrix : matrices) {
            killers.addAll(matrix.killers());
            matrix.lines().forEach(System.out::println);
        }
        if (matrices.isEmpty()) {
            return; // other tests of this class were run alone
        }
        List<String> without = new ArrayList<>(Rules.ALL.stream().map(Rule::id).toList());
        without.removeAll(killers);
        Rules.ALONE.forEach(rule -> without.remove(rule.id()));
        assertEquals(List.of(), without, "rules that catch no broken backend");
    }
}
