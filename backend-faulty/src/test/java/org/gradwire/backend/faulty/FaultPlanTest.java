package org.gradwire.backend.faulty;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.rpc.RpcConfigurationException;
import org.gradwire.spi.MessageTypes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Collectors;

/** Parsing of the faulty backend's settings. */
class FaultPlanTest {
    private static final String SPECIFIED =
            "CLEANUP_AUTOGRAD_CONTEXT_REQ, RREF_CHILD_ACCEPT, RREF_FORK_REQUEST, RREF_USER_DELETE, SCRIPT_CALL, SCRIPT_REMOTE_CALL, SCRIPT_RREF_FETCH_CALL, UDF_CALL, UDF_REMOTE_CALL, UDF_RREF_FETCH_CALL";
    private static final String TYPES =
            MessageTypes.requests().stream().map(MessageTypes::name).sorted().toList().toString();

    private static final Map<Fault, ValuesByMessageType<Double>> NOTHING =
            Arrays.stream(Fault.values())
                    .collect(Collectors.toMap(fault -> fault, _ -> ValuesByMessageType.none()));

    private static FaultPlan plan(Map<String, String> set) {
        return FaultPlan.of(new FixedSettings(set));
    }

    private static String refused(Map<String, String> set) {
        return String.valueOf(
                assertThrows(RpcConfigurationException.class, () -> plan(set)).getMessage());
    }

    @Test
    void defaultsAreThoseOfTheSpecification() {
        assertEquals(
                new FaultPlan(
                        3,
                        ValuesByMessageType.of(
                                Map.of(
                                        MessageTypes.RREF_FORK_REQUEST,
                                        true,
                                        MessageTypes.RREF_CHILD_ACCEPT,
                                        true,
                                        MessageTypes.RREF_USER_DELETE,
                                        true,
                                        MessageTypes.CLEANUP_AUTOGRAD_CONTEXT_REQ,
                                        true)),
                        ValuesByMessageType.of(
                                Map.of(
                                        MessageTypes.UDF_CALL,
                                        Delay.of(Duration.ofMillis(1500)),
                                        MessageTypes.SCRIPT_CALL,
                                        Delay.of(Duration.ofMillis(1500)))),
                        NOTHING,
                        List.of(),
                        1),
                plan(Map.of()));
    }

    @Test
    void allTenNamesOfTheSpecificationAreKnown() {
        FaultPlan plan = plan(Map.of(FaultyBackend.MESSAGES_TO_FAIL, SPECIFIED));
        assertEquals(SPECIFIED.replace(" ", ""), plan.toFail().names());
    }

    @Test
    void namesOfPyTorchAreKnown() {
        FaultPlan plan =
                plan(
                        Map.of(
                                FaultyBackend.MESSAGES_TO_FAIL,
                                "PYTHON_CALL,PYTHON_REMOTE_CALL,PYTHON_RREF_FETCH_CALL"));
        assertEquals("UDF_CALL,UDF_REMOTE_CALL,UDF_RREF_FETCH_CALL", plan.toFail().names());
    }

    @Test
    void everyRequestHasAName() {
        for (int type : MessageTypes.requests()) {
            String name = MessageTypes.name(type);
            FaultPlan plan =
                    plan(
                            Map.of(
                                    FaultyBackend.MESSAGES_TO_FAIL,
                                    name,
                                    FaultyBackend.MESSAGES_TO_DELAY,
                                    name + ":1s",
                                    Fault.LOSE_REPLY.key(),
                                    name + ":1"));
            assertEquals(ValuesByMessageType.of(Map.of(type, true)), plan.toFail(), name);
            assertEquals(
                    ValuesByMessageType.of(Map.of(type, Delay.of(Duration.ofSeconds(1)))),
                    plan.toDelay(),
                    name);
            assertEquals(1, plan.share(Fault.LOSE_REPLY, type), name);
        }
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
        assertEquals(ValuesByMessageType.none(), plan.toFail());
        assertEquals(ValuesByMessageType.none(), plan.toDelay());
    }

    @ParameterizedTest
    @ValueSource(strings = {"NO_SUCH_TYPE", "udf_call", "PYTHON_RET", "UDF_RET", "0x102"})
    void anUnknownNameIsRefused(String name) {
        String text = "there is no request type " + name + "; known are " + TYPES;
        assertEquals(text, refused(Map.of(FaultyBackend.MESSAGES_TO_FAIL, "SCRIPT_CALL," + name)));
        assertEquals(text, refused(Map.of(FaultyBackend.MESSAGES_TO_DELAY, name + ":1s")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"-1.5s", "PT-1.5S", "-PT1S"})
    void aNegativeDelayIsRefused(String delay) {
        assertEquals(
                "a delay must be zero or more, but gradwire.faulty.messages-to-delay holds 'SCRIPT_CALL:"
                        + delay
                        + "'",
                refused(Map.of(FaultyBackend.MESSAGES_TO_DELAY, "SCRIPT_CALL:" + delay)));
    }

    @ParameterizedTest
    @CsvSource({"SCRIPT_CALL : 20ms, 20", "SCRIPT_CALL:PT2S, 2000", "SCRIPT_CALL:0s, 0"})
    void aDelayIsADuration(String text, long millis) {
        assertEquals(
                ValuesByMessageType.of(
                        Map.of(MessageTypes.SCRIPT_CALL, Delay.of(Duration.ofMillis(millis)))),
                plan(Map.of(FaultyBackend.MESSAGES_TO_DELAY, text)).toDelay());
    }

    @Test
    void malformedPlanIsRefused() {
        assertEquals(
                "gradwire.faulty.messages-to-delay holds 'SCRIPT_CALL', which must have the form TYPE:DELAY, such as UDF_CALL:1.5s, or UDF_CALL:10ms..50ms for a random one",
                refused(Map.of(FaultyBackend.MESSAGES_TO_DELAY, "SCRIPT_CALL")));
        assertEquals(
                "gradwire.faulty.messages-to-delay=soon (from the options) must be a duration such as 500ms, 60s, 2m or PT1.5S",
                refused(Map.of(FaultyBackend.MESSAGES_TO_DELAY, "SCRIPT_CALL:soon")));
        assertEquals(
                "gradwire.faulty.num-fail-sends=-1 (from the options) must be an integer from 0 to 2147483647",
                refused(Map.of(FaultyBackend.NUM_FAIL_SENDS, "-1")));
    }

    @Test
    void eachTypeHasItsShare() {
        Map<Fault, ValuesByMessageType<Double>> shares = new EnumMap<>(NOTHING);
        shares.put(
                Fault.LOSE_REQUEST,
                ValuesByMessageType.of(
                        Map.of(MessageTypes.UDF_CALL, 0.3, MessageTypes.SCRIPT_CALL, 1.0)));
        shares.put(
                Fault.LOSE_REPLY,
                ValuesByMessageType.of(Map.of(MessageTypes.FORWARD_AUTOGRAD_REQ, 0.0)));
        shares.put(Fault.REPEAT, ValuesByMessageType.of(Map.of(MessageTypes.CALLS_ENDED_REQ, 0.5)));
        FaultPlan plan =
                plan(
                        Map.of(
                                Fault.LOSE_REQUEST.key(),
                                "UDF_CALL:0.3, SCRIPT_CALL : 1",
                                Fault.LOSE_REPLY.key(),
                                "FORWARD_AUTOGRAD_REQ:0",
                                Fault.REPEAT.key(),
                                "CALLS_ENDED_REQ:.5",
                                FaultyBackend.SEED,
                                "-7"));
        assertEquals(shares, plan.shares());
        assertEquals(-7, plan.seed());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "UDF_CALL",
                "UDF_CALL:",
                "UDF_CALL:1.1",
                "UDF_CALL:-0.1",
                "UDF_CALL:NaN",
                "UDF_CALL:all"
            })
    void whatIsNoShareIsRefused(String text) {
        for (Fault fault : Fault.values()) {
            String key = fault.key();
            assertEquals(
                    "%s holds '%s', which must have the form TYPE:SHARE with a share from 0 to 1, such as UDF_CALL:0.3"
                            .formatted(key, text),
                    refused(Map.of(key, text)));
        }
    }

    @Test
    void starSelectsAllRequestsThatAreNotNamed() {
        FaultPlan plan =
                plan(
                        Map.of(
                                Fault.LOSE_REQUEST.key(),
                                "UDF_CALL:0.5, *:0.25",
                                FaultyBackend.MESSAGES_TO_FAIL,
                                "*",
                                FaultyBackend.MESSAGES_TO_DELAY,
                                "*:1s"));
        List<Integer> types = new ArrayList<>(MessageTypes.requests());
        types.add(0x1c5); // the type of an extension
        assertTrue(
                types.containsAll(
                        List.of(
                                MessageTypes.GATHER_REQ,
                                MessageTypes.BROADCAST_REQ,
                                MessageTypes.LEAVE_REQ,
                                MessageTypes.JOIN_REQ,
                                MessageTypes.RREF_SAVE_REQ,
                                MessageTypes.RREF_LOAD_REQ)));
        for (int type : types) {
            String name = MessageTypes.name(type);
            double share = type == MessageTypes.UDF_CALL ? 0.5 : 0.25;
            assertEquals(share, plan.share(Fault.LOSE_REQUEST, type), name);
            assertEquals(0, plan.share(Fault.LOSE_REPLY, type), name);
            assertEquals(Optional.of(true), plan.toFail().find(type), name);
            assertEquals(
                    Optional.of(Delay.of(Duration.ofSeconds(1))), plan.toDelay().find(type), name);
        }
    }

    @Test
    void delayMayBeRandom() {
        Delay delay =
                plan(Map.of(FaultyBackend.MESSAGES_TO_DELAY, "SCRIPT_CALL:10ms .. 20ms"))
                        .toDelay()
                        .find(MessageTypes.SCRIPT_CALL)
                        .orElseThrow();
        assertEquals(new Delay(Duration.ofMillis(10), Duration.ofMillis(20)), delay);
        var random = new Random(1);
        for (int i = 0; i < 1000; i++) {
            assertEquals(15, delay.nanos(random) / 1e6, 5);
        }
        assertEquals(
                "gradwire.faulty.messages-to-delay holds 'SCRIPT_CALL:2s..1s', whose delay must be from the shorter to the longer one, such as UDF_CALL:10ms..50ms",
                refused(Map.of(FaultyBackend.MESSAGES_TO_DELAY, "SCRIPT_CALL:2s..1s")));
    }

    @Test
    void networkPartitionHasADirectionAndATime() {
        List<NetworkPartition> networkPartitions =
                plan(Map.of(FaultyBackend.CUTS, "0-1@2s+3s, 4>*@0s+PT1M")).networkPartitions();
        assertEquals(
                List.of(
                        new NetworkPartition(
                                0, 1, true, Duration.ofSeconds(2), Duration.ofSeconds(3)),
                        new NetworkPartition(
                                4,
                                NetworkPartition.ANY,
                                false,
                                Duration.ZERO,
                                Duration.ofMinutes(1))),
                networkPartitions);
        NetworkPartition both = networkPartitions.getFirst();
        long during = Duration.ofSeconds(3).toNanos();
        assertTrue(both.stops(0, 1, during));
        assertTrue(both.stops(1, 0, during));
        assertFalse(both.stops(0, 2, during));
        assertFalse(both.stops(0, 1, Duration.ofMillis(1999).toNanos()));
        assertFalse(both.stops(0, 1, Duration.ofSeconds(5).toNanos()));
        NetworkPartition oneWay = networkPartitions.getLast();
        assertTrue(oneWay.stops(4, 7, 0));
        assertFalse(oneWay.stops(7, 4, 0));
        assertFalse(oneWay.stops(4, 4, 0));
    }

    @ParameterizedTest
    @ValueSource(strings = {"0-1", "a-b@1s+1s", "0-1@1s", "0<1@1s+1s", "-1-0@1s+1s"})
    void whatIsNoCutIsRefused(String text) {
        assertEquals(
                "gradwire.faulty.cuts holds '"
                        + text
                        + "', which must have the form ID-ID@AFTER+LENGTH, such as 0-1@2s+3s, 0>1@2s+3s for one direction, or 0-*@2s+3s for all others",
                refused(Map.of(FaultyBackend.CUTS, text)));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8})
    void thePrintedPlanIsReadBack(int seed) {
        var random = new Random(seed);
        Map<String, String> set = new HashMap<>();
        for (Fault fault : Fault.values()) {
            set.put(
                    fault.key(),
                    random.nextBoolean() ? "*:" + random.nextDouble() : "SCRIPT_CALL:0.125");
        }
        set.put(FaultyBackend.MESSAGES_TO_DELAY, "UDF_CALL:PT0.0000005S..1ms");
        set.put(FaultyBackend.CUTS, "0-1@2s+3s,4>*@0s+" + random.nextInt(1000) + "ms");
        set.put(FaultyBackend.SEED, Integer.toString(random.nextInt()));
        FaultPlan plan = plan(set);
        Map<String, String> printed =
                plan.toString()
                        .lines()
                        .map(line -> line.split("=", 2))
                        .collect(Collectors.toMap(parts -> parts[0], parts -> parts[1]));
        assertEquals(11, printed.size());
        assertEquals(plan, plan(printed), plan::toString);
    }
}
