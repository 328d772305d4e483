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

/** Which figures the options ask for. */
class OptionsTest {

    private static Options parse(String... arguments) {
        var options = new Options(new Baseline(Map.of()));
        var commandLine = new CommandLine(options);
        commandLine.parseArgs(arguments);
        options.validate(commandLine);
        return options;
    }

    private static List<Figure> wanted(String... arguments) {
        Options options = parse(arguments);
        return Arrays.stream(Figure.values()).filter(options::wants).toList();
    }

    @Test
    void betweenTwoHostsOnlyTheirFiguresAreMeasured() {
        assertEquals(
                List.of(Figure.NET_NOOP, Figure.NET_ADD, Figure.NET_ECHO_8_MIB),
                wanted("--network"));
        assertEquals(List.of(Figure.NET_ECHO_8_MIB), wanted("--network", "--only", "echo"));
    }

    @Test
    void onOneHostAllOthersAreMeasured() {
        List<Figure> wanted = wanted();
        assertEquals(Figure.values().length - 3, wanted.size());
        assertTrue(wanted.stream().noneMatch(Figure::isNetwork));
    }

    @Test
    void theGateHasNoFiguresBetweenTwoHosts() {
        var failure = assertThrows(ParameterException.class, () -> parse("--network", "--gate"));
        assertEquals(
                "--network cannot be combined with --gate: it has no baseline",
                failure.getMessage());
    }
}
