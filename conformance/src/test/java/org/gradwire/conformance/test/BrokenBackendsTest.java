package org.gradwire.conformance.test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.conformance.harness.BackendUnderTest;
import org.gradwire.conformance.harness.ReportKeys;
import org.gradwire.conformance.mutants.KillMatrix;
import org.gradwire.conformance.mutants.Mutant;
import org.gradwire.conformance.mutants.Mutants;
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
 * Tests the kit: each rule that a mutant breaks kills it, with a message that names the rule, and
 * each rule kills at least one mutant. Runs several mutants at a time, since they mostly wait.
 */
@Execution(ExecutionMode.CONCURRENT)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class BrokenBackendsTest {
    private static final int MIN_MUTANTS = 25;

    private final List<KillMatrix> matrices = new CopyOnWriteArrayList<>();

    @TestFactory
    Stream<DynamicTest> overInproc(TestReporter reporter) {
        return broken(Backends.inproc(), reporter);
    }

    @TestFactory
    Stream<DynamicTest> overTensorpipe(TestReporter reporter) {
        return broken(Backends.tensorpipe(), reporter);
    }

    private Stream<DynamicTest> broken(BackendUnderTest backend, TestReporter reporter) {
        KillMatrix matrix = matrix(backend);
        matrices.add(matrix);
        return tests(matrix, backend, mutant -> !isAboutTheProcess(mutant), reporter);
    }

    /** {@return a test for each selected mutant} */
    static Stream<DynamicTest> tests(
            KillMatrix matrix,
            BackendUnderTest backend,
            Predicate<Mutant> which,
            TestReporter reporter) {
        reporter.publishEntry(ReportKeys.BACKEND, backend.name());
        return Mutants.ALL.stream()
                .filter(which)
                .map(mutant ->
                        DynamicTest.dynamicTest(
                                "broken %s: is caught by %s".formatted(mutant, mutant.breaks()),
                                () -> run(matrix, mutant, reporter)));
    }

    /** {@return whether a mutant belongs to {@link ProcessRulesTest}} */
    static boolean isAboutTheProcess(Mutant mutant) {
        return Rules.ALONE.stream().anyMatch(rule -> mutant.breaks().contains(rule.id()));
    }

    static KillMatrix matrix(BackendUnderTest backend) {
        BackendUnderTest broken =
                backend.withMaxMessageBytes(4 << 20)
                        .withCapabilities(backend.capabilities().withPorts(Mutant.PORT_KEY));
        BackendUnderTest hurried =
                broken.withTimes(Duration.ofMillis(500), Duration.ofSeconds(2))
                        .withSettings(Map.of("gradwire.tensorpipe.connect-timeout", "2s"));
        return new KillMatrix(Backends.provider(backend), broken, hurried);
    }

    private static void run(KillMatrix matrix, Mutant mutant, TestReporter reporter) {
        try {
            matrix.run(mutant);
        } finally {
            matrix.verdicts(mutant)
                    .forEach((rule, verdict) ->
                            reporter.publishEntry(
                                    ReportKeys.KILL + mutant + "." + rule, verdict.text()));
        }
    }

    @Test
    void thereAreEnoughOfThemAndEachIsNamedOnce() {
        Set<String> names = new HashSet<>();
        for (Mutant mutant : Mutants.ALL) {
            assertTrue(names.add(mutant.name()), mutant + " is defined twice");
        }
        assertTrue(names.size() >= MIN_MUTANTS, "only " + names.size());
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
        assertEquals(List.of(), without, "rules that kill no mutant");
    }
}
