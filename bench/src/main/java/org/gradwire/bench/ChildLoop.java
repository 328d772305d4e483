package org.gradwire.bench;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The protocol of a measuring process of another system: it prints {@code ready} and its metrics,
 * then replies to each line {@code METRIC MILLISECONDS} with {@code MEDIAN TAIL} in nanoseconds,
 * until its input ends. The peer process only waits for the end.
 */
final class ChildLoop {

    private ChildLoop() {}

    static void serve(Map<Metric, Workload> workloads) throws Exception {
        System.out.println(
                "ready "
                        + workloads.keySet().stream()
                                .map(Metric::label)
                                .collect(Collectors.joining(" ")));
        BufferedReader in = input();
        for (String line; (line = in.readLine()) != null; ) {
            String[] words = line.split(" ", 2);
            Workload workload = workloads.get(Metric.labelled(words[0]).orElseThrow());
            if (workload == null) {
                throw new IllegalArgumentException("unknown metric: " + line);
            }
            Timing timing = workload.measure(Duration.ofMillis(Long.parseLong(words[1])));
            System.out.println(timing.medianNanos() + " " + timing.tailNanos());
        }
    }

    /** Wait for the end of the input, which the parent process has when it exits or closes it. */
    static void awaitEnd() throws IOException {
        input().transferTo(Writer.nullWriter());
    }

    private static BufferedReader input() {
        return new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    }
}
