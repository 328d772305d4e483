package org.gradwire.examples.parameterserver;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.checkpoint.CheckpointStorage;
import org.gradwire.examples.Workers;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.regex.Pattern;

class ParameterServerTest {

    @ParameterizedTest
    @ValueSource(ints = {2, 3})
    void trainingOverServersIsThatOfOneProcess(int servers, @TempDir Path folder) throws Exception {
        String printed =
                Workers.print(
                        1 + servers,
                        rpc ->
                                assertTrue(
                                        ParameterServer.run(
                                                rpc,
                                                Hyperparameters.DEFAULT,
                                                CheckpointStorage.directory(folder))));
        assertTrue(printed.contains("of the parameters at the end (equal)"), printed);
        List<Double> losses =
                Pattern.compile("loss ([0-9.]+) over the workers")
                        .matcher(printed)
                        .results()
                        .map(found -> Double.valueOf(found.group(1)))
                        .toList();
        assertTrue(losses.getLast() < losses.getFirst() / 3, "losses " + losses);
        assertGradientsAreSparse(printed, servers);
    }

    /** Check that each server has a share of the rows, and gradients for some of them. */
    private static void assertGradientsAreSparse(String printed, int servers) {
        var shares =
                Pattern.compile("worker\\d has rows .* holds (\\d+) of these (\\d+)")
                        .matcher(printed)
                        .results()
                        .toList();
        assertEquals(servers, shares.size(), printed);
        for (var share : shares) {
            int held = Integer.parseInt(share.group(1));
            assertTrue(0 < held && held < Integer.parseInt(share.group(2)), share.group());
        }
        int rows = shares.stream().mapToInt(share -> Integer.parseInt(share.group(2))).sum();
        assertEquals(new Rhyme().vocabularySize(), rows);
    }

    @Test
    void twoWorkersAreTooFew(@TempDir Path folder) {
        var failure =
                assertThrows(
                        ExecutionException.class,
                        () ->
                                Workers.print(
                                        2,
                                        rpc -> {
                                            if (rpc.self().id() == 0) {
                                                ParameterServer.run(
                                                        rpc,
                                                        Hyperparameters.DEFAULT,
                                                        CheckpointStorage.directory(folder));
                                            }
                                        }));
        assertEquals(
                "java.lang.IllegalArgumentException: the embedding is spread over at least 2 servers, which makes 3 workers, but there are 2; use --workers",
                failure.getMessage());
    }
}
