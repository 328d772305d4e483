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
import java.util.Objects;
import java.util.zip.GZIPInputStream;

/**
 * Random programs of operators give what PyTorch gave; {@code src/test/python/fuzz} records them,
 * and compares fresh ones.
 */
class FuzzTest {
    private static final int LEAST_PROGRAMS = 2000;

    @Test
    void recordedProgramsGiveWhatPyTorchGave() throws IOException {
        List<String> differences = new ArrayList<>();
        int programs = 0;
        try (var in = FuzzTest.class.getResourceAsStream("/fuzz/programs.gz");
                var text = new GZIPInputStream(Objects.requireNonNull(in, "fuzz/programs.gz"));
                var reader =
                        new BufferedReader(new InputStreamReader(text, StandardCharsets.UTF_8))) {
            for (FuzzProgram program = FuzzProgram.read(reader);
                    program != null;
                    program = FuzzProgram.read(reader)) {
                String name = "program " + programs++ + ": ";
                FuzzRun.difference(program)
                        .filter(difference -> FuzzTriage.rule(difference).isEmpty())
                        .ifPresent(difference -> differences.add(name + difference));
            }
        }
        assertTrue(programs >= LEAST_PROGRAMS, programs + " programs");
        assertEquals(List.of(), differences);
    }
}
