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
 * What a measuring process of another system does: it prints {@code ready} and the figures it
 * knows, then answers each line {@code FIGURE MILLISECONDS} with {@code MEDIAN TAIL} in
 * nanoseconds, until its input ends. The process at its other end only waits for that.
 */
final class ChildLoop {

    private ChildLoop() {}

    static void serve(Map<Figure, Task> tasks) throws Exception {
        System.out.println(
                "ready "
                        + tasks.keySet().stream()
                                .map(Figure::label)
                                .collect(Collectors.joining(" ")));
        BufferedReader in = input();
        for (String line; (line = in.readLine()) != null; ) {
            String[] words = line.split(" ", 2);
            Task task = tasks.get(Figure.labelled(words[0]).orElseThrow());
            if (task == null) {
                throw new IllegalArgumentException("no such figure here: " + line);
            }
            Timing timing = task.measure(Duration.ofMillis(Long.parseLong(words[1])));
            System.out.println(timing.medianNanos() + " " + timing.tailNanos());
        }
    }

    /** Return when the process that started this one has ended or wants no more. */
    static void awaitEnd() throws IOException {
        input().transferTo(Writer.nullWriter());
    }

    private static BufferedReader input() {
        return new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    }
}
