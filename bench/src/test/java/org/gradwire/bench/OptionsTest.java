package org.gradwire.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The metrics that the options select. */
class OptionsTest {

    private static Options parse(String... arguments) {
        var options = new Options(new Baseline(Map.of()));
        var commandLine = new CommandLine(options);
        commandLine.parseArgs(arguments);
        options.validate(commandLine);
        return options;
    }

    private static List<Metric> wanted(String... arguments) {
        Options options = parse(arguments);
        return Arrays.stream(Metric.values()).filter(options::wants).toList();
    }

    @Test
    void networkBenchMeasuresNetworkMetricsOnly() {
        assertEquals(
                List.of(Metric.NET_NOOP, Metric.NET_ADD, Metric.NET_ECHO_8_MIB),
                wanted("--network"));
        assertEquals(List.of(Metric.NET_ECHO_8_MIB), wanted("--network", "--only", "echo"));
    }

    @Test
    void systemsOfTheNetworkAreWantedByName() {
        Options options = parse("--network", "--systems", "certified,grpc-mtls");
        assertEquals(
                List.of("certified", "grpc-mtls"),
                Stream.of("gradwire", "sealed", "certified", "netty-mtls", "pytorch", "grpc-mtls")
                        .filter(options::wants)
                        .toList());
    }

    @Test
    void recoveryHasSizesAndKills() {
        assertFalse(parse().isRecovery());
        Options options = parse("--recovery", "--workers", "2,32", "--kills", "3", "--one-turn");
        assertTrue(options.isRecovery());
        assertEquals(List.of(2, 32), options.workers());
        assertEquals(3, options.kills());
        assertTrue(options.isOneTurn());
    }

    @ParameterizedTest
    @ValueSource(strings = {"--workers=1", "--kills=0", "--gate", "--network", "--growth"})
    void recoveryRefusesOptions(String other) {
        var failure = assertThrows(ParameterException.class, () -> parse("--recovery", other));
        String message = String.valueOf(failure.getMessage());
        assertTrue(message.startsWith("--recovery "), message);
    }

    @ParameterizedTest
    @ValueSource(strings = {"--gate", "--network", "--growth", "--recovery", "--collectives"})
    void checkpointRefusesOtherModes(String other) {
        assertTrue(parse("--checkpoint").isCheckpoint());
        var failure = assertThrows(ParameterException.class, () -> parse("--checkpoint", other));
        String message = String.valueOf(failure.getMessage());
        assertTrue(message.startsWith("--checkpoint cannot be combined"), message);
    }

    @Test
    void collectivesMeasureOperationsOfGroups() {
        Options options = parse("--collectives");
        assertTrue(options.isCollectives());
        assertEquals(List.of(2, 4), options.workers());
        assertEquals(List.of(2, 8), parse("--recovery").workers());
        assertEquals(List.of(3), parse("--collectives", "--workers", "3").workers());
        List<Metric> wanted = wanted("--collectives");
        assertEquals(Arrays.stream(Metric.values()).filter(Metric::isCollective).toList(), wanted);
        assertEquals(13, wanted.size());
    }

    @Test
    void busyThreadsAreCounted() {
        assertEquals(0, parse().busy());
        assertEquals(2, parse("--collectives", "--busy", "2").busy());
        var failure = assertThrows(ParameterException.class, () -> parse("--busy", "-1"));
        assertEquals("--busy must be 0 or more, but is -1", failure.getMessage());
    }

    @Test
    void largestTensorIsNotMeasuredQuickly() {
        List<Metric> quick = wanted("--collectives", "--quick");
        assertEquals(12, quick.size());
        assertFalse(quick.contains(Metric.ALL_REDUCE_256_MIB));
        assertEquals(List.of(Metric.BARRIER), wanted("--collectives", "--only", "barrier"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"--workers=1", "--gate", "--network", "--growth", "--recovery"})
    void collectivesRefuseOptions(String other) {
        var failure = assertThrows(ParameterException.class, () -> parse("--collectives", other));
        String message = String.valueOf(failure.getMessage());
        assertTrue(message.startsWith("--collectives "), message);
    }

    @Test
    void comparisonMeasuresAllOtherMetrics() {
        List<Metric> wanted = wanted();
        assertTrue(wanted.containsAll(List.of(Metric.SYNC_NOOP, Metric.LOCAL_MLP)));
        assertEquals(
                Arrays.stream(Metric.values())
                        .filter(metric ->
                                !metric.isNetwork()
                                        && !metric.isDevice()
                                        && !metric.isCollective()
                                        && !metric.isOperator())
                        .toList(),
                wanted);
    }

    @Test
    void localMeasuresOperatorsOnly() {
        List<Metric> wanted = wanted("--local");
        assertEquals(Arrays.stream(Metric.values()).filter(Metric::isOperator).toList(), wanted);
        assertEquals(
                List.of(Metric.OPERATOR_POW3, Metric.OPERATOR_POW3_FWDBWD),
                wanted("--local", "--only", "pow3"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"--gate", "--network", "--growth", "--recovery", "--collectives"})
    void localRefusesOptions(String other) {
        var failure = assertThrows(ParameterException.class, () -> parse("--local", other));
        String message = String.valueOf(failure.getMessage());
        assertTrue(message.startsWith("--local "), message);
    }

    @Test
    void missingDeviceIsRefused() {
        var failure = assertThrows(ParameterException.class, () -> parse("--device", "cuda:77"));
        String message = String.valueOf(failure.getMessage());
        assertTrue(
                message.startsWith("--device cuda:77: ") && message.contains("there is no cuda:77"),
                message);
    }

    @Test
    void deviceIsNotTheHostAndHasNoBaseline() {
        for (String[] arguments :
                List.of(
                        new String[] {"--device", "cpu"},
                        new String[] {"--device", "cuda:0", "--gate"},
                        new String[] {"--device", "cuda:0", "--network"})) {
            assertThrows(ParameterException.class, () -> parse(arguments));
        }
    }

    @Test
    void deviceBenchMeasuresDeviceMetricsOnly() {
        var options = new Options(new Baseline(Map.of()));
        new CommandLine(options).parseArgs("--device", "cuda:0", "--only", "echo");
        assertEquals(
                List.of(
                        Metric.DEVICE_ECHO_1_MIB,
                        Metric.DEVICE_ECHO_8_MIB,
                        Metric.DEVICE_ECHO_256_MIB),
                Arrays.stream(Metric.values()).filter(options::wants).toList());
    }

    @Test
    void gateHasNoNetworkMetrics() {
        var failure = assertThrows(ParameterException.class, () -> parse("--network", "--gate"));
        assertEquals(
                "--network cannot be combined with --gate: it has no baseline",
                failure.getMessage());
    }
}
