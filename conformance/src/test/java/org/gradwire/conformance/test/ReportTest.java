package org.gradwire.conformance.test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.conformance.harness.BackendUnderTest;
import org.gradwire.conformance.harness.Capabilities;
import org.gradwire.conformance.harness.ReportKeys;
import org.gradwire.conformance.mutants.Mutant;
import org.gradwire.conformance.mutants.Mutants;
import org.gradwire.conformance.rules.Rule;
import org.gradwire.conformance.rules.RuleVerifier;
import org.gradwire.conformance.rules.Rules;
import org.gradwire.spi.BackendProvider;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Tests the report of a run of four rules with four different results. */
class ReportTest {
    /** The run that is reported; its name keeps the build from running it as a test. */
    static class FourResults {
        @TestFactory
        Stream<DynamicTest> rules(TestReporter reporter) {
            reporter.publishEntry(ReportKeys.BACKEND, "sample");
            reporter.publishEntry(ReportKeys.KILL + "NAMES_NO_PEER.FAIL-5", "caught");
            return Stream.of(
                    test("SELECT-1", sound()),
                    test("INFO-1", broken("INFO-1")),
                    test("FAIL-5", broken("FAIL-5")),
                    test("ORDER-1", sound()));
        }

        private static DynamicTest test(String id, BackendProvider provider) {
            Rule rule = Rules.of(id);
            BackendUnderTest backend = Backends.inproc().withCapabilities(Capabilities.NONE);
            return DynamicTest.dynamicTest(
                    "rule " + id + ": " + rule.text(),
                    () -> RuleVerifier.test(rule, provider, backend));
        }

        private static BackendProvider sound() {
            return Backends.provider(Backends.inproc());
        }

        private static BackendProvider broken(String rule) {
            Mutant mutant =
                    Mutants.ALL.stream()
                            .filter(known -> known.breaks().contains(rule))
                            .findFirst()
                            .orElseThrow();
            return mutant.wrap().apply(sound());
        }
    }

    private static ReportRun report(Path folder) {
        return ReportRun.of(folder, Map.of(), FourResults.class);
    }

    @Test
    void linesHaveResultReasonAndTheRun(@TempDir Path folder) throws IOException {
        List<String> lines = report(folder).lines();
        assertTrue(
                lines.getFirst().startsWith("{\"kind\":\"run\",\"gradwire\":\""), lines::toString);
        assertLine(lines.get(1), "SELECT-1", "passed", "");
        assertLine(lines.get(2), "INFO-1", "failed", "rule INFO-1 is broken by backend 'inproc'");
        assertLine(lines.get(3), "FAIL-5", "warning", "rule FAIL-5 is broken by backend 'inproc'");
        assertLine(lines.get(4), "ORDER-1", "skipped", "the backend does not declare order");
        assertEquals(
                "{\"backend\":\"sample\",\"kind\":\"kill\",\"id\":\"NAMES_NO_PEER\",\"rule\":\"FAIL-5\",\"result\":\"caught\"}",
                lines.get(5));
        assertEquals(6, lines.size());
    }

    private static void assertLine(String line, String id, String result, String reason) {
        for (String part :
                List.of(
                        "\"backend\":\"sample\",\"id\":\"" + id + "\",\"kind\":\"rule\"",
                        "\"result\":\"" + result + "\"",
                        reason,
                        "\"millis\":")) {
            assertTrue(line.contains(part), () -> "no " + part + " in " + line);
        }
    }

    @Test
    void thePageHasThemAllWithTheirReasons(@TempDir Path folder) throws IOException {
        String page = report(folder).page();
        for (String part :
                List.of(
                        "<li class=passed>1 passed</li>",
                        "<li class=failed>1 failed</li>",
                        "<li class=warning>1 warning</li>",
                        "<li class=skipped>1 skipped</li>",
                        "<div class=\"finding failed\"><b>INFO-1</b> over <b>sample</b>",
                        "<div class=\"finding warning\"><b>FAIL-5</b> over <b>sample</b>",
                        "the backend does not declare order",
                        "NAMES_NO_PEER")) {
            assertTrue(page.contains(part), () -> "no " + part + " in " + page);
        }
    }
}
