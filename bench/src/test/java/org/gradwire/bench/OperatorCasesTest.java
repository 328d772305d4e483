package org.gradwire.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.bench.local.OperatorCases;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;

class OperatorCasesTest {
    private static final int OPERATORS_AND_BACKWARD_PASSES = 84;

    @Test
    void eachMetricHasItsCase() {
        Set<String> labels =
                Arrays.stream(Metric.values())
                        .filter(metric -> metric.mode() == Mode.LOCAL)
                        .map(Metric::label)
                        .collect(Collectors.toSet());
        assertEquals(labels, OperatorCases.all().keySet());
        assertEquals(OPERATORS_AND_BACKWARD_PASSES, labels.size());
    }

    @Test
    void eachCaseRuns() {
        OperatorCases.all()
                .forEach((label, maker) -> {
                    Runnable call = maker.get();
                    call.run();
                    call.run(); // a backward pass leaves no gradient that stops the next
                });
    }

    @Test
    void programOfPyTorchNamesEachOperator(@TempDir Path folder) throws IOException {
        String program = Files.readString(PyTorch.unpack("pytorch_operators.py", folder));
        for (String label : OperatorCases.all().keySet()) {
            String name = label.replaceAll("^operator\\.|\\.fwdbwd$", "");
            boolean byType = name.matches("(add|mul)\\.(float64|int64)");
            assertTrue(byType || program.contains('"' + name + '"'), label);
        }
    }
}
