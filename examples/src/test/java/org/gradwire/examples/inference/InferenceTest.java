package org.gradwire.examples.inference;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.examples.Arguments;
import org.gradwire.examples.Workers;
import org.gradwire.rpc.RpcOptions;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.regex.Pattern;

class InferenceTest {
    @Test
    void replicasComputeTheResultsOfOneProcessEvenWhenOneIsLost() throws Exception {
        String printed = run(3, "--replicas", "3", "--requests", "300");
        assertEquals(
                List.of("replicas: 1", "replicas: 2", "replicas: 3", "worker3 failed half way"),
                Pattern.compile(
                                "(?m)^(replicas: \\d|worker\\d failed half way); .* largest difference \\S+ \\(equal\\)")
                        .matcher(printed)
                        .results()
                        .map(line -> line.group(1))
                        .toList(),
                printed);
        var again = Pattern.compile("(\\d+) requests sent again").matcher(printed);
        assertTrue(again.find() && Integer.parseInt(again.group(1)) > 0, printed);
    }

    private static String run(int replicas, String... args) throws Exception {
        return Workers.print(
                1 + replicas,
                RpcOptions.Builder::dynamicGroup,
                rpc ->
                        assertTrue(
                                Inference.run(
                                        rpc,
                                        Arguments.parse(new Options(), args),
                                        rpc::shutdownNow),
                                "the comparison failed"));
    }
}
