package org.gradwire.junit.tests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import org.junit.jupiter.api.Test;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.testkit.engine.EngineTestKit;
import org.junit.platform.testkit.engine.Event;

import java.util.Map;
import java.util.TreeMap;

/** Error texts of invalid configurations. */
class BadUsesTest {
    private static final String ON =
            "@GradwireWorkers on void org.gradwire.junit.tests.BadUses$Groups.";
    private static final String CANNOT = "the group that " + ON;

    private static Map<String, String> messages(Class<?> type, String... parameters) {
        var kit = EngineTestKit.engine("junit-jupiter").selectors(selectClass(type));
        for (int i = 0; i < parameters.length; i += 2) {
            kit.configurationParameter(parameters[i], parameters[i + 1]);
        }
        Map<String, String> messages = new TreeMap<>();
        kit.execute().allEvents().failed().stream()
                .forEach(event -> messages.put(name(event), message(event)));
        return messages;
    }

    private static String name(Event event) {
        return event.getTestDescriptor().getDisplayName().replaceFirst("\\(.*", "");
    }

    private static String message(Event event) {
        Throwable failure =
                event.getRequiredPayload(TestExecutionResult.class).getThrowable().orElseThrow();
        return String.valueOf(failure.getMessage())
                .replaceFirst("installed: \\[.*?\\]", "installed: ALL")
                .replaceFirst("Known are: .*", "Known are: ALL");
    }

    @Test
    void groups() {
        Map<String, String> expected = new TreeMap<>();
        expected.put(
                "noWorkers", ON + "noWorkers() asks for a group of 0 workers; it has at least one");
        expected.put(
                "unknownBackend",
                CANNOT
                        + "unknownBackend() asks for cannot start: no backend 'nowhere' (gradwire.backend, from the options); installed: ALL; put the jar of another one on the module path");
        expected.put(
                "settingWithoutValue",
                ON
                        + "settingWithoutValue() asks for the setting \"gradwire.rpc-timeout\"; write it as key=value");
        expected.put(
                "unknownSetting",
                CANNOT
                        + "unknownSetting() asks for cannot start: unknown setting gradwire.rcp-timeout in the options; did you mean gradwire.rpc-timeout? Known are: ALL");
        expected.put("twoSeeds", ON + "twoSeeds() asks for 2 seeds; give one or none");
        expected.put("noTime", ON + "noTime() asks for timeoutSeconds=0; it is at least 1");
        expected.put(
                "realBackendInSimulatedTime",
                CANNOT
                        + "realBackendInSimulatedTime() asks for cannot start: gradwire.simulation.seed is set, but the messages of backend 'tensorpipe' take a real time here; use inproc, or faulty around it");
        assertEquals(expected, messages(BadUses.Groups.class));
    }

    @Test
    void parameters() {
        assertEquals(
                Map.of(
                        "noSuchWorker",
                        "there is no @Worker(2): the group has 2, from 0 on",
                        "noWorker",
                        "@Worker(0) is on a parameter of type java.lang.String; a worker is an Rpc"),
                messages(BadUses.Parameters.class));
    }

    @Test
    void placesWithoutATest() {
        String advice =
                " cannot have workers, since each test has its own: take them as parameters of the test, or of methods marked @BeforeEach or @AfterEach";
        assertEquals(
                Map.of(
                        "test",
                        "org.gradwire.junit.tests.BadUses$InTheConstructor(org.gradwire.junit.Workers)"
                                + advice),
                messages(BadUses.InTheConstructor.class));
        assertEquals(
                Map.of(
                        "BadUses$BeforeAllTests",
                        "static void org.gradwire.junit.tests.BadUses$BeforeAllTests.before(org.gradwire.rpc.Rpc)"
                                + advice),
                messages(BadUses.BeforeAllTests.class));
    }

    @Test
    void seedToReplay() {
        assertEquals(
                Map.of("noted", "gradwire-junit.seed=seven is not a seed: give an integer"),
                messages(Samples.Simulated.class, "gradwire-junit.seed", "seven"));
    }
}
