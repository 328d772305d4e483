package org.gradwire.conformance.test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.conformance.flaws.Flaw;
import org.gradwire.conformance.flaws.Flaws;
import org.gradwire.conformance.harness.BackendUnderTest;
import org.gradwire.conformance.rules.RecommendationException;
import org.gradwire.conformance.rules.Rule;
import org.gradwire.conformance.rules.Rules;
import org.gradwire.spi.BackendProvider;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/** What a backend SHOULD do: who does not gets a warning, and the project's own backends do it. */
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
                                                        rule.verify(
                                                                Backends.provider(backend),
                                                                backend))));
    }

    @TestFactory
    Stream<DynamicTest> whoDoesNotIsWarnedRatherThanFailed() {
        BackendUnderTest backend = Backends.inproc();
        return Flaws.ALL.stream()
                .filter(flaw -> Rules.of(flaw.breaks().getFirst()).isRecommendation())
                .map(flaw -> DynamicTest.dynamicTest(flaw.name(), () -> warns(flaw, backend)));
    }

    private static void warns(Flaw flaw, BackendUnderTest sound) {
        BackendUnderTest backend = sound.withTimes(Duration.ofMillis(500), sound.patience());
        BackendProvider broken = flaw.wrap().apply(Backends.provider(sound));
        for (String id : flaw.breaks()) {
            Rule rule = Rules.of(id);
            var warning =
                    assertThrows(RecommendationException.class, () -> rule.test(broken, backend));
            assertTrue(
                    warning.getMessage()
                            .startsWith("rule " + id + " is broken by backend 'inproc'"),
                    warning.getMessage());
        }
    }

    @Test
    void whatABackendMustDoStillFails() {
        BackendUnderTest backend = Backends.inproc();
        Flaw flaw =
                Flaws.ALL.stream()
                        .filter(known -> known.breaks().contains("INFO-1"))
                        .findFirst()
                        .orElseThrow();
        BackendProvider broken = flaw.wrap().apply(Backends.provider(backend));
        Rule rule = Rules.of("INFO-1");
        var failure = assertThrows(Throwable.class, () -> rule.test(broken, backend));
        assertEquals(AssertionError.class, failure.getClass());
    }
}
