package org.gradwire.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import picocli.CommandLine.ParameterException;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The metrics that the options select. */
class OptionsTest {

    private static Options parse(String... arguments) {
        var options = new Options(new Baseline(Map.of()));
        options.validate(options.parse(arguments));
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
        Options options = parse("--recovery", "--workers", "2,32", "--kills", "3", "--one-turn");
        assertEquals(Mode.RECOVERY, options.mode());
        assertEquals(List.of(2, 32), options.workers());
        assertEquals(3, options.kills());
        assertTrue(options.isOneTurn());
    }

    @ParameterizedTest
    @CsvSource({"--kills=0, --kills must be 1", "'--workers=2,1', --workers must be 2"})
    void groupsRefuseNumbers(String option, String expected) {
        var failure = assertThrows(ParameterException.class, () -> parse("--recovery", option));
        String message = String.valueOf(failure.getMessage());
        assertTrue(message.startsWith(expected + " or more, but is "), message);
    }

    @Test
    void modesExcludeEachOther() {
        List<Mode> modes =
                Arrays.stream(Mode.values()).filter(mode -> mode != Mode.COMPARISON).toList();
        assertEquals(Mode.values().length - 1, modes.size());
        for (Mode mode : modes) {
            for (Mode other : modes) {
                if (mode != other) {
                    assertExcluded(mode, other);
                }
            }
        }
    }

    private static void assertExcluded(Mode mode, Mode other) {
        List<String> arguments = Stream.of(mode, other).flatMap(OptionsTest::arguments).toList();
        var failure =
                assertThrows(
                        ParameterException.class,
                        () -> parse(arguments.toArray(String[]::new)),
                        arguments::toString);
        assertEquals(
                "%s cannot be combined with %s: each of them says what to measure; give one"
                        .formatted(mode.option(), other.option()),
                failure.getMessage());
    }

    private static Stream<String> arguments(Mode mode) {
        return mode.hasParameter() ? Stream.of(mode.option(), "cuda:0") : Stream.of(mode.option());
    }

    @Test
    void modeIsThatOfTheOption() {
        assertEquals(Mode.COMPARISON, parse("--quick").mode());
        for (Mode mode : Mode.values()) {
            if (mode != Mode.COMPARISON) {
                var options = new Options(new Baseline(Map.of()));
                options.parse(arguments(mode).toArray(String[]::new));
                assertEquals(mode, options.mode());
            }
        }
    }

    @Test
    void coldHasTurns() {
        assertEquals(5, parse("--cold").turns());
        assertEquals(2, parse("--cold", "--quick").turns());
        assertEquals(7, parse("--cold", "--quick", "--turns", "7").turns());
        var failure = assertThrows(ParameterException.class, () -> parse("--cold", "--turns=0"));
        assertEquals("--turns must be 1 or more, but is 0", failure.getMessage());
    }

    @ParameterizedTest
    @CsvSource({"9", "0", "-5", "ten", "010"})
    void soakRefusesTimesThatAreTooShort(String seconds) {
        var failure = assertThrows(ParameterException.class, () -> parse("--soak=" + seconds));
        assertEquals(
                "--soak needs a number of seconds, 10 or more, not " + seconds,
                failure.getMessage());
    }

    @Test
    void soakHasATime() {
        assertEquals(Mode.SOAK, parse("--soak", "600").mode());
        assertEquals(600, parse("--soak", "600").soakSeconds());
    }

    @Test
    void argumentsAreJmhsOnly() {
        assertEquals(
                List.of("Codec", "-f", "1"), parse("--jmh", "Codec", "-f", "1").jmhArguments());
        var failure = assertThrows(ParameterException.class, () -> parse("--local", "Codec"));
        assertEquals("'Codec' is not known", failure.getMessage());
    }

    @Test
    void collectivesMeasureOperationsOfGroups() {
        Options options = parse("--collectives");
        assertEquals(Mode.COLLECTIVES, options.mode());
        assertEquals(List.of(2, 4), options.workers());
        assertEquals(List.of(2, 8), parse("--recovery").workers());
        assertEquals(List.of(3), parse("--collectives", "--workers", "3").workers());
        List<Metric> wanted = wanted("--collectives");
        assertEquals(
                Arrays.stream(Metric.values())
                        .filter(metric -> metric.mode() == Mode.COLLECTIVES)
                        .toList(),
                wanted);
        assertEquals(16, wanted.size());
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
        assertEquals(13, quick.size());
        assertFalse(quick.contains(Metric.ALL_REDUCE_256_MIB));
        assertFalse(quick.contains(Metric.CALL_DURING_ALL_REDUCE));
        assertEquals(List.of(Metric.BARRIER), wanted("--collectives", "--only", "barrier"));
    }

    @Test
    void membersAreInNamespacesOnRequest() {
        assertFalse(parse("--collectives").isInNamespaces());
        assertTrue(parse("--collectives", "--namespaces").isInNamespaces());
    }

    @Test
    void comparisonMeasuresAllOtherMetrics() {
        List<Metric> wanted = wanted();
        assertTrue(wanted.containsAll(List.of(Metric.SYNC_NOOP, Metric.LOCAL_MLP)));
        assertEquals(
                Arrays.stream(Metric.values())
                        .filter(metric -> metric.mode() == Mode.COMPARISON)
                        .toList(),
                wanted);
    }

    @Test
    void localMeasuresOperatorsOnly() {
        List<Metric> wanted = wanted("--local");
        assertEquals(
                Arrays.stream(Metric.values())
                        .filter(metric -> metric.mode() == Mode.LOCAL)
                        .toList(),
                wanted);
        assertEquals(
                List.of(Metric.OPERATOR_POW3, Metric.OPERATOR_POW3_FWDBWD),
                wanted("--local", "--only", "pow3"));
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
    void deviceIsNotTheHost() {
        var failure = assertThrows(ParameterException.class, () -> parse("--device", "cpu"));
        assertEquals(
                "--device cpu: without --device the bench measures the host", failure.getMessage());
    }

    @Test
    void deviceBenchMeasuresDeviceMetricsOnly() {
        var options = new Options(new Baseline(Map.of()));
        options.parse("--device", "cuda:0", "--only", "echo");
        assertEquals(
                List.of(
                        Metric.DEVICE_ECHO_1_MIB,
                        Metric.DEVICE_ECHO_8_MIB,
                        Metric.DEVICE_ECHO_256_MIB),
                Arrays.stream(Metric.values()).filter(options::wants).toList());
    }
}
