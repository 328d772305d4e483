package org.gradwire.conformance.test;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.conformance.harness.BackendUnderTest;
import org.gradwire.conformance.mutants.Mutant;
import org.gradwire.conformance.mutants.Mutants;
import org.gradwire.conformance.rules.Rule;
import org.gradwire.conformance.rules.RuleVerifier;
import org.gradwire.conformance.rules.Rules;
import org.gradwire.conformance.rules.Seed;
import org.gradwire.spi.BackendProvider;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

import java.time.Duration;
import java.util.stream.Stream;

/** Tests that a rule which fails because another one is broken names that one. */
class DiagnosisTest {
    private static final BackendUnderTest BACKEND =
            Backends.inproc().withTimes(Duration.ofMillis(500), Duration.ofSeconds(2));

    private static BackendProvider broken(String name) {
        Mutant mutant =
                Mutants.ALL.stream()
                        .filter(known -> known.name().equals(name))
                        .findFirst()
                        .orElseThrow();
        return mutant.wrap().apply(Backends.provider(BACKEND));
    }

    private static String finding(String id, String mutant) {
        Rule rule = Rules.of(id);
        var failure =
                assertThrows(
                        AssertionError.class,
                        () -> RuleVerifier.verify(rule, broken(mutant), BACKEND));
        return String.valueOf(failure.getMessage());
    }

    @Test
    void lostRepliesAreNoMatterOfThreads() {
        String finding = finding("SEND-8", "LOSES_A_REPLY");
        assertTrue(
                finding.startsWith(
                        "rule SEND-8 cannot be checked, as rule SEND-1 is broken by backend 'inproc'"),
                finding);
        assertTrue(finding.contains("look for: " + Rules.of("SEND-1").hint()), finding);
    }

    @Test
    void lostRepliesAreNoMatterOfIds() {
        String finding = finding("SEND-9", "LOSES_A_REPLY");
        assertTrue(
                finding.startsWith("rule SEND-9 cannot be checked, as rule SEND-1 is broken"),
                finding);
    }

    @Test
    void lostRepliesAreNoMatterOfOrder() {
        BackendProvider broken = broken("LOSES_A_REPLY");
        assertDoesNotThrow(() -> RuleVerifier.verify(Rules.of("ORDER-1"), broken, BACKEND));
    }

    @Test
    void oneThreadAtATimeIsAMatterOfThreads() {
        String finding = finding("SEND-8", "IS_FOR_ONE_THREAD");
        assertTrue(finding.startsWith("rule SEND-8 is broken by backend 'inproc'"), finding);
    }

    @TestFactory
    Stream<DynamicTest> deadlinesThatAreIgnoredAreAMatterOfDeadlines() {
        return Stream.of("TIME-2", "TIME-3", "TIME-4", "SEND-9")
                .map(id -> DynamicTest.dynamicTest(id, () -> assertBlamesDeadlines(id)));
    }

    private static void assertBlamesDeadlines(String id) {
        String finding = finding(id, "IGNORES_THE_DEADLINE");
        assertTrue(
                finding.startsWith(
                        "rule %s cannot be checked, as rule TIME-1 is broken by backend 'inproc'"
                                .formatted(id)),
                finding);
        assertTrue(finding.contains("look for: " + Rules.of("TIME-1").hint()), finding);
    }

    @Test
    void someDeadlinesThatAreIgnoredAreAMatterOfTheirKind() {
        String finding = finding("TIME-4", "IGNORES_DEADLINES_TO_ITSELF");
        assertTrue(finding.startsWith("rule TIME-4 is broken by backend 'inproc'"), finding);
    }

    @Test
    void aFindingSaysHowToSeeItAgain() {
        String finding = finding("SIZE-3", "COUNTS_BUFFERS_IN_A_BYTE");
        assertTrue(finding.contains("again: -D" + Seed.KEY + "=" + Seed.get()), finding);
    }
}
