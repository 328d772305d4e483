package org.gradwire.examples.pipeline;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.examples.Arguments;
import org.gradwire.examples.Workers;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.regex.Pattern;

class PipelineTest {
    private static final int WORKERS = 4;

    @ParameterizedTest
    @EnumSource
    void stagesComputeTheResultsOfOneProcess(Model model) throws Exception {
        String printed = run(WORKERS, "--model", model.name(), "--steps", "15", "--batch", "64");
        assertEquals(
                List.of("1", "2", "4"),
                Pattern.compile(
                                "micro-batches: (\\d); .* of losses \\S+, of gradients \\S+ \\(equal\\)")
                        .matcher(printed)
                        .results()
                        .map(line -> line.group(1))
                        .toList(),
                printed);
        var losses = Pattern.compile("loss (\\S+), then (\\S+)").matcher(printed);
        assertTrue(losses.find(), printed);
        assertTrue(
                Double.parseDouble(losses.group(2)) < Double.parseDouble(losses.group(1)) - 0.1,
                "nothing was learned: " + printed);
    }

    @Test
    void anotherNumberOfWorkersIsRefused() {
        var failure = assertThrows(ExecutionException.class, () -> run(2));
        assertEquals(
                "java.lang.IllegalArgumentException: a pipeline needs 4 workers, a trainer and 3 stages, but there are 2; use --workers 4",
                failure.getMessage());
    }

    private static String run(int workers, String... args) throws Exception {
        return Workers.print(
                workers,
                rpc -> {
                    boolean equal = Pipeline.run(rpc, Arguments.parse(new Options(), args));
                    assertTrue(equal, "the comparison failed");
                    assertEquals("0", rpc.debugInfo().get("num_current_backward_passes"));
                });
    }
}
