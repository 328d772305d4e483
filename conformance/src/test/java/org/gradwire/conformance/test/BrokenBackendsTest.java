package org.gradwire.conformance.test;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.conformance.harness.BackendUnderTest;
import org.gradwire.conformance.harness.ReportKeys;
import org.gradwire.conformance.rules.Flaw;
import org.gradwire.conformance.rules.Rule;
import org.gradwire.conformance.rules.Rules;
import org.gradwire.spi.AgentContext;
import org.gradwire.spi.BackendProvider;
import org.gradwire.spi.RpcAgent;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestReporter;

import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.stream.Stream;

/**
 * The kit itself is tested: each broken backend is caught by the rule it breaks, with a message
 * that names the rule.
 */
class BrokenBackendsTest {

    private record BrokenBackend(Flaw flaw, BackendProvider sound) implements BackendProvider {
        @Override
        public String name() {
            return "broken";
        }

        @Override
        public RpcAgent create(AgentContext context) {
            return flaw.around(sound.create(context));
        }
    }

    @TestFactory
    Stream<DynamicTest> everyFlawIsCaughtByTheRuleItBreaks(TestReporter reporter) {
        reporter.publishEntry(ReportKeys.BACKEND, "inproc");
        BackendProvider sound = inproc();
        return Arrays.stream(Flaw.values())
                .map(flaw ->
                        DynamicTest.dynamicTest(
                                "broken " + flaw + ": is caught by rule " + flaw.breaks(),
                                () -> catches(flaw, sound)));
    }

    private static void catches(Flaw flaw, BackendProvider sound) {
        Rule rule =
                Rules.ALL.stream()
                        .filter(candidate -> candidate.id().equals(flaw.breaks()))
                        .findFirst()
                        .orElseThrow();
        var backend =
                BackendUnderTest.of("broken:" + flaw, Map.of("gradwire.backend", "broken"))
                        .withTimes(Duration.ofMillis(500), Duration.ofSeconds(2));
        var caught =
                assertThrows(
                        AssertionError.class,
                        () -> rule.verify(new BrokenBackend(flaw, sound), backend));
        assertTrue(
                caught.getMessage().contains("rule " + rule.id() + " is broken by backend"),
                caught.getMessage());
    }

    private static BackendProvider inproc() {
        return ServiceLoader.load(BackendProvider.class).stream()
                .map(ServiceLoader.Provider::get)
                .filter(provider -> provider.name().equals("inproc"))
                .findFirst()
                .orElseThrow();
    }
}
