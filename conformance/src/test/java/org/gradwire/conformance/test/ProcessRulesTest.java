package org.gradwire.conformance.test;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.gradwire.conformance.harness.BackendUnderTest;
import org.gradwire.conformance.harness.ReportKeys;
import org.gradwire.conformance.mutants.KillMatrix;
import org.gradwire.conformance.rules.Rule;
import org.gradwire.conformance.rules.RuleVerifier;
import org.gradwire.conformance.rules.Rules;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.parallel.Isolated;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** Runs the rules that measure the whole process, and the mutants that break them. */
@Isolated
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ProcessRulesTest {
    private final List<KillMatrix> matrices = new ArrayList<>();

    @TestFactory
    @Tag("rules")
    Stream<DynamicTest> inproc(TestReporter reporter) {
        return rules(new InprocConformanceTest().backend(), reporter);
    }

    @TestFactory
    @Tag("rules")
    Stream<DynamicTest> faulty(TestReporter reporter) {
        return rules(new FaultyConformanceTest().backend(), reporter);
    }

    @TestFactory
    @Tag("rules")
    Stream<DynamicTest> tensorpipe(TestReporter reporter) {
        return rules(new TensorpipeConformanceTest().backend(), reporter);
    }

    @TestFactory
    @Tag("rules")
    Stream<DynamicTest> netty(TestReporter reporter) {
        return rules(new NettyConformanceTest().backend(), reporter);
    }

    private static Stream<DynamicTest> rules(BackendUnderTest backend, TestReporter reporter) {
        reporter.publishEntry(ReportKeys.BACKEND, backend.name());
        return Rules.ALONE.stream()
                .map(rule ->
                        DynamicTest.dynamicTest(
                                "rule " + rule.id() + ": " + rule.text(),
                                () ->
                                        RuleVerifier.test(
                                                rule, Backends.provider(backend), backend)));
    }

    @TestFactory
    Stream<DynamicTest> brokenOverInproc(TestReporter reporter) {
        return broken(Backends.inproc(), reporter);
    }

    @TestFactory
    Stream<DynamicTest> brokenOverTensorpipe(TestReporter reporter) {
        return broken(Backends.tensorpipe(), reporter);
    }

    private Stream<DynamicTest> broken(BackendUnderTest backend, TestReporter reporter) {
        KillMatrix matrix = BrokenBackendsTest.matrix(backend);
        matrices.add(matrix);
        return BrokenBackendsTest.tests(
                matrix, backend, BrokenBackendsTest::isAboutTheProcess, reporter);
    }

    @AfterAll
    void everyRuleHasAKiller() {
        Set<String> killers = new HashSet<>();
        matrices.forEach(matrix -> killers.addAll(matrix.killers()));
        if (!matrices.isEmpty()) {
            List<String> without = new ArrayList<>(Rules.ALONE.stream().map(Rule::id).toList());
            without.removeAll(killers);
            assertEquals(List.of(), without, "rules that kill no mutant");
        }
    }
}
