package org.gradwire.conformance.test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.conformance.harness.BackendUnderTest;
import org.gradwire.conformance.mutants.Mutant;
import org.gradwire.conformance.mutants.Mutants;
import org.gradwire.conformance.rules.RecommendationException;
import org.gradwire.conformance.rules.Rule;
import org.gradwire.conformance.rules.RuleVerifier;
import org.gradwire.conformance.rules.Rules;
import org.gradwire.spi.BackendProvider;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/**
 * Tests that a backend which breaks a SHOULD rule gets a warning, and that the project's backends
 * keep these rules.
 */
class RecommendationTest {
    private static List<Rule> recommendations() {
        List<Rule> rules = Rules.ALL.stream().filter(Rule::isRecommendation).toList();
        assertTrue(rules.size() >= 4, () -> "only " + rules);
        return rules;
    }

    @TestFactory
    Stream<DynamicTest> ownBackendsKeepThem() {
        return Stream.of(Backends.inproc(), Backends.netty(), Backends.tensorpipe())
                .flatMap(backend ->
                        recommendations().stream()
                                .map(rule ->
                                        DynamicTest.dynamicTest(
                                                rule.id() + " over " + backend.name(),
                                                () ->
                                                        RuleVerifier.verify(
                                                                rule,
                                                                Backends.provider(backend),
                                                                backend))));
    }

    @TestFactory
    Stream<DynamicTest> whoDoesNotIsWarnedRatherThanFailed() {
        BackendUnderTest backend = Backends.inproc();
        return Mutants.ALL.stream()
                .filter(mutant -> Rules.of(mutant.breaks().getFirst()).isRecommendation())
                .map(mutant ->
                        DynamicTest.dynamicTest(mutant.name(), () -> warns(mutant, backend)));
    }

    private static void warns(Mutant mutant, BackendUnderTest sound) {
        BackendUnderTest backend = sound.withTimes(Duration.ofMillis(500), sound.patience());
        BackendProvider broken = mutant.wrap().apply(Backends.provider(sound));
        for (String id : mutant.breaks()) {
            Rule rule = Rules.of(id);
            var warning =
                    assertThrows(
                            RecommendationException.class,
                            () -> RuleVerifier.test(rule, broken, backend));
            assertTrue(
                    warning.getMessage()
                            .startsWith("rule " + id + " is broken by backend 'inproc'"),
                    warning.getMessage());
        }
    }

    @Test
    void whatABackendMustDoStillFails() {
        BackendUnderTest backend = Backends.inproc();
        Mutant mutant =
                Mutants.ALL.stream()
                        .filter(known -> known.breaks().contains("INFO-1"))
                        .findFirst()
                        .orElseThrow();
        BackendProvider broken = mutant.wrap().apply(Backends.provider(backend));
        Rule rule = Rules.of("INFO-1");
        var failure = assertThrows(Throwable.class, () -> RuleVerifier.test(rule, broken, backend));
        assertEquals(AssertionError.class, failure.getClass());
    }
}
