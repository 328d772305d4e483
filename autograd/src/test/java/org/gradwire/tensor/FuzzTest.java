package org.gradwire.tensor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.zip.GZIPInputStream;

/**
 * Random programs of operators give what PyTorch gave; {@code src/test/python/fuzz} records them,
 * and compares fresh ones.
 */
class FuzzTest {
    private static final int LEAST_PROGRAMS = 1900;

    /** No rule may excuse more than this part of all programs. */
    private static final double MOST_ACCEPTED = 0.02;

    @Test
    void recordedProgramsGiveWhatPyTorchGave() throws IOException {
        List<String> differences = new ArrayList<>();
        Map<String, Integer> accepted = new TreeMap<>();
        int programs = 0;
        try (var in = FuzzTest.class.getResourceAsStream("/fuzz/programs.gz");
                var text = new GZIPInputStream(Objects.requireNonNull(in, "fuzz/programs.gz"));
                var reader =
                        new BufferedReader(new InputStreamReader(text, StandardCharsets.UTF_8))) {
            for (FuzzProgram program = FuzzProgram.read(reader);
                    program != null;
                    program = FuzzProgram.read(reader)) {
                String name = "program " + programs++ + ": ";
                FuzzRun.Outcome outcome = FuzzRun.of(program);
                outcome.difference().ifPresent(difference -> differences.add(name + difference));
                outcome.accepted().forEach(rule -> accepted.merge(rule, 1, Integer::sum));
            }
        }
        assertTrue(programs >= LEAST_PROGRAMS, programs + " programs");
        assertEquals(List.of(), differences);
        double most = MOST_ACCEPTED * programs;
        accepted.values().removeIf(count -> count <= most);
        assertEquals(Map.of(), accepted, "rules that accept differences in more than " + most);
    }
}
