package org.gradwire.examples.batchrpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.examples.Arguments;
import org.gradwire.examples.Workers;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.regex.Pattern;

class BatchRpcTest {
    private static final int WORKERS = 4;

    @Test
    void actionsEqualThoseOfOneProcessBatchedOrNot() throws Exception {
        String printed =
                run("--episodes", "4", "--steps", "50", "--observers", "2", "--hidden", "64");
        assertEquals(
                List.of("batched: 1200 actions by 200", "one by one: 1200 actions by 1200"),
                Pattern.compile("(?m)^.* \\d+ actions by \\d+(?= forward passes)")
                        .matcher(printed)
                        .results()
                        .map(line -> line.group())
                        .toList(),
                printed);
        assertEquals(2, printed.split("all actions and falls equal", -1).length - 1, printed);
    }

    @Test
    void agentLearnsToBalance() {
        var options =
                Arguments.parse(
                        new Options(), "--episodes", "15", "--steps", "200", "--hidden", "64");
        List<List<Episode>> episodes = new SingleProcess(options, WORKERS - 1).run(true);
        long first = falls(episodes.getFirst());
        long last = falls(episodes.getLast());
        assertTrue(last < first / 2, "%d falls at first, %d at the end".formatted(first, last));
    }

    private static long falls(List<Episode> episodes) {
        return episodes.stream().mapToLong(Episode::falls).sum();
    }

    private static String run(String... args) throws Exception {
        return Workers.print(
                WORKERS,
                rpc ->
                        assertTrue(
                                BatchRpc.run(rpc, Arguments.parse(new Options(), args)),
                                "the comparison failed"));
    }
}
