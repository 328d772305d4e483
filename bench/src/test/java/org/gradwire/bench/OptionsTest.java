package org.gradwire.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

import java.util.Arrays;
import java.util.List;
import java.util.Map;

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
    void comparisonMeasuresAllOtherMetrics() {
        List<Metric> wanted = wanted();
        assertEquals(Metric.values().length - 3, wanted.size());
        assertTrue(wanted.stream().noneMatch(Metric::isNetwork));
    }

    @Test
    void gateHasNoNetworkMetrics() {
        var failure = assertThrows(ParameterException.class, () -> parse("--network", "--gate"));
        assertEquals(
                "--network cannot be combined with --gate: it has no baseline",
                failure.getMessage());
    }
}
