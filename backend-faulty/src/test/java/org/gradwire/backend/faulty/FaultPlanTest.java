package org.gradwire.backend.faulty;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.gradwire.rpc.RpcConfigurationException;
import org.gradwire.spi.MessageTypes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Duration;
import java.util.Map;
import java.util.Set;

/** How the settings of the faulty backend are read. */
class FaultPlanTest {
    private static final String TYPES =
            "[CLEANUP_AUTOGRAD_CONTEXT_REQ, PYTHON_CALL, PYTHON_REMOTE_CALL, PYTHON_RREF_FETCH_CALL, RREF_CHILD_ACCEPT, RREF_FORK_REQUEST, RREF_USER_DELETE, SCRIPT_CALL, SCRIPT_REMOTE_CALL, SCRIPT_RREF_FETCH_CALL]";

    private static FaultPlan plan(Map<String, String> set) {
        return FaultPlan.of(new FixedSettings(set));
    }

    private static String refused(Map<String, String> set) {
        return String.valueOf(
                assertThrows(RpcConfigurationException.class, () -> plan(set)).getMessage());
    }

    @Test
    void theDefaultsAreThoseOfTheSpecification() {
        assertEquals(
                new FaultPlan(
                        3,
                        Set.of(
                                MessageTypes.RREF_FORK_REQUEST,
                                MessageTypes.RREF_CHILD_ACCEPT,
                                MessageTypes.RREF_USER_DELETE,
                                MessageTypes.CLEANUP_AUTOGRAD_CONTEXT_REQ),
                        Map.of(
                                MessageTypes.PYTHON_CALL,
                                Duration.ofMillis(1500),
                                MessageTypes.SCRIPT_CALL,
                                Duration.ofMillis(1500))),
                plan(Map.of()));
    }

    @Test
    void allTenNamesAreKnown() {
        String names = TYPES.substring(1, TYPES.length() - 1);
        assertEquals(10, plan(Map.of(FaultyBackend.MESSAGES_TO_FAIL, names)).toFail().size());
    }

    @Test
    void emptySwitchesAFaultOff() {
        FaultPlan plan =
                plan(
                        Map.of(
                                FaultyBackend.MESSAGES_TO_FAIL,
                                "",
                                FaultyBackend.MESSAGES_TO_DELAY,
                                " "));
        assertEquals(Set.of(), plan.toFail());
        assertEquals(Map.of(), plan.toDelay());
    }

    @ParameterizedTest
    @ValueSource(strings = {"NO_SUCH_TYPE", "python_call", "BACKWARD_AUTOGRAD_REQ", "0x102"})
    void anUnknownNameIsRefusedWithTheTextThatProgramsMatch(String name) {
        String text = "No mapping to rpc::MessageType exists for " + name + "; known are " + TYPES;
        assertEquals(text, refused(Map.of(FaultyBackend.MESSAGES_TO_FAIL, "SCRIPT_CALL," + name)));
        assertEquals(text, refused(Map.of(FaultyBackend.MESSAGES_TO_DELAY, name + ":1s")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"-1.5s", "PT-1.5S", "-PT1S"})
    void aNegativeDelayIsRefusedWithTheTextThatProgramsMatch(String delay) {
        assertEquals(
                "Delays passed to FaultyTensorPipeAgent must be non-negative. gradwire.faulty.messages-to-delay holds 'SCRIPT_CALL:"
                        + delay
                        + "'",
                refused(Map.of(FaultyBackend.MESSAGES_TO_DELAY, "SCRIPT_CALL:" + delay)));
    }

    @ParameterizedTest
    @CsvSource({"SCRIPT_CALL : 20ms, 20", "SCRIPT_CALL:PT2S, 2000", "SCRIPT_CALL:0s, 0"})
    void aDelayIsADuration(String text, long millis) {
        assertEquals(
                Map.of(MessageTypes.SCRIPT_CALL, Duration.ofMillis(millis)),
                plan(Map.of(FaultyBackend.MESSAGES_TO_DELAY, text)).toDelay());
    }

    @Test
    void whatIsNoPlanIsRefused() {
        assertEquals(
                "gradwire.faulty.messages-to-delay holds 'SCRIPT_CALL', which must have the form TYPE:DELAY, such as PYTHON_CALL:1.5s",
                refused(Map.of(FaultyBackend.MESSAGES_TO_DELAY, "SCRIPT_CALL")));
        assertEquals(
                "gradwire.faulty.messages-to-delay=soon (from the options) must be a duration such as 500ms, 60s, 2m or PT1.5S",
                refused(Map.of(FaultyBackend.MESSAGES_TO_DELAY, "SCRIPT_CALL:soon")));
        assertEquals(
                "gradwire.faulty.num-fail-sends=-1 (from the options) must be a whole number from 0 to 2147483647",
                refused(Map.of(FaultyBackend.NUM_FAIL_SENDS, "-1")));
    }
}
