package org.gradwire.backend.faulty;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.rpc.RpcConfigurationException;
import org.gradwire.spi.MessageTypes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.Map;

/** How the settings of losses are read. */
class LossPlanTest {

    private static LossPlan plan(Map<String, String> set) {
        return LossPlan.of(new FixedSettings(set));
    }

    @Test
    void nothingIsLostByDefault() {
        assertTrue(plan(Map.of()).isEmpty());
        assertEquals(new LossPlan(Map.of(), Map.of(), Map.of(), 1), plan(Map.of()));
    }

    @Test
    void eachTypeHasItsShare() {
        assertEquals(
                new LossPlan(
                        Map.of(MessageTypes.PYTHON_CALL, 0.3, MessageTypes.SCRIPT_CALL, 1.0),
                        Map.of(MessageTypes.FORWARD_AUTOGRAD_REQ, 0.0),
                        Map.of(MessageTypes.CALLS_ENDED_REQ, 0.5),
                        -7),
                plan(
                        Map.of(
                                FaultyBackend.REQUESTS_TO_LOSE, "PYTHON_CALL:0.3, SCRIPT_CALL : 1",
                                FaultyBackend.REPLIES_TO_LOSE, "FORWARD_AUTOGRAD_REQ:0",
                                FaultyBackend.REQUESTS_TO_REPEAT, "CALLS_ENDED_REQ:.5",
                                FaultyBackend.SEED, "-7")));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "PYTHON_CALL",
                "PYTHON_CALL:",
                "PYTHON_CALL:1.1",
                "PYTHON_CALL:-0.1",
                "PYTHON_CALL:NaN",
                "PYTHON_CALL:all"
            })
    void whatIsNoShareIsRefused(String text) {
        for (String key :
                new String[] {
                    FaultyBackend.REQUESTS_TO_LOSE,
                    FaultyBackend.REPLIES_TO_LOSE,
                    FaultyBackend.REQUESTS_TO_REPEAT
                }) {
            assertEquals(
                    "%s holds '%s', which must have the form TYPE:SHARE with a share from 0 to 1, such as PYTHON_CALL:0.3"
                            .formatted(key, text),
                    refused(Map.of(key, text)));
        }
    }

    @Test
    void whatHoldsAGroupTogetherIsNotLost() {
        assertTrue(
                refused(Map.of(FaultyBackend.REPLIES_TO_LOSE, "JOIN_REQ:0.5"))
                        .startsWith(
                                "No mapping to rpc::MessageType exists for JOIN_REQ; known are [BACKWARD_AUTOGRAD_REQ, CALLS_ENDED_REQ, CANCEL_REQ,"));
    }

    private static String refused(Map<String, String> set) {
        return String.valueOf(
                assertThrows(RpcConfigurationException.class, () -> plan(set)).getMessage());
    }
}
