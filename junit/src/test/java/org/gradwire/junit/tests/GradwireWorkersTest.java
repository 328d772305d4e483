package org.gradwire.junit.tests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.reporting.ReportEntry;
import org.junit.platform.testkit.engine.EngineTestKit;
import org.junit.platform.testkit.engine.Event;
import org.junit.platform.testkit.engine.Events;

import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Runs the samples and checks their results. */
class GradwireWorkersTest {
    @BeforeEach
    void forget() {
        Samples.forget();
    }

    private static EngineTestKit.Builder kit(Class<?> type) {
        return EngineTestKit.engine("junit-jupiter")
                .configurationParameter("junit.jupiter.execution.parallel.enabled", "false")
                .selectors(selectClass(type));
    }

    /** Run tests, all of which must pass. */
    private static void passing(Class<?> type, int count) {
        Events tests = kit(type).execute().testEvents();
        assertEquals(Map.of(), failures(tests));
        tests.assertStatistics(sums -> sums.started(count).succeeded(count));
    }

    private static Map<String, Throwable> failures(Events events) {
        Map<String, Throwable> failures = new TreeMap<>();
        events.failed().stream().forEach(event -> failures.put(name(event), failure(event)));
        return failures;
    }

    private static String name(Event event) {
        return event.getTestDescriptor().getDisplayName().replaceFirst("\\(.*", "");
    }

    private static Throwable failure(Event event) {
        return event.getRequiredPayload(TestExecutionResult.class).getThrowable().orElseThrow();
    }

    private static Map<String, String> messages(Map<String, Throwable> failures) {
        Map<String, String> messages = new TreeMap<>();
        failures.forEach((test, failure) -> messages.put(test, failure.getMessage()));
        return messages;
    }

    private static void assertStopped(List<Rpc> workers) {
        for (Rpc rpc : workers) {
            assertThrows(RpcException.class, rpc::workers);
        }
    }

    @Test
    void eachTestHasItsOwnGroup() {
        passing(Samples.Fresh.class, 3);
        assertEquals(
                List.of("1 workers", "3 workers", "3 workers"),
                Samples.NOTES.stream().sorted().toList());
        assertEquals(3, new HashSet<>(Samples.SEEN).size());
        assertStopped(Samples.SEEN);
    }

    @Test
    void eachTestOfASharedInstanceHasItsOwnGroup() {
        passing(Samples.OneInstance.class, 2);
        assertEquals(List.of("2 workers", "2 workers"), Samples.NOTES);
        assertEquals(2, new HashSet<>(Samples.SEEN).size());
    }

    @Test
    void annotationsAreInheritedAndComposed() {
        passing(Samples.Inheriting.class, 3);
        passing(Samples.Composed.class, 1);
        assertEquals("2 workers", Samples.NOTES.getLast());
    }

    @Test
    void workersAreInjected() {
        passing(Samples.Injected.class, 3);
        assertEquals(List.of("square 4", "square 9"), Samples.NOTES.stream().sorted().toList());
    }

    @Test
    void nestedClassesInheritTheAnnotation() {
        passing(Samples.Outer.class, 2);
        assertEquals(List.of("2 workers", "3 workers"), Samples.NOTES);
    }

    @Test
    void parallelTestsHaveSeparateGroups() {
        Events tests =
                kit(Samples.Parallel.class)
                        .configurationParameter("junit.jupiter.execution.parallel.enabled", "true")
                        .configurationParameter(
                                "junit.jupiter.execution.parallel.mode.default", "concurrent")
                        .configurationParameter(
                                "junit.jupiter.execution.parallel.config.strategy", "fixed")
                        .configurationParameter(
                                "junit.jupiter.execution.parallel.config.fixed.parallelism", "4")
                        .execute()
                        .testEvents();
        assertEquals(Map.of(), failures(tests));
        assertEquals(4, new HashSet<>(Samples.SEEN).size());
    }

    @Test
    void openResourcesFailTheTest() {
        var messages = messages(failures(kit(Samples.Leaking.class).execute().testEvents()));
        assertEquals(
                List.of("call", "context", "inSimulatedTime", "reference"),
                List.copyOf(messages.keySet()));
        messages.values()
                .forEach(text ->
                        assertTrue(text.startsWith("the test left something open:\n"), text));
        String reference =
                "worker0: references never closed: 1 of type int, owned by worker1, made at org.gradwire.junit.tests/";
        assertTells(messages, "reference", reference);
        assertTells(messages, "reference", "(Samples.java:");
        assertTells(messages, "reference", "worker1: num_owner_rrefs=1; num_forks=1");
        assertTells(messages, "inSimulatedTime", reference);
        assertTells(messages, "inSimulatedTime", "-Dgradwire-junit.seed=11");
        assertTells(messages, "context", "worker0: num_autograd_contexts=1");
        assertTells(messages, "call", "worker0: agent.client_active_calls=1");
    }

    private static void assertTells(Map<String, String> messages, String test, String text) {
        assertTrue(messages.getOrDefault(test, "").contains(text), messages::toString);
    }

    @Test
    void aGroupThatDoesNotEndInTimeFailsTheTest() {
        var messages = messages(failures(kit(Samples.NotEnding.class).execute().testEvents()));
        assertEquals(List.of("callUnderWay"), List.copyOf(messages.keySet()));
        assertTells(
                messages, "callUnderWay", "the test passed, but its group failed to shut down:\n");
        assertTells(messages, "callUnderWay", "the group did not become idle within 1000 ms");
        assertStopped(Samples.SEEN);
    }

    @Test
    void closedOrUncheckedResourcesDoNot() {
        passing(Samples.LeavingNothing.class, 7);
    }

    @Test
    void failuresNameARelevantSeed() {
        Map<String, Throwable> failures =
                failures(kit(Samples.Failing.class).execute().testEvents());
        assertEquals(
                Map.of(
                        "underFaults", "on purpose",
                        "whichDrawsItself", "drawn from 8",
                        "withoutSeed", "on purpose"),
                messages(failures));
        Map<String, List<String>> hints = new TreeMap<>();
        failures.forEach((test, failure) ->
                hints.put(
                        test,
                        Arrays.stream(failure.getSuppressed())
                                .map(Throwable::getMessage)
                                .toList()));
        assertEquals(
                Map.of(
                        "underFaults",
                        List.of("the seed was 7; to replay the run: -Dgradwire-junit.seed=7"),
                        "whichDrawsItself",
                        List.of("the seed was 8; to replay the run: -Dgradwire-junit.seed=8"),
                        "withoutSeed",
                        List.of()),
                hints);
        assertStopped(Samples.SEEN);
    }

    /** {@return the seed and the order of deliveries} */
    private static String simulated(String seed) {
        var kit = kit(Samples.Simulated.class);
        Events tests =
                (seed.isEmpty() ? kit : kit.configurationParameter("gradwire-junit.seed", seed))
                        .execute()
                        .testEvents();
        assertEquals(Map.of("noted", "on purpose"), messages(failures(tests)));
        String noted = Samples.NOTES.getFirst();
        Samples.forget();
        assertEquals(
                List.of(Map.of("gradwire-junit.seed", noted.substring(0, noted.indexOf(' ')))),
                tests.reportingEntryPublished().stream()
                        .map(event ->
                                event.getRequiredPayload(ReportEntry.class).getKeyValuePairs())
                        .toList());
        return noted;
    }

    @Test
    void seedReplaysARun() {
        String drawn = simulated("");
        assertEquals(drawn, simulated(drawn.substring(0, drawn.indexOf(' '))));
        assertEquals(simulated("1"), simulated("1"));
        assertNotEquals(simulated("1").substring(2), simulated("2").substring(2));
    }
}
