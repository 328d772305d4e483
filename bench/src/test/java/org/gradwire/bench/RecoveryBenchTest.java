package org.gradwire.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.bench.recovery.RecoveryProgram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;

/** The programs whose workers are killed. */
class RecoveryBenchTest {
    @TempDir Path folder;

    @ParameterizedTest
    @EnumSource
    void programHasACounterpartForPyTorch(RecoveryProgram program) throws IOException {
        assertTrue(Files.size(PyTorch.unpack(program.python(), folder)) > 0);
    }

    @Test
    void onlySelectsProgramsAndNumbersOfWorkers() {
        var options = new Options(new Baseline(Map.of()));
        options.parse("--recovery", "--only", "training.w(2|4)");
        assertEquals(
                "training.w2 training.w4",
                String.join(
                        " ",
                        Stream.of("recovery.w2", "training.w2", "training.w4", "training.w8")
                                .filter(options::selects)
                                .toList()));
    }
}
